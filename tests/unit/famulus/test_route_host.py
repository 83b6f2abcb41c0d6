"""The reader of intents in the process that owns the data: made when asked, and anew when the table changed (L3.3)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.errors import BadInput, Unavailable
from app.famulus.route_host import RouteHost
from app.inference.intent import opening
from app.runtime.lanes import Lanes

if TYPE_CHECKING:
    from pathlib import Path


class PaperReader:
    def __init__(self, made: list[Any]) -> None:
        made.append(self)

    def read(self, text: str) -> str:
        return f"read {text}"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found: list[Any] = []
    monkeypatch.setattr(opening, "open_reader", lambda embedder, config: PaperReader(found))
    return found


def host_of(lanes: Lanes, config: Path, embedder: object | None = None) -> RouteHost:
    parts: Any = SimpleNamespace(lanes=lanes, paths=SimpleNamespace(config=config))
    model: Any = SimpleNamespace(embedder=embedder, touch=lambda: None)
    return RouteHost(parts, model)


async def test_the_table_and_an_example_of_ones_own(lanes: Lanes, tmp_path: Path) -> None:
    host = host_of(lanes, tmp_path / "config")
    assert "recall" in {intent.id for intent in await host.intents()}
    await host.add("recall", "what was that again", is_new=False)
    assert sum(intent.own_examples for intent in await host.intents()) == 1
    with pytest.raises(BadInput, match="no intent"):
        await host.add("parcel", "where is it", is_new=False)


async def test_without_a_model_nothing_is_read(lanes: Lanes, tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        await host_of(lanes, tmp_path).read("hello")


async def test_the_reader_is_made_once_and_again_when_the_table_changes(
    lanes: Lanes, tmp_path: Path, made: list[Any]
) -> None:
    host = host_of(lanes, tmp_path, object())
    assert await host.read("a") == "read a"
    await host.read("b")
    assert len(made) == 1
    await host.add("recall", "what was that again", is_new=False)
    await host.read("c")
    assert len(made) == 2
