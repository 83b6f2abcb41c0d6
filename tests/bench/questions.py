"""How many questions are answered rightly from a small world of entries: `python -m tests.bench.questions FILE...`.

A file has the form of those in tests/data/questions: entries, and questions each with a gold answer and its sources.
The entries go the way of life (cut, understood, embedded), every question is asked, and its answer judged:

    right    a gold source is cited, and every value of the gold answer that its sources spell (numbers, Latin names)
             stands in the answer; or nothing was found where nothing is to be found
    partly   a gold source is cited, and a value is missing
    wrong    something else is answered
    nothing  nothing was found, though there is an answer

With `--show` every answer is printed. Models are used where their packs are (`--rules` does without any).
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
import tomllib
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.context.answers import NOTHING, AnswerService
from app.domain.entries import Block, ContactFacts, Entry, EventFacts, Occurrence, PersonRef, Place, TaskFacts
from app.domain.labels import BlockKind, EntryKind, Status
from app.govern.extraction import Extractor
from app.govern.people.step import PeopleStep
from app.govern.supersession.step import SupersessionStep
from app.govern.understanding.queue import Understanding
from app.inference.chinese_names import ChineseNames
from app.inference.embedder import Embedder
from app.inference.packs import SPANS, find_pack
from app.inference.spans import SpanReader
from app.runtime import clock
from app.runtime.lanes import Lanes
from app.runtime.tasks import Tasks
from app.store.database import FILE_NAME
from app.store.store import Store
from tests.integration.context.makers import World, world
from tests.model_pack import model_pack, models_folder
from tests.unit.store.makers import KEY, source_info

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.domain.context_item import Answer
    from app.domain.errors import Expected

ZONE = timezone(timedelta(hours=1))
NOW = datetime(2026, 11, 1, 12, tzinfo=ZONE)
ME = "me@example.com"
VERDICTS = ("right", "partly", "wrong", "nothing")
_ROLES = {EntryKind.EVENT: "organizer", EntryKind.MAIL: "author", EntryKind.CHAT: "author"}
_MINE = frozenset({"me", "我", "i"})
_LABEL = re.compile(r"^([^:：\n]{1,30})[:：]\s*(.*)$")
_VALUE = re.compile(r"\d+(?:[.,:-]\d+)*|[A-Z][A-Za-z]+(?:-[A-Za-z0-9]+)*")
_PLAIN = frozenset({
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "The", "In", "From", "No",
    "Not", "Yes", "On", "At",
})  # fmt: skip


@dataclass(frozen=True)
class Judged:
    """A question with what came of it."""

    question: Mapping[str, Any]
    answer: Answer
    cited: Sequence[str]
    verdict: str


@dataclass
class Extractors:
    """The span model, or rules alone."""

    by_model: Extractor | None
    by_rules: Extractor

    async def extractor(self) -> Extractor | None:
        """With the model."""
        return self.by_model

    def give_up(self, problem: Expected) -> None:
        """A measurement does not go on without its model."""
        raise problem


def entry_of(told: Mapping[str, Any], number: int) -> Entry:
    """An entry as a source would tell it."""
    kind, at, text = EntryKind(told["kind"]), moment(told["at"]), told.get("text", "")
    starts, ends = (moment(told[name]) if name in told else None for name in ("start", "end"))
    occurrences = () if starts is None else (Occurrence(starts, ends or starts, is_all_day=False),)
    people, blocks = _chat(text) if kind is EntryKind.CHAT else (_people(told, kind), _blocks(text))
    return Entry(
        source_id=f"{kind.value}s",
        native_id=told["id"],
        kind=kind,
        title=told["title"],
        source_uri=f"test:///{told['id']}",
        content_hash=f"{number}{told['id']}",
        blocks=blocks,
        created_at=at,
        updated_at=at,
        event_time=starts or (at if kind in {EntryKind.MAIL, EntryKind.CHAT} else None),
        status=Status.ACTIVE if kind is EntryKind.TASK else None,
        people=people,
        event=EventFacts(told.get("place", ""), occurrences, is_recurring=False) if occurrences else None,
        task=TaskFacts(Status.ACTIVE, due_at=moment(told["due"]) if "due" in told else None)
        if kind is EntryKind.TASK
        else None,
        contact=ContactFacts((told["title"],), ()) if kind is EntryKind.CONTACT else None,
        thread=told.get("thread"),
        language=told.get("language"),
    )


def moment(text: str) -> datetime:
    """A time in the zone of these worlds."""
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


def _people(told: Mapping[str, Any], kind: EntryKind) -> tuple[PersonRef, ...]:
    found = [PersonRef(*_named(told["from"]), _ROLES.get(kind, "owner"))] if "from" in told else []
    return (*found, *(PersonRef(*_named(one), "recipient") for one in told.get("to", "").split(", ") if one))


def _named(who: str) -> tuple[str, str]:
    return ("", who) if "@" in who else (who, "")


def _blocks(text: str) -> tuple[Block, ...]:
    """Paragraphs and Markdown tables, with their lines."""
    found: list[Block] = []
    line = 1
    for part in text.split("\n\n"):
        rows = part.splitlines()
        place = Place(first_line=line, last_line=line + max(0, len(rows) - 1))
        if rows and all("|" in row for row in rows):
            cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows]
            kept = [" | ".join(row) for row in cells if any(set(cell) - set("-: ") for cell in row)]
            found.append(Block(BlockKind.TABLE, "\n".join(kept), place))
        elif part.strip():
            found.append(Block(BlockKind.PARAGRAPH, part, place))
        line += len(rows) + 1
    return tuple(found)


def _chat(text: str) -> tuple[tuple[PersonRef, ...], tuple[Block, ...]]:
    """A message a line, and who takes part; "me" has the person's own address."""
    names: dict[str, PersonRef] = {}
    blocks = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = _LABEL.match(line)
        if match is not None:
            address = ME if match[1].strip().casefold() in _MINE else ""
            names.setdefault(match[1].strip(), PersonRef(match[1].strip(), address, "author"))
        blocks.append(Block(BlockKind.PARAGRAPH, line, Place(first_line=number, last_line=number)))
    return tuple(names.values()), tuple(blocks)


async def understood(one: World, entries: Sequence[Entry], *, has_models: bool) -> None:
    """Take entries in, understand them, and give them their vectors."""
    for entry in entries:
        await one.add(entry, source=source_info(entry.source_id))
    spans = find_pack(models_folder(), SPANS) if has_models else None
    reader = None if spans is None else SpanReader(spans, chinese=ChineseNames.installed(), threads=2)
    extractors = Extractors(None if reader is None else Extractor(reader), Extractor())
    queue = Understanding(
        one.store.database, one.lanes, extractors, [PeopleStep(), SupersessionStep()], on_written=lambda: None
    )
    tasks = Tasks()
    tasks.start(queue.run(), "understand")
    queue.wake()
    try:
        await queue.wait_until_done()
    finally:
        await tasks.close()
    if has_models:
        model = Embedder(model_pack(), threads=2)
        model.load()
        await one.learn(model)  # type: ignore[arg-type]


async def ask_all(table: Mapping[str, Any], folder: Path, *, has_models: bool = True) -> list[Judged]:
    """Every question of a file, judged."""
    lanes = Lanes()
    store = Store.create(folder / FILE_NAME, KEY, now=NOW)
    try:
        with clock.use(NOW):
            one = world(store, lanes)
            await understood(one, [entry_of(told, at) for at, told in enumerate(table["entry"])], has_models=has_models)
            service = AnswerService(store, lanes, one.context)
            service.structured.own_addresses = frozenset({ME})
            told = {entry["id"]: entry for entry in table["entry"]}
            return [judged(question, await service.ask(question["text"]), told) for question in table["question"]]
    finally:
        lanes.close()
        store.close()


def judged(question: Mapping[str, Any], answer: Answer, told: Mapping[str, Mapping[str, Any]]) -> Judged:
    """An answer measured by its gold."""
    cited = [item.source_uri.removeprefix("test:///") for item in answer.items]
    is_silent = answer.route == NOTHING or not (answer.items or answer.agenda)
    gold = question["sources"]
    if not gold:
        verdict = "right" if is_silent else "wrong"
    elif is_silent:
        verdict = "nothing"
    elif not set(cited) & set(gold):
        verdict = "wrong"
    else:
        spelled = " ".join(
            f"{told[one]['title']} {told[one].get('text', '')} {told[one].get('start', '')}" for one in gold
        )
        said = str(answer.text)
        verdict = (
            "right"
            if all(value.casefold() in said.casefold() for value in _values(question["answer"], spelled))
            else "partly"
        )
    return Judged(question, answer, cited, verdict)


def _values(gold: str, spelled: str) -> list[str]:
    """The numbers and names of a gold answer that its sources spell alike."""
    plain = re.sub(r"\b20\d\d年?", " ", gold)
    return [value for value in _VALUE.findall(plain) if value not in _PLAIN and value in spelled]


def main(arguments: Sequence[str]) -> None:
    """Ask the questions of some files, and print how many were answered how."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.questions", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", action="store_true", help="print every answer")
    parser.add_argument("--rules", action="store_true", help="without any model")
    given = parser.parse_args(arguments)
    for path in given.files:
        with tempfile.TemporaryDirectory() as folder:
            table = tomllib.loads(path.read_text("utf-8"))
            results = asyncio.run(ask_all(table, Path(folder), has_models=not given.rules))
        if given.show:
            for one in results:
                print(_shown(one))
        _print_counts(path.name, results)


def _shown(one: Judged) -> str:
    asked, answer = one.question, one.answer
    gold = f"{', '.join(asked['sources']) or '-'}: {asked['answer']}"
    lines = [f"[{one.verdict}] {asked['text']}   ({answer.route}; gold {gold})"]
    lines += [f"      {line}" for line in str(answer.text).splitlines()]
    return "\n".join([*lines, f"      cites {', '.join(one.cited) or 'nothing'}"])


def _print_counts(name: str, results: Sequence[Judged]) -> None:
    for title, some in (
        ("answerable", [one for one in results if one.question["sources"]]),
        ("unanswerable", [one for one in results if not one.question["sources"]]),
    ):
        counts = Counter(one.verdict for one in some)
        print(f"{name} {title} {len(some)}: " + ", ".join(f"{verdict} {counts[verdict]}" for verdict in VERDICTS))


if __name__ == "__main__":
    main(sys.argv[1:])
