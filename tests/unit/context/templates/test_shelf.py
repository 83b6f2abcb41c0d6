"""The shelf of templates: shipped ones, and the person's own beside them (G4.5)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.context.templates.shelf import TemplateShelf
from app.domain.errors import BadInput
from tests.unit.context.templates.test_reading import PLAIN


def test_own_templates_stand_beside_the_shipped_ones(tmp_path) -> None:
    (tmp_path / "ask-a-friend.toml").write_text(PLAIN, encoding="utf-8")
    found = {one.name: one for one in TemplateShelf(tmp_path).list()}
    assert found["ask-a-friend"].is_own
    assert not found["trip"].is_own
    assert found["trip"].problem is None


def test_an_own_one_takes_the_place_of_a_shipped_one(tmp_path) -> None:
    (tmp_path / "trip.toml").write_text(PLAIN, encoding="utf-8")
    shelf = TemplateShelf(tmp_path)
    assert [one.is_own for one in shelf.list() if one.name == "trip"] == [True]
    assert shelf.get("trip").scope == "work"


@pytest.mark.parametrize(("file", "typed"), [("站会", "站会"), ("re\u0301union", "R\u00c9UNION"), ("ＡＢ", "ab")])
def test_one_is_found_however_its_name_is_written(tmp_path, file: str, typed: str) -> None:
    (tmp_path / f"{file}.toml").write_text(PLAIN, encoding="utf-8")
    shelf = TemplateShelf(tmp_path)
    assert [one.problem for one in shelf.list() if one.is_own] == [None]
    assert shelf.get(typed).is_own


def test_an_own_one_takes_the_place_of_a_shipped_one_in_any_case(tmp_path) -> None:
    (tmp_path / "Trip.toml").write_text(PLAIN, encoding="utf-8")
    shelf = TemplateShelf(tmp_path)
    assert [one.is_own for one in shelf.list() if one.name.casefold() == "trip"] == [True]
    assert shelf.get("trip").is_own


def test_a_broken_one_says_why_and_breaks_no_other(tmp_path) -> None:
    (tmp_path / "broken.toml").write_bytes(b"\xff\xfe")
    shelf = TemplateShelf(tmp_path)
    found = {one.name: one for one in shelf.list()}
    assert found["broken"].problem is not None
    assert found["trip"].problem is None
    with pytest.raises(BadInput):
        shelf.get("broken")


@pytest.mark.parametrize("name", ["nothing", "../labels", "", "trip.toml"])
def test_an_unknown_one_is_refused_with_those_there_are(tmp_path, name: str) -> None:
    with pytest.raises(BadInput) as caught:
        TemplateShelf(tmp_path).get(name)
    assert "weekly-report" in str(caught.value.next_step)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_what_is_no_file_is_told_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "device.toml").symlink_to("/dev/zero")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "gone.toml").symlink_to(tmp_path / "nothing")
    listed = {one.name: one.problem for one in TemplateShelf(tmp_path).list() if one.is_own}
    assert set(listed) == {"pipe", "device", "folder", "gone"}
    assert all(problem is not None for problem in listed.values())


@pytest.mark.parametrize("text", ["a = " + "9" * 5_000, "a" + ".a" * 30_000 + " = 1", "a = " + "[" * 30_000])
def test_a_file_that_breaks_a_reader_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "bomb.toml").write_text(text, "utf-8")
    listed = {one.name: one.problem for one in TemplateShelf(tmp_path).list() if one.is_own}
    assert "no TOML" in str(listed["bomb"])


def test_what_is_one_too_many_is_told(tmp_path: Path) -> None:
    for number in range(103):
        (tmp_path / f"t{number:03}.toml").write_text(PLAIN, encoding="utf-8")
    own = [one for one in TemplateShelf(tmp_path).list() if one.is_own]
    assert [one.name for one in own if one.problem is not None] == ["t100"]
