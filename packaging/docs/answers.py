"""Writes docs/answers.md: real questions, asked of the example sets through the whole program, with what it answers.

    python packaging/docs/answers.py              ask, and write the page
    python packaging/docs/answers.py --judged     the same, once every answer was read: note what was judged

The questions and what a person thinks of each answer stand in answers.toml beside this script. An answer that is
another one than when it was judged is marked on the page. Without the example sets (../shared/data, or
FAMULUS_TEST_DATA) nothing is asked, and the page stays as it is. Of the sets the page quotes no more than snippets.
"""

# ruff: noqa: E402 - the zone is chosen before anything reads the clock

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
# the times of the page are those of the invented person
os.environ["TZ"] = "UTC"
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
if hasattr(time, "tzset"):
    time.tzset()

from app.bootstrap.household import Household
from app.domain.collecting import SourceDraft
from app.famulus.api import ModelState
from app.runtime import clock
from app.runtime.paths import Paths
from app.runtime.single_instance import OwnerLock
from app.runtime.translation import ENGLISH, translator

if TYPE_CHECKING:
    from app.domain.context_item import Answer, ContextItem
    from app.famulus.api import FamulusApi

DATA = Path(os.environ.get("FAMULUS_TEST_DATA", ROOT.parent / "shared" / "data"))
TABLE, PAGE = Path(__file__).with_suffix(".toml"), ROOT / "docs" / "answers.md"
VERDICTS = ("right", "partly", "wrong", "nothing found")
_LONGEST_LINE, _MOST_LINES = 170, 12
_PATIENCE_S = 900.0
_SCRATCH = "of a database that is gone in a minute"
_HEAD = """# Answers

<!-- Made by packaging/docs/answers.py; the questions and judgements stand in packaging/docs/answers.toml. -->

Real questions, asked of two example sets through the whole program: imported into an empty database, understood,
{how}. What Famulus answers today is shown as it is, good and bad, with what it
cites; long lines are cut. Each answer was judged by hand. There is no language model behind it: an answer is read from
structure, quoted, or honestly none ([which questions structure answers](questions.md)).

| set | right | partly | wrong | nothing found |
| --- | --- | --- | --- | --- |
{rows}
"""


@dataclass(frozen=True)
class Asked:
    """A question with what a person thinks of its answer."""

    question: str
    verdict: str
    why: str
    digest: str


def main() -> int:
    """Ask everything; returns the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--judged", action="store_true", help="note the answers of today as those that were judged")
    is_judged = options.parse_args().judged
    sets = tomllib.loads(TABLE.read_text("utf-8"))["set"]
    if not all((DATA / source["path"]).exists() for one in sets for source in one["source"]):
        print("The example sets are not here, so docs/answers.md stays as it is.")
        return 0
    answered = [asyncio.run(_answer_all(one)) for one in sets]
    if is_judged:
        _note(answered)
        answered = [
            [(has_meaning, replace(asked, digest=_digest(answer)), answer) for has_meaning, asked, answer in rows]
            for rows in answered
        ]
    PAGE.write_text(_page(sets, answered), "utf-8")
    for _, asked, answer in (row for rows in answered for row in rows):
        if _has_changed(asked, answer):
            print(f"changed since it was judged: {asked.question}")
    return 0


async def _answer_all(one: dict[str, Any]) -> list[tuple[bool, Asked, Answer]]:
    """The questions of a set, answered at its own present; with whether meaning was searched too."""
    now = datetime.fromisoformat(one["now"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _copy(one, folder / "data")
        paths = Paths(folder / "famulus")
        paths.create()
        lock = OwnerLock(paths)
        if not lock.take(timeout_s=10):
            raise SystemExit("another Famulus is running in the scratch folder")
        house = Household.make(paths, lock, quit_=lambda: None)
        await house.start()
        try:
            has_meaning = await _collect(house.api, one, folder / "data")
            with clock.use(now):
                return [(has_meaning, asked, await house.api.ask(asked.question)) for asked in _asked(one)]
        finally:
            await house.close()


def _copy(one: dict[str, Any], folder: Path) -> None:
    """The files of a set, all last changed on one day, so that the page does not depend on when they were fetched."""
    stamp = datetime.fromisoformat(one["written"]).timestamp()
    for source in one["source"]:
        origin, target = DATA / source["path"], folder / Path(source["path"]).name
        target.parent.mkdir(parents=True, exist_ok=True)
        if origin.is_dir():
            shutil.copytree(origin, target)
        else:
            shutil.copyfile(origin, target)
        for path in (target, *target.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
            os.utime(path, (stamp, stamp))


async def _collect(api: FamulusApi, one: dict[str, Any], folder: Path) -> bool:
    """Add and sync every source, and wait until all is understood and (with a model) has its vectors."""
    await api.create(passphrase=_SCRATCH)
    with clock.use(datetime.fromisoformat(one["now"])):
        for source in one["source"]:
            location = str(folder / Path(source["path"]).name)
            info = await api.add_source(SourceDraft(source["kind"], location, name=source["kind"]))
            await api.sync(info.source_id)
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until:
        status = await api.status()
        is_settled = status.model in {ModelState.READY, ModelState.ABSENT, ModelState.FAILED}
        is_read = status.counts.understanding == 0
        if is_settled and is_read and (status.model is not ModelState.READY or status.counts.waiting == 0):
            return status.model is ModelState.READY
        await asyncio.sleep(0.2)
    raise SystemExit("the example set was not taken in in time")


def _asked(one: dict[str, Any]) -> list[Asked]:
    found = [Asked(row["ask"], row["judgement"], row["why"], row.get("answer", "")) for row in one["question"]]
    unknown = {asked.verdict for asked in found} - set(VERDICTS)
    if unknown:
        raise SystemExit(f"unknown judgement: {', '.join(sorted(unknown))}")
    return found


def _digest(answer: Answer) -> str:
    """What was judged: the text and what it cites."""
    places = [(item.title, item.place.page, item.place.first_line, item.place.message_id) for item in answer.items]
    said = [str(answer.text), *map(repr, places)]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:12]


def _has_changed(asked: Asked, answer: Answer) -> bool:
    return asked.digest != _digest(answer)


def _note(answered: list[list[tuple[bool, Asked, Answer]]]) -> None:
    """Put today's digests into the table, in the order of its questions."""
    digests = iter([_digest(answer) for rows in answered for _, _, answer in rows])
    text = re.sub(r'(?m)^answer = ".*"$', lambda _: f'answer = "{next(digests)}"', TABLE.read_text("utf-8"))
    TABLE.write_text(text, "utf-8")


def _page(sets: list[dict[str, Any]], answered: list[list[tuple[bool, Asked, Answer]]]) -> str:
    has_meaning = all(row[0] for rows in answered for row in rows)
    how = "and searched by words and meaning" if has_meaning else "and searched by words alone: no model was at hand"
    rows = []
    for one, some in zip(sets, answered, strict=True):
        counts = Counter(asked.verdict for _, asked, _ in some)
        rows.append(f"| {one['title']} | " + " | ".join(str(counts[verdict]) for verdict in VERDICTS) + " |")
    parts = [_HEAD.format(how=how, rows="\n".join(rows))]
    for one, some in zip(sets, answered, strict=True):
        parts.append(f"## {one['title']}\n\n{one['about'].strip()}\n")
        for number, (_, asked, answer) in enumerate(some, start=1):
            parts.append(_shown(number, asked, answer, one.get("snippet", {})))
    return "\n".join(parts)


def _shown(number: int, asked: Asked, answer: Answer, snippet: dict[str, int]) -> str:
    """One question; of the answer no more than snippets, where the set's licence wants that."""
    longest, most = snippet.get("characters", _LONGEST_LINE), snippet.get("lines", _MOST_LINES)
    said = str(answer.text).splitlines()
    lines = [f"### {number}. {asked.question}", ""]
    lines += [f"> {_plain(line, longest)}  " for line in said[:most]]
    lines += [f"> *(and {len(said) - most} lines more)*"] if len(said) > most else []
    lines += ["", *(f"{place}. {_source(item)}" for place, item in enumerate(answer.items, start=1)), ""]
    changed = " *(The answer has changed since it was judged.)*" if _has_changed(asked, answer) else ""
    lines.append(f"**{asked.verdict}** ({answer.route}): {asked.why}{changed}")
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _plain(text: str, longest: int = _LONGEST_LINE) -> str:
    """A line as Markdown shows it as it is; its citations stay whole."""
    body, citations = re.fullmatch(r"(.*?)((?: \[\d+\])*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    body = body if len(body) <= longest else body[: longest - 1].rstrip() + "…"
    return re.sub(r"([\\`*_<>#|\[\]])", r"\\\1", body) + citations


def _source(item: ContextItem) -> str:
    facts = [item.source_type.value]
    if item.event_time is not None:
        facts.append(item.event_time.date().isoformat())
    if item.place.heading_path:
        facts.append(" › ".join(item.place.heading_path))
    if item.place.page is not None:
        facts.append(f"page {item.place.page}")
    if item.place.first_line is not None:
        facts.append(f"line {item.place.first_line}")
    stale = ""
    if item.stale_reason is not None:
        stale = f"; no longer valid: {_plain(translator(ENGLISH)[1](item.stale_reason))}"
    return f"{_plain(item.title)} ({_plain(', '.join(facts))}{stale})"


if __name__ == "__main__":
    sys.exit(main())
