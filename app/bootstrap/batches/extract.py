"""`batch extract`: all that a text names and states, and the records that follow (G2.4, G2.7)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from app.bootstrap.batches.contract import reference_of, text_of
from app.bootstrap.batches.models import LONGEST_READING_S, span_reader
from app.domain.readings import Grain
from app.govern.extraction import Extractor

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.cli.wiring import BatchRequest
    from app.domain.readings import DateReading, TextSpan
    from app.govern.extraction import Record
    from app.runtime.paths import Paths

_CLOCK_GRAINS = frozenset({Grain.SECOND, Grain.MINUTE, Grain.HOUR, Grain.PART_OF_DAY})


def open_task(paths: Paths, request: BatchRequest) -> ExtractTask:  # noqa: ARG001 - every task is opened alike
    """Make the task; it works without the span model, and finds fewer things."""
    return ExtractTask(Extractor(span_reader(paths)))


class ExtractTask:
    """Extracts."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor

    def result(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """`{records}`: one for every span, with owner, due, condition and consequence where they are known."""
        text = text_of(row)
        found = self._extractor.read(text, reference_of(row), limit_s=LONGEST_READING_S)
        stated = {record.span: record for record in found.records}
        dated = {(date.start, date.end): date for date in found.dates}
        return {
            "records": [
                {
                    "type": span.label,
                    "text": text[span.start : span.end],
                    "start": span.start,
                    "end": span.end,
                    "confidence": span.confidence,
                    **_dated(dated.get((span.start, span.end))),
                    **_stated(text, stated.get(span)),
                }
                for span in found.spans
            ]
        }

    def close(self) -> None:
        """Nothing is held."""


def _dated(date: DateReading | None) -> dict[str, Any]:
    if date is None:
        return {}
    return {
        "values": [
            {"start": _iso(one.start), "end": _iso(one.end), "grain": one.grain.value, "score": one.score}
            for one in date.candidates
        ],
        "rrule": date.rrule,
        "seconds": None if date.duration is None else int(date.duration.total_seconds()),
    }


def _stated(text: str, record: Record | None) -> dict[str, Any]:
    if record is None:
        return {}

    def words(span: TextSpan | None) -> str | None:
        return None if span is None else text[span.start : span.end]

    return {
        "owner": words(record.owner),
        "due": _due(record.due),
        "condition": words(record.condition),
        "consequence": words(record.consequence),
        "project": words(record.project),
    }


def _due(date: DateReading | None) -> str | None:
    """The last day, or the moment, until which something is due."""
    moment = None if date is None else date.deadline
    if date is None or moment is None:
        return None
    if date.candidates[0].grain in _CLOCK_GRAINS or date.candidates[0].end is None:
        return moment.isoformat()
    return (moment - timedelta(microseconds=1)).date().isoformat()


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
