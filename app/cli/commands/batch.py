"""Batch tasks: labelled rows in, results out, through the product's own code. It is how a change is measured."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.command import command, option, subgroup
from app.cli.plain import plain
from app.cli.wiring import BatchRequest
from app.domain.text import msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.cli.session import Session

_MODES = ("full", "words", "vectors")


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    root.add_command(batch)


batch = subgroup(click.Group(), "batch", msg("Run a task over rows of JSON, from standard input to standard output."))


@command(batch, "retrieve", msg("Rank the rows of a corpus for every query: {id, query, corpus} to {id, ranked}."))
@option("--corpus", meaning=msg("The corpus of all queries, as JSON lines."), type=click.Path(path_type=Path))
@option("--corpora", meaning=msg("A folder of corpora; a query names its own."), type=click.Path(path_type=Path))
@option("--mode", meaning=msg("By words, by meaning, or by both."), type=click.Choice(_MODES), default="full")
def retrieve(session: Session, corpus: Path | None, corpora: Path | None, mode: str) -> None:
    """Run retrieval."""
    if (corpus is None) == (corpora is None):
        raise click.UsageError(translate(msg("Give either --corpus or --corpora.")))
    _run(session, BatchRequest("retrieve", _rows(), corpus, corpora, mode))


@command(batch, "classify", msg("Tell what a text wants: {id, text} to {id, intent, score}."))
@option("--routes", meaning=msg("A table of intents instead of your own."), type=click.Path(path_type=Path))
def classify(session: Session, routes: Path | None) -> None:
    """Run the intent reader."""
    _run(session, BatchRequest("classify", _rows(), routes=routes))


@command(batch, "dates", msg("Read dates and times: {id, text, ref, lang} to {id, values}."))
def dates(session: Session) -> None:
    """Run the date reader."""
    _run(session, BatchRequest("dates", _rows()))


@command(batch, "extract", msg("Extract tasks, people, dates and the like: {id, text, ref} to {id, records}."))
def extract(session: Session) -> None:
    """Run the extraction."""
    _run(session, BatchRequest("extract", _rows()))


@command(batch, "spans", msg("Find names: {id, text} to {id, spans}."))
@option("--labels", meaning=msg("Only these, for example: person,place,organisation."), default="")
def spans(session: Session, labels: str) -> None:
    """Run the span reader."""
    wanted = frozenset(label.strip() for label in labels.split(",")) - {""}
    _run(session, BatchRequest("spans", _rows(), labels=wanted))


@command(batch, "redact", msg("Replace what is private by placeholders: {id, text} to {id, text}."))
def redact(session: Session) -> None:
    """Run the redaction."""
    _run(session, BatchRequest("redact", _rows()))


@command(batch, "rrule", msg("Write a recurrence out: {id, DTSTART, RRULE} to {id, instances}."))
def rrule(session: Session) -> None:
    """Run the recurrence."""
    _run(session, BatchRequest("rrule", _rows()))


def _run(session: Session, request: BatchRequest) -> None:
    for result in session.wiring.batch(session.paths, request):
        session.screen.json(plain(result))


def _rows() -> Iterator[dict[str, Any]]:
    """The rows of standard input; a bad one as its error, so that the rest goes on."""
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_constant=_no_number, parse_float=_number)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            yield row
        else:
            yield {"id": None, "error": translate(msg("This row is no JSON object."))}


def _number(said: str) -> float:
    """A number that can be printed as JSON again: 1e999 is none."""
    value = float(said)
    return value if math.isfinite(value) else _no_number(said)


def _no_number(said: str) -> float:
    raise ValueError(said)
