"""Endings in free wording are recognised or suggested, and what only sounds like one ends nothing (G4.4, G2.6).

The wordings were written without a look at the rules; the rules were then mended on them. So these numbers hold a level
and are no estimate of how much of other texts is recognised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bench.expired import outcome, outcomes
from tests.integration.govern.supersession_world import DATA, pairs

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
