"""`batch retrieve` over small corpora (DESIGN 6)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from app.context.batch import BatchModel, RetrieveBatch
from app.context.corpus import entries_of, read_corpus
from app.context.ranking import load_weights
from app.domain.errors import BadInput, Expected
from app.domain.instants import to_iso
from app.runtime.paths import resource
from tests.integration.context.makers import LittleModel
from tests.unit.govern.makers import WordCounter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from app.runtime.lanes import Lanes

ROWS = [
    {"id": "1", "session": "s1", "time": "1:56 pm on 8 May, 2023", "speaker": "Anna", "text": "I adopted a dog."},
    {"id": "2", "session": "s1", "time": "1:56 pm on 8 May, 2023", "speaker": "Bo", "text": "What is its name?"},
    {"id": "3", "session": "s1", "time": "1:56 pm on 8 May, 2023", "speaker": "Anna", "text": "Rex, he is brown."},
    {"id": "4", "user": 1, "time": "2023-05-08", "text": "The rent is due on Monday."},
    {"id": "5", "user": 2, "time": "2023-05-08", "text": "The rent is due on Friday."},
    {"id": "6", "user": None, "time": "2023-05-08", "text": "Everybody pays rent."},
]


@pytest.fixture
def corpus(basedir: Path) -> Path:
    path = basedir / "corpora" / "talk.jsonl"
    path.parent.mkdir()
    path.write_text("\n".join(json.dumps(row) for row in ROWS), "utf-8")
    return path


@pytest.fixture
async def make(basedir: Path, lanes: Lanes, corpus: Path) -> AsyncIterator[Callable[..., RetrieveBatch]]:
    made: list[RetrieveBatch] = []

    def build(mode: str = "words", model: LittleModel | None = None, **where: Path) -> RetrieveBatch:
        batch = RetrieveBatch(
            lanes,
            load_weights(resource("rules", "ranking.toml")),
            BatchModel(WordCounter(), model),
            scratch=basedir / "scratch",
            mode=mode,
            **(where or {"corpora": corpus.parent}),
        )
        made.append(batch)
        return batch

    yield build
    for batch in made:
        await batch.close()
    assert not list((basedir / "scratch").glob("*"))


async def run(batch: RetrieveBatch, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    return [await result(batch, row) for row in rows]


async def result(batch: RetrieveBatch, row: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"id": row["id"], "ranked": await batch.ranked(row)}
    except Expected as error:
        return {"id": row["id"], "error": str(error.what)}


async def test_rows_are_ranked_in_order(make: Callable[..., RetrieveBatch]) -> None:
    results = await run(
        make(),
        {"id": "a", "query": "who adopted a dog", "corpus": "talk"},
        {"id": "b", "query": "everybody", "corpus": "talk"},
    )
    assert [result["id"] for result in results] == ["a", "b"]
    assert results[0]["ranked"][0] == "1"
    assert results[1]["ranked"] == ["6"]


async def test_a_users_rows_are_kept_apart(make: Callable[..., RetrieveBatch]) -> None:
    for user, own in ((1, "4"), (2, "5")):
        (result,) = await run(make(), {"id": "a", "query": "when is the rent due", "corpus": "talk", "user": user})
        assert result["ranked"][0] == own
        assert set(result["ranked"]) == {own, "6"}
    (result,) = await run(make(), {"id": "a", "query": "rent", "corpus": "talk"})
    assert set(result["ranked"]) == {"4", "5", "6"}


@pytest.mark.parametrize(
    "row",
    [
        {"id": "x"},
        {"id": "x", "query": 3, "corpus": "talk"},
        {"id": "x", "query": "?", "corpus": "talk"},
        {"id": "x", "query": "rent"},
        {"id": "x", "query": "rent", "corpus": "absent"},
        {"id": "x", "query": "rent", "corpus": "../corpora/talk"},
        {"id": "x", "query": "rent", "corpus": ""},
        {"id": "x", "query": "rent", "corpus": "\ud800"},
        {"id": "x", "query": "rent", "corpus": "x" * 5000},
    ],
)
async def test_a_bad_row_has_an_error_and_the_rest_goes_on(
    make: Callable[..., RetrieveBatch], row: dict[str, Any]
) -> None:
    bad, good = await run(make(), row, {"id": "y", "query": "everybody", "corpus": "talk"})
    assert bad["id"] == "x"
    assert bad["error"]
    assert "ranked" not in bad
    assert good["ranked"] == ["6"]


@pytest.mark.parametrize("mode", ["words", "vectors", "full"])
async def test_every_mode(make: Callable[..., RetrieveBatch], corpus: Path, mode: str) -> None:
    model = None if mode == "words" else LittleModel()
    (result,) = await run(make(mode, model, corpus=corpus), {"id": "a", "query": "Anna adopted a dog"})
    assert result["ranked"][0] == "1"


async def test_meaning_without_a_model_is_an_error(make: Callable[..., RetrieveBatch]) -> None:
    (result,) = await run(make("vectors"), {"id": "a", "query": "rent", "corpus": "talk"})
    assert "model" in result["error"]


def test_sessions_become_conversations_with_their_day(now: datetime) -> None:
    first, *_ = entries_of(ROWS, "src", "everyone", now)
    assert first.blocks[0].text == "Anna: I adopted a dog."
    assert [block.place.message_id for block in first.blocks] == ["1", "2", "3"]
    assert first.event_time is not None
    assert to_iso(first.event_time) == "2023-05-08T13:56:00+08:00"


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("2023-05-15", "2023-05-15T00:00:00+08:00"),
        ("2023-05-15T10:00:00+02:00", "2023-05-15T10:00:00+02:00"),
        ("12:05 am on 1 January, 2024", "2024-01-01T00:05:00+08:00"),
        ("2023年5月15日 9:30", "2023-05-15T09:30:00+08:00"),
        ("once upon a time", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-12:00", None),
        (7, None),
    ],
)
def test_times_of_rows(now: datetime, time: object, expected: str | None) -> None:
    (made,) = entries_of([{"id": "1", "text": "x", "time": time}], "src", "everyone", now)
    assert (made.event_time and to_iso(made.event_time)) == expected


@pytest.mark.parametrize(
    "lines", [["{}"], ['{"id": 1}'], ['{"id": "1", "text": 3}'], ["nonsense"], ["[1]"], ["[" * 100_000]]
)
def test_a_bad_corpus_is_refused_by_line(basedir: Path, lines: Sequence[str]) -> None:
    path = basedir / "bad.jsonl"
    path.write_text("\n".join(['{"id": "0", "text": "fine"}', "", *lines]), "utf-8")
    with pytest.raises(BadInput, match="Line 3"):
        read_corpus(path)
