"""How many documents, mails and events are collected in a second, and how little of the time is not embedding (L6.2).

The work around the model is measured in a house without one: reading, admitting, cutting, words, structure, writing.
What the model takes for the same passages is measured on a sample of them and multiplied. Understanding (records,
people, likenesses) follows in the background, and is measured apart.
"""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from email.message import EmailMessage
from typing import TYPE_CHECKING

from app.domain.collecting import SourceDraft
from app.domain.progress import ignore_progress
from app.inference.embedder import Embedder
from tests.bench import corpus
from tests.bench.collecting import house, texts_of, write_files
from tests.bench.measures import Measure, seconds
from tests.model_pack import model_pack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from app.famulus.facade import Famulus

_DOCUMENTS, _MAILS, _EVENTS = 1_000, 1_000, 2_000
_SAMPLE = 64
_SHARE_BUDGET = 0.15


def measure(folder: Path) -> Iterator[Measure]:
    """Rows for each kind: the rate, and the share of the whole that is not embedding."""
    makers: dict[str, tuple[str, int, Callable[[Path], Path]]] = {
        "documents": ("files", _DOCUMENTS, write_documents),
        "mails": ("files", _MAILS, write_mails),
        "events": ("ics", _EVENTS, write_calendar),
    }
    embedder = Embedder(model_pack(), threads=2)
    embedder.load()
    for name, (kind, count, write) in makers.items():
        place = write(folder / name)
        yield from asyncio.run(_measure(folder, (name, kind, count), place, embedder))


async def _measure(folder: Path, what: tuple[str, str, int], place: Path, embedder: Embedder) -> list[Measure]:
    name, kind, count = what
    async with house(folder / f"base-{name}", folder / "no-models") as famulus:
        source = await famulus.add_source(SourceDraft(kind, str(place)))
        began = time.perf_counter()
        # the facade's own sync waits a while for the understanding behind it
        await (await famulus._vault.offices()).collection.sync(
            source.source_id, confirm_deletions=False, progress=ignore_progress, stop=None
        )
        around = time.perf_counter() - began
        began = time.perf_counter()
        await _understood(famulus)
        understanding = time.perf_counter() - began
        texts = texts_of(famulus, source.source_id)
    sample = texts[:: max(1, len(texts) // _SAMPLE)]
    embedding = seconds(lambda: [embedder.embed_passages([text]) for text in sample]) * len(texts) / len(sample)
    share = around / (around + embedding)
    return [
        Measure(f"collect {count} {name}: {count / around:.0f} a second", around, "s", embedding, "embedding them"),
        Measure(f"share of that which is not embedding, {name}", share, "", None, "", _SHARE_BUDGET),
        Measure(f"understand {count} {name} by rules, behind it", understanding, "s", around, "collecting them"),
    ]


async def _understood(famulus: Famulus) -> None:
    while (await famulus.status()).counts.understanding:
        await asyncio.sleep(0.05)


def write_documents(folder: Path) -> Path:
    """Markdown files of two passages each."""
    write_files(folder, 0, _DOCUMENTS)
    return folder


def write_mails(folder: Path) -> Path:
    """Messages of one passage each, in conversations of four, with the answered text quoted."""
    folder.mkdir(parents=True)
    for number in range(_MAILS):
        message = EmailMessage()
        message["From"] = f"Person {number % 50} <person{number % 50}@example.com>"
        message["To"] = f"Person {(number + 7) % 50} <person{(number + 7) % 50}@example.com>"
        message["Subject"] = f"Matter {number // 4}"
        message["Date"] = (corpus.NOW - timedelta(hours=number)).strftime("%a, %d %b %Y %H:%M:%S +0000")
        message["Message-ID"] = f"<{number}@example.com>"
        if number % 4:
            message["In-Reply-To"] = message["References"] = f"<{number - number % 4}@example.com>"
        message.set_content(corpus.passage(number).text)
        (folder / f"{number}.eml").write_bytes(message.as_bytes())
    return folder


def write_calendar(folder: Path) -> Path:
    """One calendar file; every tenth event comes again each week."""
    folder.mkdir(parents=True)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Famulus//bench//EN"]
    for number in range(_EVENTS):
        start = corpus.NOW + timedelta(hours=number % 4_000)
        lines += [
            "BEGIN:VEVENT",
            f"UID:{number}@example.com",
            f"DTSTAMP:{corpus.NOW:%Y%m%dT%H%M%SZ}",
            f"DTSTART:{start:%Y%m%dT%H%M%SZ}",
            f"DTEND:{start + timedelta(hours=1):%Y%m%dT%H%M%SZ}",
            f"SUMMARY:{corpus.own_sentence(number, 'en')}",
            f"DESCRIPTION:{corpus.passage(number).text[:400]}".replace("\n", " "),
            *(["RRULE:FREQ=WEEKLY;COUNT=30"] if number % 10 == 0 else []),
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    (folder / "calendar.ics").write_text("\r\n".join(lines) + "\r\n", "utf-8")
    return folder / "calendar.ics"
