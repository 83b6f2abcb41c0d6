"""How many later entries are seen to end an earlier one, of a file of pairs: `python -m tests.bench.expired FILE...`.

The file has the form of tests/data/supersession/fresh.toml. Each pair lives in a database of its own and goes the way
of life: collected, cut, understood by rules. `effect = "none"` marks a control, of which nothing may be ended. With
`--why` the statements of both entries of what failed are shown, so that one sees which of them was not read.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.runtime import clock
from app.runtime.lanes import Lanes
from app.store.database import FILE_NAME
from app.store.store import Store
from tests.integration.context.makers import world
from tests.integration.govern.supersession_world import Mind, entry_of, moment
from tests.unit.store.makers import KEY

if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDED = """
    SELECT count(*) FROM change JOIN entry USING (entry_id) WHERE undone_at IS NULL AND is_suggestion = 0
    AND native_id = 'first' AND actor = 'supersession'
"""
_DOUBTED = _ENDED.replace("is_suggestion = 0", "is_suggestion = 1")
_SAID = "SELECT native_id, statement.kind, head, body FROM statement JOIN entry USING (entry_id) ORDER BY statement_id"


@dataclass(frozen=True)
class Outcome:
    """What came of one pair: the first entry was ended, or at least put in doubt; and what was read of both."""

    pair: dict[str, Any]
    is_ended: bool
    is_doubted: bool
    statements: Sequence[tuple[Any, ...]] = field(default_factory=tuple)

    @property
    def is_control(self) -> bool:
        """Whether nothing may be ended."""
        return bool(self.pair.get("effect") == "none")

    @property
    def is_right(self) -> bool:
        """Whether what had to come came."""
        return self.is_ended is not self.is_control

    @property
    def group(self) -> tuple[str, str]:
        """By which outcomes are counted: the sort, and the language."""
        text = str(self.pair["second"]) + str(self.pair["first"])
        language = "zh" if any("\u4e00" <= sign <= "\u9fff" for sign in text) else "en"
        return str(self.pair.get("sort") or self.pair.get("effect", "gone")), language


async def outcome(pair: dict[str, Any], lanes: Lanes, *, is_reversed: bool = False) -> Outcome:
    """Take one pair in and see what stands."""
    now = moment(pair["second"]["at"]) + timedelta(days=1)
    with tempfile.TemporaryDirectory() as folder, clock.use(now):
        store = Store.create(Path(folder) / FILE_NAME, KEY, now=now)
        try:
            mind = Mind(world(store, lanes))
            entries = [entry_of(pair["first"], "first"), entry_of(pair["second"], "second")]
            await mind.tell(*(reversed(entries) if is_reversed else entries))
            return Outcome(pair, mind.rows(_ENDED)[0][0] > 0, mind.rows(_DOUBTED)[0][0] > 0, mind.rows(_SAID))
        finally:
            store.close()


async def outcomes(paths: Sequence[Path]) -> list[Outcome]:
    """Of all pairs of some files."""
    lanes = Lanes()
    try:
        pairs = [pair for path in paths for pair in tomllib.loads(path.read_text("utf-8"))["pair"]]
        return [await outcome(pair, lanes) for pair in pairs]
    finally:
        lanes.close()


def counted(found: Sequence[Outcome]) -> str:
    """A line for each sort and language: how many there are, and how many were ended or only put in doubt."""
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for one in found:
        groups[one.group].append(one)
        groups["all controls" if one.is_control else "all pairs", one.group[1]].append(one)
    lines = [f"{'sort':24} {'':2} {'pairs':>5} {'ended':>5} {'doubted':>7}"]
    for (sort, language), ones in sorted(groups.items(), key=lambda item: (item[0][0].startswith("all "), item[0])):
        ended = sum(one.is_ended for one in ones)
        doubted = sum(one.is_doubted and not one.is_ended for one in ones)
        lines.append(f"{sort:24} {language:2} {len(ones):5} {ended:5} {doubted:7}")
    return "\n".join(lines)


def _why(one: Outcome) -> str:
    lines = [f"{'FALSE' if one.is_control else 'missed'} {one.pair['id']}{' (in doubt)' if one.is_doubted else ''}"]
    for name in ("first", "second"):
        told = one.pair[name]
        lines.append(f"    {told.get('kind', 'mail')} {told['title']!r} from {told.get('from')}: {told.get('text')!r}")
        lines += [f"        {kind} {head} {body}" for native, kind, head, body in one.statements if native == name]
    return "\n".join(lines)


def main() -> None:
    """Measure the files that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--why", action="store_true", help="show what was read of each that failed")
    asked = parser.parse_args()
    found = asyncio.run(outcomes(asked.files))
    wrong = [one for one in found if not one.is_right]
    for one in wrong:
        sys.stdout.write((_why(one) if asked.why else f"{one.pair['id']}") + "\n")
    sys.stdout.write(counted(found) + "\n")


if __name__ == "__main__":
    main()
