"""Later statements change earlier ones, and nothing else does: thirty pairs of each, in both languages and orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.runtime import clock
from tests.integration.govern.supersession_world import ZONE, Mind, entry_of, moment, pairs, titles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.context.makers import World

FIRST, SECOND = "test:///first", "test:///second"
_STATE = """
    SELECT native_id, entry.status, entry.stale_reason, coalesce(task.status, ''), coalesce(task.completed_at, ''),
           coalesce(task.due_at, '')
    FROM entry LEFT JOIN task USING (entry_id) ORDER BY native_id
"""
_RECORDS = """
    SELECT record.kind, record.title, record.status, coalesce(record.stale_reason, ''), coalesce(event_at, ''),
           coalesce(due_at, ''), coalesce(record.completed_at, ''), superseded_by IS NULL
    FROM record ORDER BY record.title, record.kind, event_at, record.status
"""
_STANDING = "SELECT count(*) FROM change WHERE undone_at IS NULL AND is_suggestion = 0 AND actor = 'supersession'"


@pytest.fixture
def mind(empty: World) -> Iterator[Mind]:
    with clock.use(moment("2025-05-14 09:00").astimezone(ZONE)):
        yield Mind(empty)


def _named(name: str) -> Any:
    """The pairs of a file; one that is known to be missed says why."""

    def param(one: dict[str, Any]) -> Any:
        marks = [pytest.mark.xfail(reason=one["missed"], strict=True)] if "missed" in one else []
        return pytest.param(one, id=one["id"], marks=marks)

    return pytest.mark.parametrize("pair", [param(one) for one in pairs(name)])


def _both(pair: dict[str, Any]) -> list[Any]:
    return [entry_of(pair["first"], "first"), entry_of(pair["second"], "second")]


@pytest.mark.parametrize("is_reversed", [False, True], ids=["as said", "the later first"])
@_named("pairs")
async def test_a_later_statement_changes_the_earlier_one(mind: Mind, pair: dict[str, Any], is_reversed: bool) -> None:
    entries = _both(pair)
    await mind.tell(*(reversed(entries) if is_reversed else entries))
    await _has_changed(mind, pair)


async def _has_changed(mind: Mind, pair: dict[str, Any]) -> None:
    effect = pair.get("effect", "gone")
    if effect == "done":
        statuses = mind.rows("SELECT status FROM task UNION ALL SELECT status FROM record WHERE kind = 'task'")
        assert ("done",) in statuses
        return
    first = pair["first"]
    text = first.get("text", first["title"])
    assert FIRST not in titles(await mind.search(text))
    stale = [item for item in await mind.search(text, include_stale=True) if item.source_uri == FIRST]
    assert stale
    assert stale[0].stale_reason is not None
    day = moment(first["start"]) if "start" in first else moment(first["at"])
    assert FIRST not in {item.source_uri for item in mind.agenda(day)}
    assert not mind.rows(
        "SELECT 1 FROM record JOIN entry USING (entry_id) WHERE native_id = 'first' AND record.stale_reason IS NULL"
        " AND record.kind IN ('plan', 'task')"
    )
    if effect == "moved":
        events = mind.rows("SELECT event_at FROM record WHERE stale_reason IS NULL AND event_at IS NOT NULL")
        days = {
            str(clock.now().fromisoformat(row[0].split("Z")[0] + "+00:00").astimezone(ZONE).date()) for row in events
        }
        assert pair["to"] in days


@_named("near_misses")
async def test_what_only_sounds_like_it_changes_nothing(mind: Mind, pair: dict[str, Any]) -> None:
    await mind.tell(*_both(pair))
    assert mind.rows(_STANDING) == [(0,)]
    first = pair["first"]
    if first.get("kind") != "event" or first["start"] > "2025-05-14":
        assert FIRST in titles(await mind.search(first.get("text", first["title"])))


@_named("near_misses")
async def test_nor_does_it_in_the_other_order(mind: Mind, pair: dict[str, Any]) -> None:
    await mind.tell(*reversed(_both(pair)))
    assert mind.rows(_STANDING) == [(0,)]


@_named("pairs")
async def test_the_end_is_the_same_in_either_order(mind: Mind, pair: dict[str, Any]) -> None:
    entries = _both(pair)
    await mind.tell(*entries)
    one = (mind.rows(_STATE), mind.rows(_RECORDS))
    with mind.world.store.database.write() as tx:
        for table in ("change", "statement", "record", "understanding", "entry", "source"):
            tx.run(f"DELETE FROM {table}")  # noqa: S608 - our own names
    await mind.tell(*reversed(entries))
    assert (mind.rows(_STATE), mind.rows(_RECORDS)) == one


@_named("fresh")
async def test_what_was_written_after_the_rules(mind: Mind, pair: dict[str, Any]) -> None:
    await mind.tell(*_both(pair))
    if pair.get("effect") == "none":
        assert mind.rows(_STANDING) == [(0,)]
    else:
        await _has_changed(mind, pair)


@_named("fresh_again")
async def test_what_was_written_after_these(mind: Mind, pair: dict[str, Any]) -> None:
    await test_what_was_written_after_the_rules(mind, pair)


@_named("fresh_third")
async def test_and_what_was_written_after_those(mind: Mind, pair: dict[str, Any]) -> None:
    await test_what_was_written_after_the_rules(mind, pair)
