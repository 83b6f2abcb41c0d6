"""Folders that are gone, forbidden, full or read-only: a clear message, and no damage (X9.2)."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

# real processes on a machine that may be busy
pytestmark = pytest.mark.timeout(400)


def test_a_folder_that_is_gone_deletes_nothing(collected, collected_notes):
    collected_notes.rename(collected_notes.with_name("elsewhere"))
    done = collected.run("sync", expect=3)
    assert "Nothing was" in done.stderr or "nothing was" in done.stderr
    assert collected.json("search", "roses")
    assert collected.json("status")["counts"]["entries"] == 6


def test_an_empty_mount_point_deletes_nothing(collected, collected_notes):
    collected_notes.rename(collected_notes.with_name("elsewhere"))
    collected_notes.mkdir()
    collected.run("sync", expect=3)
    assert collected.json("search", "roses")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_folder_deletes_nothing(collected, collected_notes):
    collected_notes.chmod(0)
    try:
        collected.run("sync", expect=3)
    finally:
        collected_notes.chmod(0o700)
    assert collected.json("search", "roses")


def test_many_deletions_at_once_stop_and_ask(collected, collected_notes):
    for path in sorted(collected_notes.iterdir())[:3]:
        path.unlink()
    done = collected.run("sync", expect=3)
    assert "--confirm-deletions" in done.stderr
    assert collected.json("status")["counts"]["entries"] == 6
    report = collected.json("sync", "--confirm-deletions")[0]
    assert report["deleted"] >= 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk_loses_nothing(cli, notes, tmp_path):
    disk = cli.basedir
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("this machine does not allow mounting")
    try:
        cli.json("add", "files", str(notes))
        cli.run("sync")
        big = tmp_path / "big"
        big.mkdir()
        # something else takes up most of what is free
        used = shutil.disk_usage(disk).used
        subprocess.run(["mount", "-o", f"remount,size={used + (1 << 20)}", str(disk)], check=True)
        for index in range(100):
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


def test_a_wrong_passphrase_and_none(collected):
    good = collected.environment["FAMULUS_PASSPHRASE"]
    collected.environment["FAMULUS_PASSPHRASE"] = "wrong"
    done = collected.run("search", "roses", expect=3)
    assert "passphrase" in done.stderr.lower()
    del collected.environment["FAMULUS_PASSPHRASE"]
    done = collected.run("search", "roses", expect=3)
    assert "FAMULUS_PASSPHRASE" in done.stderr
    collected.environment["FAMULUS_PASSPHRASE"] = good
    assert collected.json("search", "roses")
