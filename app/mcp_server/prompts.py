"""Prompts: the task templates, filled with what the task needs and this client may see (G4.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.mcp_server.quoting import clean, one_line
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.domain.serving import TemplateInfo
    from app.mcp_server.asker import Asker

_SPANS = (
    "today",
    "tomorrow",
    "this week",
    "next week",
    "last week",
    "this month",
    "今天",
    "明天",
    "本周",
    "下周",
    "上周",
    "本月",
)
_MOMENTS = frozenset({"when", "day", "days", "week", "date", "span", "window", "month"})


@dataclass(frozen=True, slots=True)
class Listed:
    """A prompt as a list shows it. `fields`: name, meaning, and whether nothing can be prepared without it."""

    name: str
    title: str
    meaning: str
    fields: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A prompt for a model: what to make, and what to make it from."""

    title: str
    text: str


async def listed(asker: Asker) -> Sequence[Listed]:
    """The templates that can be used. A list alone is no reason to ask the person for anything."""
    found = await asker.ask(lambda api, token: api.client_templates(token), is_renewing=False)
    return [_listed(one) for one in found if one.problem is None]


async def made(asker: Asker, name: str, fields: Mapping[str, str]) -> Made:
    """Prepare a task; raises `BadInput` for an unknown template or a missing field."""
    briefing = await asker.ask(
        lambda api, token: api.client_prepare(token, name, fields, progress=asker.progress, stop=asker.stop)
    )
    request = f"\n\nRequest {one_line(briefing.request_id)}." if briefing.request_id else ""
    return Made(clean(translate(briefing.title)), clean(briefing.text) + request)


def completions(field: str, begun: str) -> tuple[str, ...]:
    """Phrases for a field that means a time; nothing of the person's data."""
    if field.casefold() not in _MOMENTS:
        return ()
    return tuple(phrase for phrase in _SPANS if phrase.startswith(begun.casefold()))


def _listed(one: TemplateInfo) -> Listed:
    fields = tuple((field.name, clean(translate(field.meaning)), field.is_required) for field in one.fields)
    return Listed(one.name, clean(translate(one.title)), clean(translate(one.meaning)), fields)
