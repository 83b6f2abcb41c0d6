"""To-do lists: todo.txt, Taskwarrior's export, its old files and its database."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.labels import EntryKind, Status
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.facts import understood
from app.sources.parsing.record_formats import record_format
from tests.unit.sources.makers import SHANGHAI, about

LIST = """(A) 2025-05-01 Hand in the report +launch @work due:2025-05-14
x 2025-05-03 2025-05-02 买邮票 +家
call @phone the plumber t:2025-05-09 rec:1w
(b) no priority in lower case

see https://example.org/x:y at 10:30
"""
MARKS = "give a +1 to it @ 5 +! @work\n"


def read(text: str | bytes, name: str = "todo.txt", **changes):
    return parse_content(text.encode() if isinstance(text, str) else text, about(name, **changes))


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=SHANGHAI)


def test_a_todo_txt_line_by_line():
    parsed = read(LIST)
    assert (parsed.format, understood(parsed)["todos"]) == ("todo.txt", 5)
    report, stamps, call, lower, see = parsed.entries
    assert {entry.kind for entry in parsed.entries} == {EntryKind.TASK}
    assert report.title == "Hand in the report"
    assert (report.task.status, report.task.due_at) == (Status.ACTIVE, day("2025-05-14"))
    assert report.created_at == day("2025-05-01")
    assert dict(report.metadata) == {"priority": "A", "tags": "launch work", "project": "launch"}
    assert report.blocks[0].text == "Hand in the report\n2025-05-14\nlaunch work"
    assert (stamps.title, stamps.status, stamps.task.completed_at) == ("买邮票", Status.DONE, day("2025-05-03"))
    assert stamps.created_at == day("2025-05-02")
    assert call.title == "call @phone the plumber"
    assert (call.metadata["start"], call.metadata["recurrence"]) == ("2025-05-09", "1w")
    assert lower.title == "(b) no priority in lower case"
    assert see.title == "see https://example.org/x:y at 10:30"
    assert see.blocks[0].place.first_line == 6


def test_a_sign_before_no_name_is_a_sign():
    (entry,) = read(MARKS).entries
    assert entry.title == "give a +1 to it @ 5 +!"
    assert dict(entry.metadata) == {"tags": "work"}


def test_a_task_is_known_by_its_words():
    before = {entry.title: entry for entry in read(LIST).entries}
    lines = LIST.strip().splitlines()
    lines[0] = "x 2025-05-13 2025-05-01 Hand in the report +launch @work due:2025-05-14 pri:A"
    after = {entry.title: entry for entry in read("\n".join(reversed(lines))).entries}
    assert {title: entry.fragment for title, entry in after.items()} == {
        title: entry.fragment for title, entry in before.items()
    }
    changed = [title for title, entry in after.items() if entry.content_hash != before[title].content_hash]
    assert changed == ["Hand in the report"]
    assert after["Hand in the report"].task.completed_at == day("2025-05-13")


def test_the_same_words_twice_are_two_tasks():
    first, second = read("water the plants due:2025-05-01\nwater the plants due:2025-05-08\n").entries
    assert second.fragment == f"{first.fragment}-2"


@pytest.mark.parametrize(
    ("text", "name", "is_list"),
    [
        ("buy milk\n", "todo.txt", True),
        ("买牛奶\n", "Done.txt", True),
        ("# To do\n\n- buy milk\n", "todo.txt", False),
        ("buy milk\n", "notes.txt", False),
        ("(A) one +p\nx 2025-01-01 two +p\n(B) three due:2025-01-02\n", "list.txt", True),
        ("(A) Paris\n(B) London\n(C) Rome\n(D) Oslo\n", "quiz.txt", False),
        ("Plain words about my to-do list.\n", "todo-ideas.txt", False),
        ("(A) one @home\n", "todo-home.txt", True),
        ("2025-05-14 12:00 server started\n" * 9, "log.txt", False),
        ("", "todo.txt", False),
        ("one +a\n  two +b\n" + "three\n" * 5, "todo.txt", True),
        ("outline\n  below\n  below\n", "todo.txt", False),
    ],
)
def test_what_is_such_a_list(text, name, is_list):
    assert (record_format(text, name) == "todo_txt") is is_list


TASKS = [
    {
        "uuid": "11111111-2222-3333-4444-555555555555",
        "description": "提交测试报告",
        "status": "pending",
        "entry": "20250501T010000Z",
        "due": "20250513T160000Z",
        "project": "launch",
        "priority": "H",
        "tags": ["work", "报告"],
        "annotations": [{"entry": "20250502T010000Z", "description": "ask Li Si"}],
        "depends": ["11111111-2222-3333-4444-666666666666"],
    },
    {
        "uuid": "11111111-2222-3333-4444-666666666666",
        "description": "Book a room",
        "status": "completed",
        "entry": "20250501T010000Z",
        "end": "20250502T010000Z",
    },
    {
        "uuid": "11111111-2222-3333-4444-777777777777",
        "description": "Dropped",
        "status": "deleted",
        "entry": "20250501T010000Z",
    },
    {
        "uuid": "11111111-2222-3333-4444-888888888888",
        "description": "A template",
        "status": "recurring",
        "recur": "weekly",
        "entry": "20250501T010000Z",
    },
]


def old_file() -> str:
    rows = []
    for task in TASKS:
        fields = {key: value for key, value in task.items() if isinstance(value, str)}
        for name in ("entry", "due", "end"):
            if name in fields:
                instant = datetime.strptime(fields[name], "%Y%m%dT%H%M%S%z")
                fields[name] = str(int(instant.timestamp()))
        fields["tags"] = ",".join(task.get("tags", []))
        if "annotations" in task:
            fields["annotation_1746147600"] = task["annotations"][0]["description"]
        rows.append("[" + " ".join(f'{key}:"{value}"' for key, value in fields.items()) + "]")
    return "\n".join(rows) + "\n"


def database(path) -> bytes:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE tasks (uuid STRING PRIMARY KEY, data STRING)")
        for task in TASKS:
            fields = {key: value for key, value in task.items() if isinstance(value, str) and key != "uuid"}
            for name in ("entry", "due", "end"):
                if name in fields:
                    fields[name] = str(int(datetime.strptime(fields[name], "%Y%m%dT%H%M%S%z").timestamp()))
            fields |= {f"tag_{tag}": "" for tag in task.get("tags", [])}
            fields |= {
                f"annotation_{number}": one["description"] for number, one in enumerate(task.get("annotations", []))
            }
            connection.execute("INSERT INTO tasks VALUES (?, ?)", (task["uuid"], json.dumps(fields)))
        connection.execute("INSERT INTO tasks VALUES ('x', '{broken')")
        connection.commit()
    return path.read_bytes()


def test_taskwarrior_in_all_its_files(tmp_path):
    files = {
        "export.json": json.dumps(TASKS).encode(),
        "lines.json": b"[\n" + b",\n".join(json.dumps(task).encode() for task in TASKS) + b"\n]\n",
        "bare.json": b"\n".join(json.dumps(task).encode() for task in TASKS),
        "pending.data": old_file().encode(),
        "taskchampion.sqlite3": database(tmp_path / "t"),
    }
    for name, data in files.items():
        parsed = read(data, name)
        assert (parsed.format, understood(parsed)["todos"]) == ("taskwarrior", 3), name
        report, room, dropped = parsed.entries
        assert report.fragment == TASKS[0]["uuid"]
        assert (report.title, report.task.due_at) == ("提交测试报告", day("2025-05-14"))
        assert report.metadata["tags"] == "work 报告"
        assert report.metadata["project"] == "launch"
        assert "ask Li Si" in report.blocks[0].text
        assert (room.status, room.task.completed_at) == (Status.DONE, day("2025-05-02T09:00"))
        assert dropped.status is Status.CANCELED


def test_odd_rows_are_passed_over():
    rows = [
        *TASKS[:1],
        3,
        {"uuid": "x" * 50, "description": "y", "status": "pending"},
        {"status": "pending", "entry": ""},
    ]
    assert len(read(json.dumps(rows), "e.json").entries) == 1
    for text in (
        '[{"uuid":"1","status":"2","description":"3","entry":"4"',
        '{"uuid": {"status": ["description", "entry"]}}',
    ):
        parsed = read(text, "e.json")
        assert (parsed.format, parsed.entries[0].blocks[0].text) == ("text", text), "it is no such list, and not lost"
    escaped = '[description:"a &open;b&close; &dquot;c&dquot;" status:"pending" uuid:"aaaaaaaa-bbbb"]\n'
    assert read(escaped, "pending.data").entries[0].title == 'a [b] "c"'


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=60)


@given(st.lists(WORDS, max_size=8))
def test_any_lines_under_the_name_of_a_list(lines):
    parsed = read("\n".join(lines), "todo.txt")
    fragments = [entry.fragment for entry in parsed.entries]
    assert len(fragments) == len(set(fragments))


def test_hostile_lists_are_quick():
    began = time.process_time()
    for text in ("+a " * 300_000, "due:" * 300_000, "x " * 300_000, "(A) " * 300_000, "@" * 900_000, "a:b " * 200_000):
        read("first line\n" + text, "todo.txt")
    read('[description:"' * 50_000 + ' status:"x" uuid:"y" description:"', "pending.data")
    read('{"uuid": "status" "description" "entry"' + "[" * 200_000, "e.json")
    assert time.process_time() - began < 5
