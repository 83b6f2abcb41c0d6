"""Meeting minutes, and notes that open with a date (G1.1, G2.3)."""

from __future__ import annotations

import io
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.labels import BlockKind, EntryKind
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.limits import ParseLimits
from app.sources.parsing.minutes_dates import date_at_start, date_within
from app.sources.parsing.parsed import About

if TYPE_CHECKING:
    from app.sources.parsing.parsed import ParsedEntry

ZONE = ZoneInfo("Asia/Shanghai")


def entry_of(text: str | bytes, name: str) -> ParsedEntry:
    window = (datetime(2020, 1, 1, tzinfo=ZONE), datetime(2029, 1, 1, tzinfo=ZONE))
    data = text.encode() if isinstance(text, str) else text
    entry, *to_dos = parse_content(data, About(name, ZONE, window, ParseLimits())).entries
    assert all(to_do.kind is EntryKind.TASK for to_do in to_dos)
    return entry


def people(entry: ParsedEntry) -> list[tuple[str, str]]:
    return [(person.name, person.role) for person in entry.people]


def stamp(entry: ParsedEntry) -> str:
    return f"{entry.event_time:%Y-%m-%d %H:%M}" if entry.event_time else ""


ENGLISH = """# Boat club meeting minutes

- **Date:** 12 March 2025, 18:30
- **Attendees:** Ann Smith, Ben (remote) and Carla <carla@example.org>
- **Chair:** Ann Smith

## 1. Repairs
Ben orders the paint.

## 2. Summer trip
Carla asks for prices.
"""

CHINESE = """项目周会纪要

日期：2025年3月12日 下午2:30
主持人：王芳
与会人：王芳、李雷（线上）、韩梅梅

一、上线准备
李雷负责测试报告。
报告周五前完成。
二、预算
无变化。
"""


def test_english_minutes_in_markdown() -> None:
    entry = entry_of(ENGLISH, "notes.md")
    assert entry.metadata["kind"] == "minutes"
    assert (entry.title, stamp(entry)) == ("Boat club meeting minutes", "2025-03-12 18:30")
    assert people(entry) == [("Ann Smith", "organizer"), ("Ben", "attendee"), ("Carla", "attendee")]
    assert {person.address for person in entry.people} == {"", "carla@example.org"}
    headings = [block.text for block in entry.blocks if block.kind is BlockKind.HEADING]
    assert headings[1:] == ["1. Repairs", "2. Summer trip"]


def test_chinese_minutes_in_plain_text() -> None:
    entry = entry_of(CHINESE, "a.txt")
    assert entry.metadata["kind"] == "minutes"
    assert (entry.title, stamp(entry)) == ("项目周会纪要", "2025-03-12 14:30")
    assert people(entry) == [("王芳", "organizer"), ("李雷", "attendee"), ("韩梅梅", "attendee")]
    items = [block.text for block in entry.blocks if block.kind is BlockKind.HEADING]
    assert items == ["一、上线准备", "二、预算"]
    below = next(block for block in entry.blocks if block.text.startswith("李雷负责"))
    assert below.place.heading_path == ("一、上线准备",)
    assert (below.place.first_line, below.place.last_line) == (8, 9)


def test_minutes_in_a_word_document() -> None:
    document = docx.Document()
    document.add_heading("Weekly meeting", 1)
    table = document.add_table(rows=2, cols=2)
    for row, cells in enumerate((("Date", "2025-03-12"), ("Participants", "Ann, Ben"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    document.add_heading("Budget", 2)
    document.add_paragraph("Nothing new.")
    file = io.BytesIO()
    document.save(file)
    entry = entry_of(file.getvalue(), "w.docx")
    assert stamp(entry) == "2025-03-12 00:00"
    assert people(entry) == [("Ann", "attendee"), ("Ben", "attendee")]


def test_participants_in_a_list() -> None:
    entry = entry_of("# Sync 2025-03-12\n\n## Attendees\n\n- Ann\n- Ben\n\n## Agenda\n\nPaint\n", "s.md")
    assert people(entry) == [("Ann", "attendee"), ("Ben", "attendee")]
    assert stamp(entry) == "2025-03-12 00:00"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2025-05-10 weekly meeting: the boat sails on Friday; Ann must paint it.\n", "2025-05-10 00:00"),
        ("2025年5月10日 周例会：船周五出发，王芳必须刷漆。\n", "2025-05-10 00:00"),
        ("# 10 May 2025\n\nPainted the boat.\n", "2025-05-10 00:00"),
        ("Saturday, May 10th, 2025 at 9:30 am - painted\n", "2025-05-10 09:30"),
        ("2025/5/10 星期六 下午3点半 刷漆\n", "2025-05-10 15:30"),
        ("The boat was painted on 2025-05-10.\n", ""),
        ("2025-05-10 a\n2025-05-11 b\n2025-05-12 c\n", ""),
        ("10/05/2025 painted\n", ""),
        ("2025-13-40 no date\n", ""),
        ("20250510123 is a number\n", ""),
    ],
)
def test_a_note_that_opens_with_a_date(text: str, expected: str) -> None:
    entry = entry_of(text, "a.md" if text.startswith("#") else "a.txt")
    assert stamp(entry) == expected
    assert "kind" not in entry.metadata


@pytest.mark.parametrize(
    "text",
    [
        "The meeting was long.\n\nWe talked about boats.\n",
        "Date: 2025-05-10\n\nA letter about a boat.\n",
        "# How to write a meeting agenda\n\nBe short.\n",
        "会议很长。\n\n我们谈了船。\n",
        "participants of the study were 20 sailors\n",
    ],
)
def test_what_only_speaks_of_meetings_is_no_minutes(text: str) -> None:
    entry = entry_of(text, "a.md")
    assert "kind" not in entry.metadata
    assert entry.people == ()


def test_dates_behind_labels() -> None:
    found = date_within("Tuesday 4th of the week, 4 Mar 2025, 14:00-15:00", ZONE)
    assert f"{found:%Y-%m-%d %H:%M}" == "2025-03-04 14:00"
    assert date_at_start("12:30 2025-05-10", ZONE) is None


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn")), max_size=300))
def test_any_text_is_read(text: str) -> None:
    entry_of("Meeting minutes\nDate: " + text, "a.txt")
    date_at_start(text, ZONE)
    date_within(text, ZONE)


def test_hostile_labels_cost_no_more_than_their_length() -> None:
    entry = entry_of("Attendees: " + "a and " * 100_000 + "\nDate:" + " " * 100_000 + "\n", "a.txt")
    assert len(entry.people) <= 60


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Minutes of 2025-05-12. The launch is on Friday.", "2025-05-12 00:00"),
        ("Meeting notes, 12 May 2025: all is well.", "2025-05-12 00:00"),
        ("会议纪要 2025年5月12日 上线暂定周五。", "2025-05-12 00:00"),
        ("Minutes may come on 2025-05-12.", ""),
        ("Meeting on 2025-05-12: bring cake.", ""),
    ],
)
def test_a_first_line_that_tells_of_which_day_the_minutes_are(text: str, day: str) -> None:
    assert stamp(entry_of(text, "a.txt")) == day


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("时间：二〇二四年五月十日下午三点", "2024-05-10 15:00"),
        ("日期：二零二四年十二月二十一日", "2024-12-21 00:00"),
        ("日期：二〇二四年五月三十一号 十点", "2024-05-31 10:00"),
        ("Date: originally 8 May 2024, held 10 May 2024", "2024-05-10 00:00"),
        ("日期：原定2024年5月8日，改为2024年5月10日", "2024-05-10 00:00"),
        ("日期：2024年5月10日（原定2024年5月8日）", "2024-05-10 00:00"),
        ("时间：五月十日", None),
        ("时间：二〇二四年五月四十一日", None),
    ],
)
def test_dates_in_words_and_dates_that_were_given_up(label: str, expected: str | None) -> None:
    entry = entry_of(f"会议纪要\n{label}\n出席：张三、李四\n", "m.txt")
    assert (f"{entry.event_time:%Y-%m-%d %H:%M}" if entry.event_time else None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("会议纪要\n参会人：张三 李四　王五\n", ["张三", "李四", "王五"]),
        ("会议纪要\n参会人员：产品部：张三、李四（请假）；研发部：王五\n", ["张三", "王五"]),
        ("Minutes\nPresent: Ann & Ben, Cid (absent)\n", ["Ann", "Ben"]),
        ("# Minutes\n\n## Attendees\n\n- [x] Ann\n- [ ] Ben\n", ["Ann"]),
        ("# Minutes\n\n## Attendees\n\n- [ ] Ann\n- [ ] Ben\n", ["Ann", "Ben"]),
        ("# Minutes\n\nDate: 10 May 2024\n\n| Name | Present |\n|---|---|\n| Ann | yes |\n| Ben | no |\n", ["Ann"]),
        ("# 会议纪要\n\n日期：2024年5月10日\n\n| 姓名 | 签到 |\n|---|---|\n| 张三 | ✓ |\n| 李四 | 请假 |\n", ["张三"]),
        ("# 会议纪要\n\n日期：2024年5月10日\n\n| 姓名 | 任务 |\n|---|---|\n| 张三 | 报告 |\n", []),
    ],
)
def test_who_was_there(text: str, expected: list[str]) -> None:
    entry = entry_of(text, "m.md" if text.startswith("#") else "m.txt")
    assert [person.name for person in entry.people] == expected
