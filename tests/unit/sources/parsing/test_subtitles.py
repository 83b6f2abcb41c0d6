"""Subtitles as text that knows its seconds (G1.1, G2.3)."""

from __future__ import annotations

from datetime import datetime
from time import process_time
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.labels import EntryKind
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.limits import ParseLimits
from app.sources.parsing.parsed import About
from app.sources.parsing.wire import parsed_from_dict, parsed_to_dict

if TYPE_CHECKING:
    from app.sources.parsing.parsed import Parsed

ZONE = ZoneInfo("Asia/Shanghai")
WINDOW = (datetime(2020, 1, 1, tzinfo=ZONE), datetime(2029, 1, 1, tzinfo=ZONE))

SRT = """1
00:00:01,000 --> 00:00:04,200
<i>The ferry leaves</i>
on Friday.

2
00:00:04,300 --> 00:00:08,000
Ann orders the paint.

3
00:12:34,500 --> 00:12:39,000
{\\an8}油漆周五到。

4
01:02:03,000 --> 01:02:09,000
Bye &amp; thanks.
"""
VTT = """WEBVTT - of a meeting
Kind: captions

STYLE
::cue { color: red }

NOTE nobody says this
nor this

intro
00:01.000 --> 00:04.000 align:start
<v Ann Smith>Shall we <b>begin</b>?</v>

00:05.000 --> 00:07.000
<v 李雷>好的。

00:08.000 --> 00:09.000
<v 李雷>油漆到了。
<v Ann Smith>Good.

72:03.000 --> 72:05.000
<v Ann Smith>Bye.
"""


def parsed(text: str | bytes, name: str = "talk.srt", limits: ParseLimits | None = None) -> Parsed:
    data = text.encode() if isinstance(text, str) else text
    return parse_content(data, About(name, ZONE, WINDOW, limits or ParseLimits()))


def said(text: str | bytes, name: str = "talk.srt") -> list[tuple[int | None, str]]:
    return [(block.place.second, block.text) for entry in parsed(text, name).entries for block in entry.blocks]


@pytest.mark.parametrize("name", ["talk.srt", "talk.txt", "talk"])
def test_cues_without_a_pause_are_one_paragraph(name: str) -> None:
    assert said(SRT, name) == [
        (1, "The ferry leaves on Friday. Ann orders the paint."),
        (754, "油漆周五到。"),
        (3723, "Bye & thanks."),
    ]


def test_its_lines_and_its_name_are_kept() -> None:
    (entry,) = parsed(SRT, "周会 2025-03-12 14.30.00.srt").entries
    assert (entry.kind, entry.title) == (EntryKind.NOTE, "周会 2025-03-12 14.30.00")
    assert entry.event_time == datetime(2025, 3, 12, 14, 30, tzinfo=ZONE)
    assert [(block.place.first_line, block.place.last_line) for block in entry.blocks] == [(2, 8), (11, 12), (15, 16)]


def test_who_speaks_stands_in_front_and_what_is_no_cue_is_left_out() -> None:
    assert said(VTT, "talk.vtt") == [
        (1, "Ann Smith: Shall we begin?"),
        (5, "李雷: 好的。 油漆到了。 Ann Smith: Good."),
        (4323, "Ann Smith: Bye."),
    ]


def test_a_line_that_rolls_on_stands_once() -> None:
    text = "WEBVTT\n\n0:01.0 --> 0:02.0\nab\n\n0:02.0 --> 0:03.0\nab\ncd\n\n0:03.0 --> 0:04.0\ncd\n"
    assert said(text.replace(".0", ".000"), "a.vtt") == [(1, "ab cd")]


def test_a_long_speech_is_cut_every_half_minute() -> None:
    cues = "".join(f"{n}\n00:{n // 60:02}:{n % 60:02},000 --> 00:59:00,000\nword{n}\n\n" for n in range(0, 600, 5))
    seconds = [second for second, _ in said(cues)]
    assert seconds == list(range(0, 600, 30))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1\n99:99:99,999 --> oops\nlost\n2\n00:00:09,000 --> 00:00:10,000\nfound", [(None, "lost"), (9, "found")]),
        ("1\n00:00:01,000 --> 00:00:02,000\none\n2\n12345:00:00,000 --> 0\ntwo", [(1, "one"), (None, "two")]),
        ("1\n00:00:01,000 --> 00:00:02,000\na --> b\n", [(1, "a --> b")]),
        ("1\r\n00:00:01,000 --> 00:00:02,000\r\none\r\n\r\n\r\n", [(1, "one")]),
        ("1\n00:00:07,000 --> 00:00:02,000\none\n\n2\n00:00:01,000 --> 00:00:02,000\ntwo", [(7, "one"), (1, "two")]),
        ("1\n00:00:01,000 --> 00:00:02,000\n\n\n", []),
        ("\ufeff1\n00:00:01,000 --> 00:00:02,000\n3\n\n", [(1, "3")]),
    ],
)
def test_broken_cues_lose_no_words(text: str, expected: list[tuple[int | None, str]]) -> None:
    assert said(text) == expected


def test_a_note_with_that_name_is_a_note() -> None:
    assert parsed("just words --> and more").entries[0].blocks[0].text == "just words --> and more"
    assert parsed("just words").format == "text"


@given(st.text(st.sampled_from("0123456789:,.-> \n<v>{\\}A中&;\ufeff\0"), max_size=300))
def test_any_text_is_read(text: str) -> None:
    found = parsed("1\n00:00:01,000 --> 00:00:02,000\n" + text)
    assert parsed_from_dict(parsed_to_dict(found)) == found


@pytest.mark.parametrize(
    "part",
    [
        "<v ",
        "{\\",
        "</a",
        "00:00:01,000 --> ",
        "1\n00:00:01,000 --> 00:00:02,000\nx\n\n",
        "&#",
        "-->\n",
        "<1",
        "9" * 50,
    ],
)
def test_a_huge_file_takes_its_time_once(part: str) -> None:
    text = "WEBVTT\n\n" + part * (2_000_000 // len(part))
    began = process_time()
    found = parsed(text, "a.vtt", ParseLimits(text_chars=100_000))
    assert sum(len(block.text) for block in found.entries[0].blocks) <= 100_000
    assert process_time() - began < 10
