from datetime import timedelta

from app.domain.context_item import AgendaItem, Answer
from app.domain.entries import Place
from app.domain.labels import EntryKind, Status
from app.domain.text import Text, msg
from tests.unit.cli.conftest import MOMENT, item, warn


def _event(**changes):
    values = {
        "item_id": "1",
        "kind": EntryKind.EVENT,
        "title": "Dentist",
        "start": MOMENT,
        "end": MOMENT + timedelta(hours=1),
        "is_all_day": False,
        "location": "Main Street",
        "status": None,
        "source_uri": "",
        "scope": "personal",
    }
    return AgendaItem(**(values | changes))


def test_ask(shell, api):
    api.answers["ask"] = Answer(
        Text("It is due. [1]"), (item(place=Place(page=3)),), (_event(),), "extract", warnings=(warn("x"),)
    )
    shell("ask", "when", "is", "it", "due?")
    assert api.asked("ask") == [(("when is it due?",), {})]
    # the text says what is planned; it is not said again
    assert shell.out.startswith("It is due. [1]\n\n[1] Launch")
    assert "[1] Launch  (note · work · 2025-05-12 · page 3 · 0.75)\n    file:///notes/launch.md" in shell.out
    assert shell.err == "Careful: x\n"


def test_ask_in_json(shell):
    answer = shell.json("ask", "x")
    assert set(answer) == {"answer", "items", "agenda", "route", "left_device", "warnings"}
    assert answer["left_device"] is False
    assert answer["items"][0]["ingested_at"] == "2025-05-12T01:30:00+00:00"
    assert answer["items"][0]["sensitivity"] == "internal"


def test_search(shell, api):
    api.answers["search"] = [
        item(title="evil\x1b[2J", stale_reason=msg("newer: {x}", x=2), event_time=None, content="a\nb")
    ]
    shell("search", "-k", "3", "--scope", "work", "--include-stale", "--mode", "words", "a", "b")
    ((request,), _) = api.asked("search")[0]
    assert (request.text, request.limit, request.scope, request.include_stale, request.mode) == (
        "a b",
        3,
        "work",
        True,
        "words",
    )
    assert "\x1b" not in shell.out
    assert "No longer valid: newer: 2" in shell.out
    assert "    a b\n" in shell.out


def test_search_explains_when_asked(shell):
    assert "semantic 0.440" in shell("search", "x", "--explain")
    assert shell.json("search", "x", "--explain")[0]["explanation"] == {"semantic": 0.44}
    assert "explanation" not in shell.json("search", "x")[0]


def test_search_that_finds_nothing(shell, api):
    api.answers["search"] = []
    assert "Nothing was found" in shell("search", "x")
    assert shell.json("search", "x") == []


def test_agenda(shell, api):
    api.answers["agenda"] = [
        _event(),
        _event(title="Trip", is_all_day=True, location=""),
        _event(title="Night", end=MOMENT + timedelta(days=1), location="", people=("Zhang San",)),
        _event(title="Report", kind=EntryKind.TASK, end=None, location="", status=Status.ACTIVE),
        _event(title="Some day", start=None, end=None, location=""),
    ]
    assert shell("agenda", "next", "week").splitlines() == [
        "2025-05-12 09:30 - 10:30  Dentist  (Main Street)",
        "2025-05-12  all day  Trip",
        "2025-05-12 09:30 - 2025-05-13 09:30  Night  (Zhang San)",
        "2025-05-12 09:30  Report  (active)",
        "no date  Some day",
    ]
    assert api.asked("agenda") == [(("next week",), {})]
    assert shell.json("agenda")[0]["start"] == "2025-05-12T09:30:00+08:00"
    assert api.asked("agenda")[1] == ((None,), {})


def test_an_empty_agenda(shell):
    assert "Nothing stands there" in shell("agenda")
