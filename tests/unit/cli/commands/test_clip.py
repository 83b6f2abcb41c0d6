from __future__ import annotations

import io
import sys

import pytest

from app.domain.collecting import ImportReport


@pytest.fixture
def typed(monkeypatch):
    """Stands in for standard input."""

    def put(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))

    return put


def test_a_passage_with_its_page(shell, api, typed):
    api.answers["clip"] = ImportReport("https://example.org/a", added=1)
    typed("A passage. 一段话。".encode())
    assert shell("clip", "https://example.org/a", "--title", "A") == "Kept: https://example.org/a\n"
    assert api.asked("clip") == [(("A passage. 一段话。",), {"title": "A", "url": "https://example.org/a"})]


def test_a_note_with_a_title_from_a_file(shell, api, tmp_path):
    api.answers["clip"] = ImportReport("Shopping", unchanged=1)
    (tmp_path / "note.txt").write_bytes(b"\xef\xbb\xbfmilk")
    assert shell("clip", "Shopping", str(tmp_path / "note.txt")) == "Known already: Shopping\n"
    assert api.asked("clip") == [(("milk",), {"title": "Shopping", "url": ""})]
    report = shell.json("clip", "Shopping", str(tmp_path / "note.txt"))
    assert report["unchanged"] == 1


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"\xb2\xe2\xca\xd4"])
def test_what_is_no_utf_8_is_refused_with_a_way_out(shell, api, typed, data):
    typed(data)
    shell("clip", expect=3)
    assert "famulus import" in shell.err
    assert not api.asked("clip")


def test_too_much_and_nothing_there(shell, api, typed, tmp_path):
    typed(b"x" * (16 * 1024 * 1024 + 1))
    shell("clip", expect=3)
    assert "16 MiB" in shell.err
    shell("clip", "Title", str(tmp_path / "missing"), expect=3)
    shell("clip", "Title", str(tmp_path), expect=3)
    assert not api.asked("clip")
