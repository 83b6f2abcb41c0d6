"""Folders that are gone, forbidden, full or read-only: a clear message, and no damage (X9.2)."""

from __future__ import annotations

import os
import subprocess

import pytest

# real processes on a machine that may be busy
pytestmark = pytest.mark.timeout(400)


def test_a_folder_that_is_gone_deletes_nothing(cli, notes):
    cli.json("add", "files", str(notes))
    cli.run("sync")
    notes.rename(notes.with_name("elsewhere"))
    done = cli.run("sync", expect=3)
    assert "Nothing was" in done.stderr or "nothing was" in done.stderr
    assert cli.json("search", "roses")
    assert cli.json("status")["counts"]["entries"] == 6


def test_an_empty_mount_point_deletes_nothing(cli, notes):
    cli.json("add", "files", str(notes))
    cli.run("sync")
    notes.rename(notes.with_name("elsewhere"))
    notes.mkdir()
    cli.run("sync", expect=3)
    assert cli.json("search", "roses")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_folder_deletes_nothing(cli, notes):
    cli.json("add", "files", str(notes))
    cli.run("sync")
    notes.chmod(0)
    try:
        cli.run("sync", expect=3)
    finally:
        notes.chmod(0o700)
    assert cli.json("search", "roses")


def test_many_deletions_at_once_stop_and_ask(cli, notes):
    cli.json("add", "files", str(notes))
    cli.run("sync")
    for path in sorted(notes.iterdir())[:3]:
        path.unlink()
    done = cli.run("sync", expect=3)
    assert "--confirm-deletions" in done.stderr
    assert cli.json("status")["counts"]["entries"] == 6
    report = cli.json("sync", "--confirm-deletions")[0]
    assert report["deleted"] >= 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk_loses_nothing(cli, notes, tmp_path):
    disk = cli.basedir
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("this machine does not allow mounting")
    try:
        cli.json("add", "files", str(notes))
        cli.run("sync")
        big = tmp_path / "big"
        big.mkdir()
        for index in range(400):
            (big / f"{index}.txt").write_text(f"{index} " + " ".join(f"word{index}x{n}" for n in range(2500)), "utf-8")
        done = cli.run("import", str(big), expect=3)
        assert "Traceback" not in done.stderr
        assert "disk" in done.stderr.lower() or "room" in done.stderr.lower()
        assert cli.json("search", "roses")
        cli.run("quit")
        subprocess.run(["mount", "-o", "remount,size=200m", str(disk)], check=True)
        assert cli.json("search", "roses")
        assert cli.json("check")["is_clean"] is True
    finally:
        cli.run("quit", expect=None)
        subprocess.run(["umount", str(disk)], check=False)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can remount")
def test_a_read_only_data_folder_says_so(cli, notes):
    disk = cli.basedir
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("this machine does not allow mounting")
    try:
        cli.json("add", "files", str(notes))
        cli.run("sync")
        cli.run("quit")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        done = cli.run("sync", expect=3)
        assert "Traceback" not in done.stderr
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        assert cli.json("search", "roses")
        assert cli.json("check")["is_clean"] is True
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=False)
        cli.run("quit", expect=None)
        subprocess.run(["umount", str(disk)], check=False)


def test_a_wrong_passphrase_and_none(cli, notes):
    cli.run("import", str(notes))
    cli.run("quit")
    good = cli.environment["FAMULUS_PASSPHRASE"]
    cli.environment["FAMULUS_PASSPHRASE"] = "wrong"
    done = cli.run("search", "roses", expect=3)
    assert "passphrase" in done.stderr.lower()
    del cli.environment["FAMULUS_PASSPHRASE"]
    done = cli.run("search", "roses", expect=3)
    assert "FAMULUS_PASSPHRASE" in done.stderr
    cli.environment["FAMULUS_PASSPHRASE"] = good
    assert cli.json("search", "roses")
