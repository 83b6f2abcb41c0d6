"""A vault: tags, fields, links to notes, daily notes, templates."""

from __future__ import annotations

import json
import time
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.labels import BlockKind, EntryKind
from app.sources.contract import Added, CursorRows
from app.sources.notes.links import NoteNames
from app.sources.notes.source import NotesSource
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.vault import day_of, marks_of
from tests.unit.sources.makers import SHANGHAI, about, context, drain, write

PLAN = """---
aliases: [计划, the plan]
tags: [work/launch, "two words", '#发布']
---
# 发布计划

status:: on track
负责人:: [[张三]]

Text with #会议 and (mood:: good), see [[日记/2025-05-12|that day]], ![[picture.png]],
[the budget](../money/budget%202025.md#q2) and [[Nothing]]. ^block-1

> [!warning]- Mind this
> the text

`#no [[code]]` and #123 and a#b

```dataview
key:: value
[[in code]] #in-code
```
"""


def read(text: str, name: str = "note.md"):
    return parse_content(text.encode(), about(name)).entries[0]


def test_what_a_note_says_beside_its_text():
    entry = read(PLAN)
    assert entry.metadata["tags"] == "work/launch two-words 发布 会议"
    assert entry.metadata["aliases"] == "计划, the plan"
    assert (entry.metadata["status"], entry.metadata["负责人"], entry.metadata["mood"]) == ("on track", "张三", "good")
    assert entry.metadata["links"].split("\n") == [
        "张三",
        "日记/2025-05-12",
        "picture.png",
        "Nothing",
        "../money/budget 2025.md",
    ]
    text = "\n".join(block.text for block in entry.blocks)
    assert "^block-1" not in text
    assert "that day" in text
    (quote,) = [block for block in entry.blocks if block.kind is BlockKind.QUOTE]
    assert quote.text.startswith("Mind this")


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("tags: a, b", "a b"),
        ("tags: a b", "a b"),
        ("tag: '#x'", "x"),
        ("标签: [家, 工作]", "家 工作"),
        ("tags:", None),
        ("tags: 3", "3"),
    ],
)
def test_tags_in_the_front_matter(written, tags):
    assert read(f"---\n{written}\n---\ntext\n").metadata.get("tags") == tags


def test_a_field_cannot_stand_for_what_is_ours():
    found = marks_of("origin:: own\nsensitivity:: public\nurl:: x\ntags:: y\nLinks:: z\nfine:: yes\n", {})
    assert found == {"fine": "yes"}


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2025-05-14.md", "2025-05-14"),
        ("20250514.md", "2025-05-14"),
        ("2025年5月14日.md", "2025-05-14"),
        ("2025-05-14 周三.md", "2025-05-14"),
        ("2025-05-14 (Wed).md", "2025-05-14"),
        ("2025-05-14 report.md", None),
        ("2025-13-14.md", None),
        ("v20250514x.md", None),
        ("202505141.md", None),
    ],
)
def test_daily_notes_happen_on_their_day(name, day):
    entry = read("text", name)
    expected = datetime.fromisoformat(day).replace(tzinfo=SHANGHAI) if day else None
    assert entry.event_time == entry.created_at == expected


def test_the_front_matter_goes_before_the_name():
    entry = read("---\ndate: 2025-01-02\n---\n", "2025-05-14.md")
    assert entry.event_time == datetime(2025, 1, 2, tzinfo=SHANGHAI)


def sync(vault) -> dict:
    changes = drain(NotesSource(context(vault, "notes")), CursorRows())
    return {change.entry.native_id: change.entry for change in changes if isinstance(change, Added)}


def test_links_lead_to_notes(tmp_path):
    write(tmp_path / "项目" / "发布计划.md", PLAN)
    write(tmp_path / "日记" / "2025-05-12.md", "see [[发布计划#Goals]] and [[2025-05-12]]")
    write(tmp_path / "money" / "budget 2025.md", "x")
    write(tmp_path / "People" / "张三.md", "[[THE PLAN]] [[budget 2025.md]]")
    entries = sync(tmp_path)
    plan = entries["项目/发布计划.md"]
    assert plan.metadata["links"].split("\n") == ["People/张三.md", "日记/2025-05-12.md", "money/budget 2025.md"]
    assert plan.metadata["unresolved_links"].split("\n") == ["picture.png", "Nothing"]
    assert entries["日记/2025-05-12.md"].metadata["links"] == "项目/发布计划.md"
    assert entries["People/张三.md"].metadata["links"] == "money/budget 2025.md"
    assert entries["People/张三.md"].metadata["unresolved_links"] == "THE PLAN"


def test_of_several_notes_with_a_name_the_nearest_to_the_top_is_meant():
    names = NoteNames(["a/b/Note.md", "c/Note.md", "c/d/x#1.md".replace("#", "%23")])
    assert names.find("note", "z.md") == "c/Note.md"
    assert names.find("b/note", "z.md") == "a/b/Note.md"
    assert names.find("Note", "a/b/other.md") == "a/b/Note.md", "beside it goes first"
    assert names.find("/c/Note.md", "z.md") == "c/Note.md"
    assert names.find("d/x#1", "z.md") == "c/d/x%231.md"
    assert names.find("https://example.org/note", "z.md") is None
    assert names.find("../../../etc/passwd", "a/z.md") is None


def test_templates_and_what_the_program_keeps_are_left_out(tmp_path):
    write(tmp_path / ".obsidian" / "templates.json", json.dumps({"folder": "Meta/Forms"}))
    for name in (
        "note.md",
        "Templates/a.md",
        "模板/b.md",
        "Meta/Forms/c.md",
        "Meta/d.md",
        ".trash/e.md",
        "picture.txt",
    ):
        write(tmp_path / name, "text")
    assert sorted(sync(tmp_path)) == ["Meta/d.md", "note.md"]


def test_broken_settings_of_the_program_are_as_none(tmp_path):
    write(tmp_path / ".obsidian" / "templates.json", "[" * 100_000)
    write(tmp_path / "note.md", "text")
    assert list(sync(tmp_path)) == ["note.md"]


def test_tasks_come_with_their_note_and_go_with_it(tmp_path):
    write(tmp_path / "note.md", "- [ ] call Ann 📅 2025-05-14\n")
    note, task = sync(tmp_path).values()
    assert (note.kind, task.kind) == (EntryKind.NOTE, EntryKind.TASK)
    assert task.native_id.startswith("note.md#task-")


@given(st.text(max_size=300))
def test_any_text_is_a_note(text):
    marks_of(text, {})
    day_of(text, SHANGHAI)
    NoteNames([text or "x"]).find(text, text)


def test_hostile_notes_are_quick():
    began = time.process_time()
    for piece in ("[[", "[[a|", "#", "#a", "](a.md", "a::", "a:: b [", "```\n", "`", "[a:: ", "(a "):
        marks_of(piece * 30_000, {})
        marks_of((piece + "\n") * 15_000, {})
    assert time.process_time() - began < 2
