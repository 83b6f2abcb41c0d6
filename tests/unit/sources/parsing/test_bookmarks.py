"""Bookmarks in the three files that browsers keep or export them in."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from app.domain.errors import Unreadable
from app.domain.labels import EntryKind
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.facts import understood
from tests.unit.sources.makers import about
from tests.unit.sources.parsing.browser_files import firefox

EXPORT = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file. <A HREF="http://comment.example"> -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>
<DL><p>
    <DT><H3 ADD_DATE="1" PERSONAL_TOOLBAR_FOLDER="true">工具栏</H3>
    <DL><p>
        <DT><A HREF="https://example.org/a?x=1&amp;y=2" ADD_DATE="1700000000" TAGS="one,two words">A &amp; B</A>
        <DD>What it is
        <DT><H3>Inner</H3>
        <DL><p>
            <DT><A HREF="https://example.org/b" ICON="data:image/png;base64,AAAA">部署手册</A>
        </DL><p>
        <DT><A HREF="https://example.org/c">Below the inner folder</A>
    </DL><p>
    <DT><A HREF="javascript:alert(1)">Bookmarklet</A>
    <HR>
    <DT><A HREF="place:sort=8">Most visited</A>
    <DT><A HREF="https://example.org/a?x=1&amp;y=2">The same again</A>
</DL><p>
"""


def read(data: bytes | str, name: str = "bookmarks.html", **changes):
    return parse_content(data.encode() if isinstance(data, str) else data, about(name, **changes))


def test_an_export_with_folders_tags_and_descriptions():
    parsed = read(EXPORT)
    assert understood(parsed)["bookmarks"] == 6, "links that are no pages are counted, and not taken in"
    assert [entry.title for entry in parsed.entries] == [
        "A & B",
        "部署手册",
        "Below the inner folder",
        "The same again",
    ]
    first, inner, below, again = parsed.entries
    assert first.kind is EntryKind.BOOKMARK
    assert dict(first.metadata) == {
        "url": "https://example.org/a?x=1&y=2",
        "folder": "工具栏",
        "tags": "one two-words",
        "origin": "bookmark",
    }
    assert first.blocks[0].text.splitlines()[-1] == "What it is"
    assert first.created_at == datetime.fromtimestamp(1_700_000_000, UTC)
    assert inner.metadata["folder"] == "工具栏/Inner"
    assert inner.blocks[0].place.heading_path == ("工具栏", "Inner")
    assert below.metadata["folder"] == "工具栏"
    assert "folder" not in again.metadata
    assert again.fragment == f"{first.fragment}-2"


@pytest.mark.parametrize(
    "address",
    ["JaVaScRiPt:alert(1)", " javascript:x", "java&#9;script:x", "&#1;javascript:x", "vbscript:x", "data:text/html,x"],
)
def test_programs_are_no_pages_however_they_are_written(address):
    kept = read(EXPORT.replace("javascript:alert(1)", address)).entries
    assert [entry.title for entry in kept if entry.title == "Bookmarklet"] == []


def test_it_is_known_by_content_under_any_name():
    for name in ("export.txt", "x.md", "bookmarks"):
        assert read(EXPORT, name).format == "bookmarks"
    about_it = f"# How a bookmark file looks\n\n{EXPORT}"
    assert read(about_it, "about.md").format == "markdown"
    assert read(about_it, "about.txt").format == "text"
    page = '<html><body><dl><dt><a href="https://example.org">x</a></dl></body></html>'
    assert read(page, "page.html").format == "html"


def test_an_id_stays_when_others_come_and_go():
    line = '<DT><A HREF="https://example.org/new">New</A>\n    <DT><H3 ADD'
    ids = {entry.fragment for entry in read(EXPORT).entries}
    assert ids < {entry.fragment for entry in read(EXPORT.replace("<DT><H3 ADD", line, 1)).entries}


@pytest.mark.parametrize(
    ("written", "year"),
    [("1456433748", 2016), ("1456433748000", 2016), ("1456433748000000", 2016), ("10/Oct/2000:13:55:36 +0300", 2000)],
)
def test_times_as_services_write_them(written, year):
    (entry,) = read(EXPORT.replace("1700000000", written)).entries[:1]
    assert entry.created_at.year == year


def chromium_file() -> dict:
    def link(guid: str, name: str, url: str) -> dict:
        return {"type": "url", "guid": guid, "name": name, "url": url, "date_added": "13244473600000000"}

    inner = {"type": "folder", "name": "工作", "children": [link("g2", "Wiki", "https://wiki.example")]}
    bar = {"type": "folder", "name": "Bookmarks bar", "children": [link("g1", "新闻", "https://news.example"), inner]}
    trash = {"type": "folder", "name": "Trash", "children": [link("g3", "Gone", "https://gone.example")]}
    return {
        "checksum": "x",
        "roots": {"bookmark_bar": bar, "other": {"type": "folder", "children": []}, "trash": trash},
    }


def test_the_file_of_chromium():
    parsed = read(json.dumps(chromium_file()), "Bookmarks")
    assert understood(parsed)["bookmarks"] == 3
    news, wiki = parsed.entries
    assert (news.fragment, news.title, news.metadata["folder"]) == ("g1", "新闻", "Bookmarks bar")
    assert (wiki.fragment, wiki.metadata["folder"]) == ("g2", "Bookmarks bar/工作")
    assert news.created_at.year == 2020


@pytest.mark.parametrize("roots", ['["bookmark_bar"]', '{"bookmark_bar": 3, "other": null}', '"bookmark_bar"'])
def test_broken_json_is_refused_or_empty(roots):
    data = f'{{"roots": {roots}, "bookmark_bar": 1}}'
    with suppress(Unreadable):
        assert read(data, "Bookmarks").entries == ()
    deep = '{"roots": {"bookmark_bar": ' + '{"type": "folder", "children": [' * 20_000
    with pytest.raises(Unreadable):
        read(deep, "Bookmarks")


def places(tmp_path, kind: str = ""):
    script = """
    INSERT INTO moz_places VALUES
      (1, 'https://example.org/', 'The page''s title', 3, 0, 1700000000000000, 'p1', 'Described by the page'),
      (2, 'https://example.cn/', '中文页', 1, 0, 1700000001000000, 'p2', NULL),
      (3, 'place:sort=8', NULL, 0, 1, NULL, 'p3', NULL);
    INSERT INTO moz_historyvisits (place_id, visit_date) VALUES (1, 1), (1, 2), (1, 3), (2, 4);
    INSERT INTO moz_bookmarks VALUES
      (10, 2, NULL, 2, 0, '学习', 0, 0, 'f1'),
      (11, 1, 1, 10, 0, 'My name for it', 1600000000000000, 1650000000000000, 'b1'),
      (12, 1, 2, 3, 0, NULL, 1600000000000000, 0, 'b2'), (13, 1, 3, 2, 0, 'Recent', 0, 0, 'b3'),
      (20, 2, NULL, 4, 0, 'python', 0, 0, 't1'), (21, 1, 1, 20, 0, NULL, 0, 0, 'tb1'),
      (22, 3, NULL, 2, 0, NULL, 0, 0, 's1');
    """
    data = firefox(tmp_path / "places.sqlite", script)
    return read(data, "places.sqlite", kind=kind)


def test_the_database_of_firefox(tmp_path):
    parsed = places(tmp_path, "bookmarks")
    assert understood(parsed)["bookmarks"] == 3, "a link that stands for a tag is none"
    named, unnamed = parsed.entries
    assert (named.fragment, named.title) == ("b1", "My name for it")
    assert dict(named.metadata) == {
        "url": "https://example.org/",
        "folder": "menu/学习",
        "tags": "python",
        "origin": "bookmark",
    }
    assert "Described by the page" in named.blocks[0].text
    assert named.updated_at > named.created_at
    assert unnamed.title == "中文页"


def test_the_same_database_has_the_history_and_an_import_takes_both(tmp_path):
    facts = understood(places(tmp_path))
    assert (facts["bookmarks"], facts["visits"]) == (3, 4)
    (tmp_path / "places.sqlite").unlink()
    kinds = [entry.kind for entry in places(tmp_path, "history").entries]
    assert kinds == [EntryKind.VISIT] * 2


def test_hostile_exports_are_quick():
    began = time.process_time()
    for text in (
        "<DT><A HREF=" * 15_000,
        "<A " + 'x="' * 100_000,
        "<DL>" * 30_000 + '<A HREF="https://example.org">x</A>',
        "<H3>" * 30_000,
        "<!--" * 60_000,
        "&amp;" * 60_000,
        '<A HREF="https://example.org">x</A>' * 3_000,
    ):
        read("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n" + text)
    assert time.process_time() - began < 2


def test_only_so_many_are_taken():
    parsed = read(EXPORT, limits={"entries": 2})
    assert len(parsed.entries) == 2
    assert parsed.warnings
