"""Endings in free wording are recognised or suggested, and what only sounds like one ends nothing (G4.4, G2.6).

The wordings were written without a look at the rules; the rules were then mended on them. So these numbers hold a level
and are no estimate of how much of other texts is recognised.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from app.runtime import clock
from app.store.database import FILE_NAME
from app.store.store import Store
from tests.bench.expired import outcome, outcomes
from tests.integration.context.makers import world
from tests.integration.govern.supersession_world import DATA, Mind, entry_of, moment, pairs
from tests.unit.store.makers import KEY

if TYPE_CHECKING:
    from pathlib import Path

    from app.runtime.lanes import Lanes
    from tests.bench.expired import Outcome

_FILES = [DATA / f"{name}.toml" for name in ("blind_dev", "blind_controls_dev", "freely_worded")]
_LEAST = {
    ("blind_dev", "en"): (11, 28),
    ("blind_dev", "zh"): (14, 22),
    ("freely_worded", "en"): (19, 40),
    ("freely_worded", "zh"): (18, 39),
}
"""How many are ended, and how many are ended or suggested."""


def _seen(found: list[Outcome], language: str) -> tuple[int, int]:
    told = [one for one in found if not one.is_control and one.group[1] == language]
    return sum(one.is_ended for one in told), sum(one.is_ended or one.is_doubted for one in told)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
async def test_free_wordings(path: Path) -> None:
    found = await outcomes([path])
    assert [one.pair["id"] for one in found if one.is_control and one.is_ended] == []
    for (name, language), least in _LEAST.items():
        if path.stem == name:
            ended, seen = _seen(found, language)
            assert (ended >= least[0], seen >= least[1]) == (True, True), (language, ended, seen)


@pytest.mark.parametrize("is_reversed", [False, True], ids=["as said", "the later first"])
async def test_a_few_in_either_order(lanes: Lanes, is_reversed: bool) -> None:
    told = [
        pair for pair in pairs("freely_worded") if pair["id"] in {"o-en-1", "o-en-13", "o-zh-2", "o-zh-24", "q-en-7"}
    ]
    assert len(told) == 5
    found = [await outcome(pair, lanes, is_reversed=is_reversed) for pair in told]
    assert [one.pair["id"] for one in found if not (one.is_ended or one.is_doubted)] == []


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
async def test_one_of_two_of_a_kind_is_ended_in_any_order(tmp_path: Path, lanes: Lanes, order: tuple[int, ...]) -> None:
    """By its form the notice may mean either class; the whole entry tells which, also when the other one comes last."""
    class_of = {
        "title": "英语课",
        "from": "y@example.com",
        "at": "2025-05-11 10:00",
        "text": "周四晚上六点照常上英语课。",
    }
    told = [
        {
            "title": "周四英语课停课通知",
            "from": "y@example.com",
            "at": "2025-05-12 10:00",
            "text": "教室维修，敬请谅解。",
        },
        class_of,
        {"kind": "note", "title": "Gym", "at": "2025-05-09 10:00", "text": "Gym class is on Thursday at 6."},
    ]
    now = moment("2025-05-14 09:30")
    store = Store.create(tmp_path / FILE_NAME, KEY, now=now)
    try:
        with clock.use(now):
            mind = Mind(world(store, lanes))
            for number in order:
                await mind.tell(entry_of(told[number], f"n{number}"))
            ended = mind.rows(
                "SELECT DISTINCT native_id FROM change JOIN entry USING (entry_id)"
                " WHERE undone_at IS NULL AND is_suggestion = 0 AND actor = 'supersession'"
            )
        assert ended == [("n1",)]
    finally:
        store.close()
