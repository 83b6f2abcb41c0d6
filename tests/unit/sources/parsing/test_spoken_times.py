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
    ("line", "expected"),
    [
        ("[{}] Ann Smith: yes", "Ann Smith: yes"),
        ("{} 李雷：好", "李雷：好"),
        ("[{}.250 --> 00:59:00.000] yes", "yes"),
        ("{} - 00:59:00 yes", "yes"),
        ("- [{}] yes", "- yes"),
        ("**[{}]** yes", "yes"),
        ("**{} Ann:** yes", "**Ann:** yes"),
        ("【{}】好", "好"),
        ("{}\nyes", "yes"),
        ("Ann Smith  {}\nyes", "Ann Smith:\nyes"),
        ("张三({}): 好", "张三: 好"),
        ("说话人 1 {}\n好", "说话人 1:\n好"),
        ("[Ann Smith] {}\nyes", "Ann Smith:\nyes"),
    ],
)
def test_a_time_in_front_or_behind_a_name(line: str, expected: str) -> None:
    times = ("00:00:05", "00:00:20", "00:12:34", "01:02:03")
    found = told("\n\n".join(line.format(time) for time in times))
    assert found == [(5, expected), (20, expected), (754, expected), (3723, expected)]


def test_short_times_of_a_talk_that_begins_with_them() -> None:
    assert told("Ann 0:03\nhi\n\nBo 0:41\nyes\n\nAnn 72:10\nbye") == [
        (3, "Ann:\nhi"),
        (41, "Bo:\nyes"),
        (4330, "Ann:\nbye"),
    ]


def test_a_time_alone_is_that_of_what_follows() -> None:
    found = blocks("00:00:05\n\nfirst\n\n00:01:00\nsecond\n00:01:10\nthird\n")
    assert [(block.place.second, block.place.first_line, block.text) for block in found] == [
        (5, 3, "first"),
        (60, 6, "second\n\nthird"),
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
    assert told(file.getvalue(), "t.docx") == [
        *((3, "Ann Smith:"), (3, "Hello"), (754, "李雷:"), (754, "油漆到了")),
        *((3600, "Ann Smith:"), (3600, "Bye")),
    ]


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
    assert told(text) == [(None, text)]


def test_programs_and_tables_are_left_alone() -> None:
    found = blocks("```\n00:00:01 a\n00:01:00 b\n```\n\n| t | x |\n|---|---|\n| 00:00:01 | y |\n", "a.md")
    assert all(block.place.second is None for block in found)


@pytest.mark.parametrize(
    "part", ["00:00:01 x\n", "a:b ", "A" * 60 + " : \n", "[[[", "[00:00:0", "Ann (00:00:01): \n", "1:"]
)
def test_a_huge_file_takes_its_time_once(part: str) -> None:
    began = process_time()
    blocks("[00:00:00] a\n" + part * (500_000 // len(part)) + "\n[00:01:00] b")
    assert process_time() - began < 3
