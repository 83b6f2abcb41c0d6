"""The history of browsers: pages with their visits, and addresses without what would let somebody in."""

from __future__ import annotations

import sqlite3
import string
from contextlib import closing, suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Unreadable
from app.domain.instants import to_ixdtf
from app.domain.labels import EntryKind
from app.sources.parsing.browser_urls import is_excluded, without_secrets
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.facts import understood
from tests.unit.sources.makers import about
from tests.unit.sources.parsing.browser_files import chromium, firefox

MAY = datetime(2025, 5, 14, 8, 0, tzinfo=UTC).timestamp()
DAY = 86_400


def read(data: bytes, **changes):
    return parse_content(data, about("History", **changes))


def test_a_page_is_one_entry_with_its_visits(tmp_path):
    data = chromium(
        tmp_path / "h",
        [("https://example.org/a", "A page", 3, MAY), ("https://example.cn/文", "中文页面", 1, MAY - DAY)],
    )
    parsed = read(data)
    assert understood(parsed)["visits"] == 4
    first, second = parsed.entries
    assert (first.kind, first.title) == (EntryKind.VISIT, "A page")
    assert dict(first.metadata) == {
        "url": "https://example.org/a",
        "host": "example.org",
        "visits": "3",
        "origin": "web",
    }
    assert first.event_time.timestamp() == MAY
    assert first.blocks[0].text == "A page\nhttps://example.org/a"
    assert second.title == "中文页面"


def test_options_keep_the_rest_in_the_parse_process(tmp_path):
    pages = [
        ("https://example.org/new", "new", 1, MAY),
        ("https://example.org/old", "old", 1, MAY - 100 * DAY),
        ("https://www.bank.example/x", "bank", 1, MAY),
        ("https://sub.bank.example/x", "bank", 1, MAY),
        ("https://notbank.example/x", "other", 1, MAY),
    ]
    since = to_ixdtf(datetime.fromtimestamp(MAY - 90 * DAY, UTC))
    parsed = read(chromium(tmp_path / "h", pages), options={"since": since, "exclude": "bank.example, other.example"})
    assert [entry.title for entry in parsed.entries] == ["new", "other"]


def test_addresses_that_differ_by_a_token_are_one_page(tmp_path):
    pages = [
        ("https://example.org/p?id=7&utm_source=mail", "", 2, MAY - DAY),
        ("https://example.org/p?id=7&session_id=abc", "The page", 1, MAY),
    ]
    (entry,) = read(chromium(tmp_path / "h", pages)).entries
    assert (entry.metadata["url"], entry.metadata["visits"]) == ("https://example.org/p?id=7", "3")
    assert entry.title == "The page"


def test_a_page_changes_with_the_day_and_not_with_each_visit(tmp_path):
    def hash_of(name: str, *page) -> str:
        return read(chromium(tmp_path / name, [page])).entries[0].content_hash

    same = hash_of("1", "https://example.org/", "T", 1, MAY)
    assert hash_of("2", "https://example.org/", "T", 9, MAY + 3600) == same
    assert hash_of("3", "https://example.org/", "T", 9, MAY + DAY) != same
    assert hash_of("4", "https://example.org/", "Another title", 1, MAY) != same


def test_firefox_leaves_out_what_was_not_visited_or_is_hidden(tmp_path):
    script = """
    INSERT INTO moz_places VALUES
      (1, 'https://example.org/', 'Seen', 2, 0, 1700000000000000, 'a', NULL),
      (2, 'https://example.org/bookmark', 'Never visited', 0, 0, NULL, 'b', NULL),
      (3, 'https://example.org/frame', 'A frame', 1, 1, 1700000000000000, 'c', NULL);
    """
    parsed = read(firefox(tmp_path / "p", script), kind="history")
    assert [entry.title for entry in parsed.entries] == ["Seen"]


def test_old_and_odd_columns(tmp_path):
    path = tmp_path / "h"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE urls (id INTEGER, url TEXT, title TEXT);"
            "CREATE TABLE visits (visit_time TEXT, url TEXT);"
            "INSERT INTO urls VALUES (42, 'www.example.org', 'No scheme');"
            "INSERT INTO visits VALUES ('13247242470444700', '42'), (x'00', NULL), ('x', 3);"
        )
    parsed = read(path.read_bytes())
    assert understood(parsed)["visits"] == 3
    (entry,) = parsed.entries
    assert (entry.metadata["url"], entry.event_time.year) == ("www.example.org", 2020)


ENDLESS = """
CREATE VIEW urls AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
SELECT n AS id, 'https://x.example/' || n AS url, 'x' AS title FROM r;
CREATE TABLE visits (url, visit_time);
"""
COMPUTED = """
CREATE TABLE urls (id INTEGER, url TEXT, title TEXT GENERATED ALWAYS AS (hex(zeroblob(1000))), last_visit_time INTEGER);
CREATE TABLE visits (url, visit_time);
INSERT INTO urls (id, url, last_visit_time) VALUES (1, 'https://x.example', 13247242470444700);
"""
HOSTILE = (
    ENDLESS,
    COMPUTED,
    "CREATE VIRTUAL TABLE urls USING fts5(url, title); CREATE TABLE visits (url, visit_time);",
)


@pytest.mark.parametrize("script", HOSTILE)
def test_a_database_cannot_make_sqlite_work_for_it(tmp_path, script):
    path = tmp_path / "h"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    with suppress(Unreadable):
        assert len(read(path.read_bytes()).entries) == 0


def test_a_damaged_database_is_refused(tmp_path):
    data = chromium(tmp_path / "h", [(f"https://example.org/{n}", "t" * 200, 1, MAY) for n in range(200)])
    with pytest.raises(Unreadable):
        read(data[:8192] + b"\xff" * (len(data) - 8192))
    with pytest.raises(Unreadable):
        read(data[:5000])


@pytest.mark.parametrize(
    ("address", "stored"),
    [
        ("https://example.org/a?q=hello+world#part", "https://example.org/a?q=hello%20world#part"),
        ("https://user:hunter2@example.org/", "https://example.org/"),
        ("https://example.org/cb?code=abc&state=xyz&page=2", "https://example.org/cb?page=2"),
        ("https://example.org/?access_token=1&Api-Key=2&X-Amz-Signature=3", "https://example.org/"),
        ("https://example.org/#access_token=abcdef", "https://example.org/"),
        ("https://example.org/?data=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x", "https://example.org/"),
        ("https://example.org/?id=9f86d081884c7d659a2feaa0c55ad015", "https://example.org/"),
        ("https://example.org/x;jsessionid=ABC123?a=1", "https://example.org/x?a=1"),
        ("https://example.org/?to=a@example.org&next=https://evil.example/", "https://example.org/"),
        ("https://搜索.example/?wd=天气", "https://搜索.example/?wd=%E5%A4%A9%E6%B0%94"),
        (
            "https://example.org:8443/blog/my-long-title-of-2024-01-02",
            "https://example.org:8443/blog/my-long-title-of-2024-01-02",
        ),
        (
            "https://code.example/r/commit/9f86d081884c7d659a2feaa0c55ad0159f86d081",
            "https://code.example/r/commit/9f86d081884c7d659a2feaa0c55ad0159f86d081",
        ),
        ("https://example.org/password-reset/9f86d081884c7d659a2feaa0", None),
        ("https://example.org/invite/Zk3x9QwErTy12345LmNo7", None),
        ("chrome://settings", None),
        ("file:///home/me/x.html", None),
        ("javascript:alert(1)", None),
        ("https://[bad", None),
        ("https://example.org/\n", "https://example.org/"),
        ("https://exa\nmple.org/", None),
        ("", None),
    ],
)
def test_addresses_without_secrets(address, stored):
    found = without_secrets(address)
    assert (found.url if found is not None else None) == stored


@given(
    st.sampled_from(
        ["token", "accessToken", "id_token", "password", "SIG", "x-goog-signature", "session-id", "my_token"]
    ),
    st.text(string.ascii_letters + string.digits, min_size=1, max_size=40),
)
def test_the_value_of_a_secret_is_never_stored(name, value):
    cleaned = without_secrets(f"https://example.org/page?{name}=secret{value}&a=b")
    assert cleaned.url == "https://example.org/page?a=b"


@given(st.text(max_size=200))
def test_any_text_as_an_address(text):
    for address in (text, f"https://example.org/{text}", f"https://{text}/?{text}#{text}"):
        cleaned = without_secrets(address)
        assert cleaned is None or cleaned.host


def test_hosts():
    assert without_secrets("https://www.Example.org/x").host == "example.org"
    assert is_excluded("mail.example.org", ("example.org",))
    assert not is_excluded("badexample.org", ("example.org",))


def test_the_newest_pages_are_taken_where_there_are_too_many(tmp_path):
    pages = [(f"https://example.org/{number}", "t", 1, MAY + number) for number in range(30)]
    parsed = read(chromium(tmp_path / "h", pages), limits={"entries": 10})
    assert [entry.metadata["url"] for entry in parsed.entries] == [
        f"https://example.org/{n}" for n in range(29, 19, -1)
    ]
    assert parsed.warnings


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    script = (
        "INSERT INTO moz_places (url, title, last_visit_date) VALUES ('https://example.org/', 't', 1700000000000000);"
    )
    return firefox(tmp_path_factory.mktemp("whole") / "p", script * 40)


@given(st.lists(st.tuples(st.integers(16, 24_000), st.integers(0, 255)), min_size=1, max_size=12))
def test_any_damage_is_refused_or_read(whole, changes):
    data = bytearray(whole)
    for place, value in changes:
        data[place % len(data)] = value
    with suppress(Unreadable):
        for kind in ("bookmarks", "history"):
            read(bytes(b"SQLite format 3\0" + data[16:]), kind=kind)


@pytest.mark.parametrize("name", [b"last_visit_date", b"CREATE TABLE moz_places"])
def test_names_in_it_may_be_no_utf_8(whole, name):
    """SQLite quotes them in what it says."""
    with pytest.raises(Unreadable):
        read(whole.replace(name, b"\xff" + name[1:]))
