"""Values for the tests of this package, and an owner that is not there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from app.domain.clients import ClientState
from app.domain.context_item import AgendaItem, ContextItem
from app.domain.entries import Place
from app.domain.labels import EntryKind, Sensitivity, Status
from app.domain.serving import Fact, Greeting, Served

NOON = datetime(2025, 5, 12, 12, tzinfo=UTC)
ITEM = ContextItem(
    item_id="abc",
    title="Budget",
    content="It is 42,000 euros.",
    source_type=EntryKind.NOTE,
    source_uri="file:///budget.md",
    event_time=NOON,
    ingested_at=NOON,
    valid_from=None,
    valid_to=None,
    task_status=None,
    scope="work",
    acl="owner",
    sensitivity=Sensitivity.INTERNAL,
    confidence=0.9,
    semantic_score=0.8,
    lexical_score=0.7,
    freshness_score=0.6,
    time_decay=0.5,
    final_score=0.75,
    stale_reason=None,
    place=Place(first_line=3, last_line=5),
)
TASK = AgendaItem("t1", EntryKind.TASK, "Call Ana", NOON, None, True, "", Status.ACTIVE, "file:///t.md", "work")
FACT = Fact("me", "address", "Main Street 1", NOON, "file:///me.md", "f1", 0.9, 4)


def item(**changes: Any) -> ContextItem:
    return replace(ITEM, **changes)


@dataclass
class PaperOwner:
    """Answers each question by what a test put there, and keeps what was asked."""

    answers: dict[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)
    is_closed: bool = False

    async def ask(self, question: Any) -> Any:
        return await question(self)

    async def close(self) -> None:
        self.is_closed = True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)

        async def answer(*args: Any, **kwargs: Any) -> Any:
            self.asked.append((name, args, kwargs))
            found = self.answers.get(name, Served("q1"))
            if isinstance(found, BaseException):
                raise found
            return found(*args, **kwargs) if callable(found) else found

        return answer


def greeting(state: ClientState = ClientState.ACTIVE) -> Greeting:
    return Greeting("mate", state.value, ("work",), Sensitivity.CONFIDENTIAL, None)
