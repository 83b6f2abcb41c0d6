"""What an Office document (OOXML) says of itself: title, author, dates."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import PersonRef
from app.sources.parsing.blocks import one_line
from app.sources.parsing.dates import read_instant
from app.sources.parsing.package import local, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.sources.parsing.package import Package

# What programs put in when nobody gave one
_NO_TITLE = frozenset(
    (
        "powerpoint presentation",
        "powerpoint 演示文稿",
        "presentation",
        "演示文稿",
        "slide 1",
        "幻灯片 1",
        "untitled",
        "无标题",
    )
)
_NO_AUTHOR = frozenset(("openpyxl", "python-pptx", "python-docx", "apache poi", "unknown creator", "microsoft"))
_METADATA = ("subject", "keywords", "category", "description")


@dataclass(frozen=True, slots=True)
class Properties:
    """Empty and None for what it does not say."""

    title: str = ""
    people: tuple[PersonRef, ...] = ()
    created_at: datetime | None = None
    updated_at: datetime | None = None
    language: str | None = None
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def read_properties(package: Package) -> Properties:
    """Read the core properties (ECMA-376 part 2, chapter 11); a broken part says nothing."""
    targets = [link.target for link in package.links("").values() if link.kind == "core-properties"]
    root = package.tree(targets[0] if targets else "docProps/core.xml")
    said: dict[str, str] = {}
    for element in root if root is not None else ():
        said.setdefault(local(element), text_of(element).strip())
    return properties_from(said)


def properties_from(said: Mapping[str, str]) -> Properties:
    """From plain values by their Dublin Core names (`created` and `modified` for the dates)."""
    title = one_line(said.get("title", ""))
    author = one_line(said.get("creator", ""), 200)
    return Properties(
        title="" if title.lower() in _NO_TITLE else title,
        people=(PersonRef(author, "", "author"),) if author and author.lower() not in _NO_AUTHOR else (),
        created_at=read_instant(said.get("created"), UTC),
        updated_at=read_instant(said.get("modified"), UTC),
        language=one_line(said.get("language", ""), 35) or None,
        metadata=MappingProxyType({name: one_line(said[name], 500) for name in _METADATA if said.get(name)}),
    )
