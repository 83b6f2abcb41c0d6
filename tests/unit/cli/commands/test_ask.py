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


def test_what_was_said_is_shown_with_its_time(shell, api):
    api.answers["search"] = [item(place=Place(first_line=9, last_line=9, second=754)), item(place=Place(second=3723))]
    shell("search", "paint")
    assert "[1] Launch  (note · work · 2025-05-12 · at 12:34 · 0.75)" in shell.out
    assert "[2] Launch  (note · work · 2025-05-12 · at 1:02:03 · 0.75)" in shell.out


def test_ask_in_json(shell):
    answer = shell.json("ask", "x")
    assert set(answer) == {"answer", "items", "agenda", "route", "left_device", "warnings", "request_id"}
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


def test_search_explains_the_sum_its_reasons_and_its_weights(shell, api):
    parts = {"semantic": 0.44, "lexical": 0.1, "freshness": 0.15, "confidence": 0.06, "active_task": 0.0, "final": 0.75}
    found = item(explanation=parts | {"clues": 0.02, "folded": 1.0}, ranking="ranking-2+ab", stale_reason=msg("why"))
    api.answers["search"] = [found]
    out = shell("search", "x", "--explain")
    assert "0.750 = semantic 0.440 + lexical 0.100 + freshness 0.150 + confidence 0.060 + active_task 0.000" in out
    assert "ranking: ranking-2+ab  clues 0.020  folded 1.000" in out
    assert "No longer valid: why" in out
    assert shell.json("search", "x", "--explain")[0]["ranking"] == "ranking-2+ab"
    assert "ranking" not in shell.json("search", "x")[0]


def test_search_within_kinds_a_span_and_a_budget(shell, api):
    api.answers["span"] = lambda when: (MOMENT, MOMENT + timedelta(days=7))
    shell(
        "search", "x", "--kind", "mail", "--kind", "chat", "--since", "last week", "--until", "上周", "--tokens", "900"
    )
    ((request,), _) = api.asked("search")[0]
    assert request.kinds == (EntryKind.MAIL, EntryKind.CHAT)
    assert (request.since, request.until) == (MOMENT, MOMENT + timedelta(days=7))
    assert request.budget_tokens == 900
    assert [args for args, _ in api.asked("span")] == [("last week",), ("上周",)]
    shell("search", "x", "--since", "2025-05-01T08:00+00:00", "--until", "2025-05-02")
    ((request,), more) = api.asked("search")[1]
    assert request.since.isoformat() == "2025-05-01T08:00:00+00:00"
    assert api.asked("span")[-1] == (("2025-05-02",), {})
    assert more == {}
    shell("search", "x", "--since", "0001-01-01T00:00+14:00")  # no moment that can be reckoned with
    assert api.asked("span")[-1] == (("0001-01-01T00:00+14:00",), {})
    shell("search", "x", "--kind", "letter", expect=2)
    shell("search", "x", "--tokens", "0", expect=2)


def test_search_as_a_client(shell, api):
    shell("search", "x", "--as", "helper")
    assert api.asked("search")[0][1] == {"as_client": "helper"}


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
