"""Transcripts as meeting tools write them: lines with the time of the recording (G2.3)."""

from __future__ import annotations

import io
from time import process_time
from typing import TYPE_CHECKING

import docx
import pytest

from app.domain.labels import BlockKind
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.limits import ParseLimits
from app.sources.parsing.parsed import About
from tests.unit.sources.parsing.test_subtitles import WINDOW, ZONE

if TYPE_CHECKING:
    from app.domain.entries import Block


def blocks(text: str | bytes, name: str = "talk.txt") -> list[Block]:
    data = text.encode() if isinstance(text, str) else text
    return list(parse_content(data, About(name, ZONE, WINDOW, ParseLimits())).entries[0].blocks)


def told(text: str | bytes, name: str = "talk.txt") -> list[tuple[int | None, str]]:
    return [(block.place.second, block.text) for block in blocks(text, name)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[{}] Ann Smith: ", ""),
        ("{} 李雷：", ""),
        ("[{}.250 --> 00:59:00.000] ", ""),
        ("- [{}] ", ""),
        ("**[{}]** ", ""),
        ("【{}】", ""),
        ("{}\n", ""),
        ("Ann Smith  {}\n", ""),
        ("张三({}): ", ""),
        ("说话人 1 {}\n", ""),
        ("[Ann Smith] {}\n", ""),
    ],
)
def test_a_time_in_front_or_behind_a_name(before: str, after: str) -> None:
    times = ("00:00:05", "00:00:20", "00:12:34", "01:02:03")
    text = "\n\n".join(before.format(time) + f"words {time[-1]}{after}" for time in times)
    found = blocks(text)
    assert [block.place.second for block in found] == [5, 20, 754, 3723]
    assert "\n\n".join(block.text for block in found) == text


def test_short_times_of_a_talk_that_begins_with_them() -> None:
    assert told("Ann 0:03\nhi\n\nBo 0:41\nyes\n\nAnn 72:10\nbye") == [
        (3, "Ann 0:03\nhi"),
        (41, "Bo 0:41\nyes"),
        (4330, "Ann 72:10\nbye"),
    ]


def test_lines_of_half_a_minute_stay_together_with_their_lines() -> None:
    lines = [f"[00:{n // 60:02}:{n % 60:02}] 第{n}句" for n in range(0, 120, 10)]
    found = blocks("周会\n" + "\n".join(lines))
    assert [block.place.second for block in found] == [None, 0, 30, 60, 90]
    assert [(block.place.first_line, block.place.last_line) for block in found][:3] == [(1, 1), (2, 4), (5, 7)]


def test_what_follows_goes_on_up_to_a_heading() -> None:
    text = "# Talk\n\n[00:00:01] Ann:\n\nfirst\n\n[00:02:00] Bo: second\n\n## Action items\n\n- paint"
    found = blocks(text, "talk.md")
    assert [block.place.second for block in found if block.kind is not BlockKind.HEADING] == [1, 1, 120, None]


def test_headings_with_times_and_documents() -> None:
    assert [second for second, _ in told("## 00:01:00 Start\n\na\n\n## 00:05:00 End\n\nb", "t.md")] == [
        60,
        60,
        300,
        300,
    ]
    document = docx.Document()
    for text in ("Ann Smith   0:03", "Hello", "李雷   12:34", "油漆到了", "Ann Smith   1:00:00", "Bye"):
        document.add_paragraph(text)
    file = io.BytesIO()
    document.save(file)
    assert [second for second, _ in told(file.getvalue(), "t.docx")] == [3, 3, 754, 754, 3600, 3600]


@pytest.mark.parametrize(
    "text",
    [
        "09:00 standup\n10:30 review\n12:00 lunch\n13:00 end",
        "1:00 pm start\n2:30 pm review\n3:15 pm end",
        "09:00:12 connected\n09:00:14 sent\n09:01:00 closed",
        "[00:12:34] alone",
        "00:50:00 c\n00:40:00 b\n00:30:00 a\n00:20:00 z",
        "23:10:00 night\n00:10:00 morning",
        "0:30 a\n0:30 b\n0:30 c",
        "ratio 3:04\nscore 2:01",
    ],
)
def test_times_of_a_day_are_none_of_a_recording(text: str) -> None:
    assert all(second is None for second, _ in told(text))


def test_programs_and_tables_are_left_alone() -> None:
    found = blocks("```\n00:00:01 a\n00:01:00 b\n```\n\n| t | x |\n|---|---|\n| 00:00:01 | y |\n", "a.md")
    assert all(block.place.second is None for block in found)


@pytest.mark.parametrize(
    "part", ["00:00:01 x\n", "a:b ", "A" * 60 + " : \n", "[[[", "[00:00:0", "Ann (00:00:01): \n", "1:"]
)
def test_a_huge_file_takes_its_time_once(part: str) -> None:
    began = process_time()
    blocks("[00:00:00] a\n" + part * (2_000_000 // len(part)) + "\n[00:01:00] b")
    assert process_time() - began < 10
