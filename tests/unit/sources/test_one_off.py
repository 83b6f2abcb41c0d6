from __future__ import annotations

import pytest

from app.domain.errors import BadInput, Cancelled, Refused
from app.sources.files import walk
from app.sources.files.one_off import read_once
from tests.unit.sources.makers import SAMPLES, After, Never, context, write


def test_files_and_folders_are_read_once(tmp_path):
    for name, data in SAMPLES.items():
        write(tmp_path / "folder" / name, data)
    write(tmp_path / "folder" / "photo.jpg", b"x")
    lone = write(tmp_path / "mail", SAMPLES["mail.eml"])
    found = list(read_once([str(lone), str(tmp_path / "folder")], context(tmp_path), Never()))
    assert [one.path.name for one in found] == ["mail", *sorted(SAMPLES)]
    assert all(one.read.refusal is None for one in found)
    assert found[0].read.facts["subject"] == "会议通知"
    assert found[0].read.entries[0].native_id == str(lone)


def test_a_file_that_is_named_is_read_whatever_its_name_is(tmp_path):
    hidden = write(tmp_path / ".hidden.jpg", "just text")
    link = tmp_path / "link"
    link.symlink_to(hidden)
    for path in (hidden, link):
        (one,) = read_once([str(path)], context(tmp_path), Never())
        assert one.read.entries[0].blocks[0].text == "just text"


def test_a_refusal_says_what_to_do(tmp_path):
    (one,) = read_once([str(write(tmp_path / "x.pdf", b"%PDF-1.7\nno"))], context(tmp_path), Never())
    assert one.read.entries == ()
    assert "PDF" in str(one.read.refusal.reason)
    assert str(one.read.refusal.next_step)


def test_a_path_that_is_not_there_is_told_before_anything_is_read(tmp_path):
    path = write(tmp_path / "a.txt", "x")
    with pytest.raises(BadInput):
        next(read_once([str(path), str(tmp_path / "missing")], context(tmp_path), Never()))


@pytest.mark.parametrize("name", ["", "~nobody-of-this-name/x", "x\0"])
def test_what_is_no_path_is_told(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput):
        next(read_once([name], context(tmp_path), Never()))


def test_our_own_files_are_not_taken_in(tmp_path):
    path = write(tmp_path / "base" / "famulus.toml", "x = 1")
    with pytest.raises(Refused):
        next(read_once([str(path)], context(tmp_path, excluded=(tmp_path / "base",)), Never()))


def test_a_folder_within_that_cannot_be_listed_is_told(tmp_path, monkeypatch):
    write(tmp_path / "f" / "a.txt", "x")
    write(tmp_path / "f" / "closed" / "b.txt", "x")
    real = walk._listed

    def listed(path):
        if path.name == "closed":
            raise PermissionError
        return real(path)

    monkeypatch.setattr(walk, "_listed", listed)
    first, second = read_once([str(tmp_path / "f")], context(tmp_path), Never())
    assert first.read.entries
    assert (second.path.name, second.read.refusal is None) == ("closed", False)


def test_stop(tmp_path):
    for number in range(5):
        write(tmp_path / "f" / f"{number}.txt", "x")
    found = []
    with pytest.raises(Cancelled):
        found.extend(read_once([str(tmp_path / "f")], context(tmp_path), After(2)))
