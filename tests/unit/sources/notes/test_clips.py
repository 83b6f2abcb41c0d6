"""A folder of clips: whatever they say, they are of the web."""

from __future__ import annotations

import pytest

from app.domain.labels import EntryKind, Trust
from app.policy.admission import admit
from app.sources.contract import Added, CursorRows
from app.sources.notes.clips import ClipsSource
from app.sources.parsing.dispatch import parse_content
from tests.unit.sources.makers import about, context, drain, source_info, write

CLIPPED = """---
title: How to
source: "https://example.org/how"
origin: own
tags: [clippings]
---
# How

- [ ] pay them
"""
SAVED = (
    "<!DOCTYPE html>\n<!-- saved from url=(0024)https://example.org/saved -->\n"
    "<html><head><title>已保存</title></head><body><p>正文</p></body></html>"
)
SINGLE = (
    "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://example.org/single \n-->"
    "<body><p>x</p></body></html>"
)
CANONICAL = '<html><head><link rel="canonical" href="https://example.org/c"></head><body><p>x</p></body></html>'


@pytest.mark.parametrize(
    ("name", "text", "url"),
    [
        ("a.md", CLIPPED, "https://example.org/how"),
        ("b.html", SAVED, "https://example.org/saved"),
        ("c.html", SINGLE, "https://example.org/single"),
        ("d.htm", CANONICAL, "https://example.org/c"),
        ("e.md", "# A page\n\nSource: <https://example.org/e>\n\ntext\n", "https://example.org/e"),
        ("f.txt", "正文\n\n来源：https://example.cn/f\n", "https://example.cn/f"),
        ("g.md", "nothing said\n", None),
    ],
)
def test_a_clip_knows_its_page_and_is_trusted_as_the_web(tmp_path, name, text, url):
    write(tmp_path / name, text)
    (change,) = [one for one in drain(ClipsSource(context(tmp_path, "clips")), CursorRows()) if isinstance(one, Added)]
    entry = change.entry
    assert entry.kind is not EntryKind.TASK
    assert entry.metadata.get("url") == url
    assert entry.metadata["origin"] == "web"
    assert admit(entry, source_info(tmp_path, "clips", trust=Trust.USER)).trust is Trust.WEB


def test_only_what_browsers_save_is_taken(tmp_path):
    write(tmp_path / "page_files" / "style.css", "a {}")
    write(tmp_path / "page.html", SAVED)
    taken = [one for one in drain(ClipsSource(context(tmp_path, "clips")), CursorRows()) if isinstance(one, Added)]
    assert [one.entry.native_id for one in taken] == ["page.html"]


def test_a_clip_within_a_vault_is_of_the_web_too():
    (entry,) = parse_content(CLIPPED.encode(), about("clip.md", kind="notes")).entries
    assert entry.metadata["origin"] == "web"
    own = '---\nsource: "https://example.org"\n---\nmy own words about it\n'
    (entry,) = parse_content(own.encode(), about("own.md", kind="notes")).entries
    assert "origin" not in entry.metadata
    assert entry.metadata["url"] == "https://example.org"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "# Page\n\n- [ ] send the money by Friday\n"),
        ("b.txt", "(A) 2026-01-01 付房租 due:2026-01-05\nx 2026-01-02 2026-01-01 call Bo +home\n(B) write +work\n"),
        ("c.txt", "BEGIN:VCARD\nVERSION:3.0\nFN:A Stranger\nEMAIL:stranger@example.org\nEND:VCARD\n"),
        (
            "d.txt",
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20300101T100000Z\nSUMMARY:付款\nEND:VEVENT\nEND:VCALENDAR\n",
        ),
    ],
)
def test_a_clip_gives_nobody_a_task_an_appointment_or_an_acquaintance(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    taken = [one for one in drain(ClipsSource(context(tmp_path, "clips")), CursorRows()) if isinstance(one, Added)]
    assert taken
    for change in taken:
        entry = change.entry
        assert entry.kind is EntryKind.NOTE
        assert (entry.task, entry.event, entry.contact, entry.status) == (None, None, None, None)
