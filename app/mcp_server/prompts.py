"""Prompts: the task templates, filled with what the task needs and this client may see (G4.5)."""

from __future__ import annotations

import hashlib
import re
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


_TYPED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_ALIAS = re.compile(r"template-[0-9a-f]{10}")


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
    if _ALIAS.fullmatch(name):
        found = await asker.ask(lambda api, token: api.client_templates(token))
        name = next((one.name for one in found if prompt_name(one.name) == name), name)
    briefing = await asker.ask(
        lambda api, token: api.client_prepare(token, name, fields, progress=asker.progress, stop=asker.stop)
    )
    request = f"\n\nRequest {one_line(briefing.request_id)}." if briefing.request_id else ""
    return Made(clean(translate(briefing.title)), clean(briefing.text) + request)


def prompt_name(template: str) -> str:
    """What a template is called as a prompt: its name, or a short one where a program could not type it.

    The protocol allows any text, but programs make commands of prompts; the title has the template's own words.
    """
    if _TYPED.fullmatch(template):
        return template
    return f"template-{hashlib.sha256(template.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def completions(field: str, begun: str) -> tuple[str, ...]:
    """Phrases for a field that means a time; nothing of the person's data."""
    if field.casefold() not in _MOMENTS:
        return ()
    return tuple(phrase for phrase in _SPANS if phrase.startswith(begun.casefold()))


def _listed(one: TemplateInfo) -> Listed:
    fields = tuple((field.name, clean(translate(field.meaning)), field.is_required) for field in one.fields)
    return Listed(prompt_name(one.name), clean(translate(one.title)), clean(translate(one.meaning)), fields)
