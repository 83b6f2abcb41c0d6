"""A row as it stands for somebody who may not see everything that was done to it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.store.histories import RESUME, Step, state

_COLUMNS = ("status", "valid_to", "stale_reason")


def step(number: int, kind: str, *columns: str, is_visible: bool = True, before: object = None) -> Step:
    """A change that writes its number into some columns."""
    at = f"2025-05-{number:02d}T01:00:00.000000Z[+08:00]"
    return Step(number, number, at, kind, dict.fromkeys(columns, before), dict.fromkeys(columns, number), is_visible)


def test_what_is_hidden_did_not_happen() -> None:
    steps = [step(1, "cancel", "status"), step(2, "move", "status", is_visible=False)]
    assert state(steps) == {"status": 1}
    assert state([step(1, "cancel", "status", is_visible=False, before="active")]) == {"status": "active"}


def test_only_what_was_called_off_is_resumed() -> None:
    resumed = step(3, RESUME, *_COLUMNS)
    openly = [step(1, "cancel", "status", before="active"), resumed]
    assert state(openly)["status"] == "active"
    secretly = [
        step(1, "cancel", "status", is_visible=False, before="active"),
        step(2, "valid_until", "valid_to"),
        resumed,
    ]
    assert state(secretly) == {"status": "active", "valid_to": 2, "stale_reason": None}


def test_a_moment_leaves_out_what_holds_only_later() -> None:
    steps = [step(1, "cancel", "status", before="active"), step(9, "done", "status")]
    assert state(steps, until="2025-05-05T00:00:00.000000Z[+00:00]") == {"status": 1}
    assert state(steps, until="2025-05-09T01:00:00.000000Z[-03:00]") == {"status": 9}


_KINDS = st.sampled_from(("cancel", "move", "done", RESUME))
_STEPS = st.lists(st.tuples(_KINDS, st.sets(st.sampled_from(_COLUMNS), min_size=1), st.booleans()), max_size=8)


@given(_STEPS)
def test_hidden_steps_leave_no_trace(made: list[tuple[str, set[str], bool]]) -> None:
    steps = [step(at + 1, kind, *sorted(columns), is_visible=seen) for at, (kind, columns, seen) in enumerate(made)]
    alone = state([one for one in steps if one.is_visible])
    whole = state(steps)
    assert {name: whole[name] for name in alone} == alone
    assert all(whole[name] is None for name in whole.keys() - alone.keys())
