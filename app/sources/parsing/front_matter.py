"""The YAML at the head of a Markdown note: its title, dates, tags, status and whatever else it says of itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

import yaml

from app.domain.entries import PersonRef
from app.domain.labels import Status
from app.domain.text import Text, msg
from app.sources.parsing.blocks import one_line
from app.sources.parsing.dates import read_instant

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

_MAX_CHARS = 64 * 1024
# A note's head nests nothing; deep nesting takes seconds to be refused
_MAX_BRACKETS = 300
_MAX_FIELDS = 40
_MAX_VALUE_CHARS = 500

_TITLE = ("title", "标题")
_CREATED = ("created", "created_at", "date created", "creation_date", "date", "日期", "创建日期", "创建时间")
_UPDATED = ("updated", "updated_at", "modified", "last_modified", "lastmod", "date modified", "更新日期", "修改日期")
_EVENT = ("date", "event_time", "meeting_date", "日期", "会议日期")
_VALID_FROM = ("valid_from", "effective", "effective_from", "生效日期")
_VALID_TO = ("valid_to", "valid_until", "expires", "expiry", "失效日期", "有效期至")
_STATUS = ("status", "state", "状态")
_TAGS = ("tags", "tag", "标签", "標籤")
_SOURCE = ("source", "source_url", "source-url", "来源", "原文链接", "原文")
_ADDRESS = (*_SOURCE, "url", "link", "链接", "网址")
_CLIPPED = frozenset(("clippings", "clipping", "clip", "webclip", "web-clip", "剪藏", "网页剪藏"))
_AUTHOR = ("author", "authors", "作者")
_LANGUAGE = ("lang", "language", "语言")
_STATUS_WORDS = {
    **dict.fromkeys(("draft", "草稿"), Status.DRAFT),
    **dict.fromkeys(("active", "open", "current", "in progress", "published", "进行中", "有效"), Status.ACTIVE),
    **dict.fromkeys(("done", "completed", "complete", "finished", "closed", "完成", "已完成"), Status.DONE),
    **dict.fromkeys(("canceled", "cancelled", "取消", "已取消"), Status.CANCELED),
    **dict.fromkeys(("superseded", "obsolete", "deprecated", "作废", "已作废"), Status.SUPERSEDED),
}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the head of a note says."""

    title: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    event_time: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    status: Status | None = None
    language: str | None = None
    people: tuple[PersonRef, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    warnings: tuple[Text, ...] = ()


def read(text: str, zone: tzinfo) -> FrontMatter:
    """Read it; what is no YAML, or no mapping, gives a warning and is otherwise ignored."""
    try:
        is_sane = len(text) <= _MAX_CHARS and text.count("[") + text.count("{") <= _MAX_BRACKETS
        loaded = yaml.safe_load(text) if is_sane else None
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError, OverflowError):
        loaded = None
    if not isinstance(loaded, dict):
        is_empty = not text.strip()
        return FrontMatter(
            warnings=() if is_empty else (msg("The head of the note (front matter) is not valid YAML."),)
        )
    values = {key.strip().lower(): value for key, value in loaded.items() if isinstance(key, str)}

    def instant(names: Sequence[str]) -> datetime | None:
        return next((found for name in names if (found := read_instant(values.get(name), zone)) is not None), None)

    return FrontMatter(
        title=_first_text(values, _TITLE),
        created_at=instant(_CREATED),
        updated_at=instant(_UPDATED),
        event_time=instant(_EVENT),
        valid_from=instant(_VALID_FROM),
        valid_to=instant(_VALID_TO),
        status=_STATUS_WORDS.get((_first_text(values, _STATUS) or "").casefold()),
        language=_first_text(values, _LANGUAGE),
        people=tuple(PersonRef(name, "", "author") for name in _texts(_first(values, _AUTHOR))),
        metadata=MappingProxyType(_metadata(values)),
    )


def _first(values: Mapping[str, object], names: Sequence[str]) -> object:
    return next((values[name] for name in names if name in values), None)


def _first_text(values: Mapping[str, object], names: Sequence[str]) -> str | None:
    texts = _texts(_first(values, names))
    return texts[0] if texts else None


def _texts(value: object) -> list[str]:
    """A scalar, or the scalars of a flat list, as short lines; what is nested is left out."""
    parts = value if isinstance(value, list) else [value]
    scalars = (part for part in parts[:_MAX_FIELDS] if isinstance(part, str | int | float | date))
    return [line for part in scalars if (line := one_line(_scalar(part), _MAX_VALUE_CHARS))]


def _scalar(value: str | float | date) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)[: _MAX_VALUE_CHARS * 2]


def _metadata(values: Mapping[str, object]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in values.items():
        if len(found) < _MAX_FIELDS and (texts := _texts(value)):
            found[one_line(key, 60)] = one_line(", ".join(texts), _MAX_VALUE_CHARS)
    return found | _marks(values)


def _marks(values: Mapping[str, object]) -> dict[str, str]:
    """Tags as all of Famulus has them; the page that a note was clipped from, and then that it is of the web (X9.1)."""
    tags = _tags(_first(values, _TAGS))
    address = next((text for name in _ADDRESS for text in _texts(values.get(name)) if _is_address(text)), "")
    is_clipped = not _CLIPPED.isdisjoint(tag.casefold() for tag in tags)
    has_source = any(_is_address(text) for name in _SOURCE for text in _texts(values.get(name)))
    found = {"tags": " ".join(tags), "url": address, "origin": "web" if is_clipped and has_source else ""}
    return {key: value for key, value in found.items() if value}


def _tags(value: object) -> list[str]:
    """Tags without `#`. In a list a tag may have spaces, which become hyphens; a text is cut at them."""
    parts = (
        re.split(r"[,，\s]+", value) if isinstance(value, str) else ["-".join(text.split()) for text in _texts(value)]
    )
    return list(dict.fromkeys(tag for part in parts[:_MAX_FIELDS] if (tag := one_line(part.lstrip("#"), 100))))


def _is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))
