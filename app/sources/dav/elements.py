"""XML as servers answer it, read without what makes XML dangerous: no DTD, no entities, bounded depth and number.

Names are "namespace local", as in "DAV: href".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_ELEMENTS = 3_000_000
_DEEPEST = 60


class BadXml(ValueError):
    """It is no XML, or not of a kind that is read."""


@dataclass(slots=True)
class Element:
    """One element. `text` is what stands directly in it, in one piece."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> Iterator[Element]:
        """The children of this name."""
        return (child for child in self.children if child.name == name)

    def find(self, *path: str) -> Element | None:
        """The first one along a path of names."""
        found: Element | None = self
        for name in path:
            found = next(found.all(name), None) if found is not None else None
        return found

    def said(self, *path: str) -> str:
        """The text along a path; empty where there is none."""
        found = self.find(*path)
        return found.text.strip() if found is not None else ""


def read_xml(data: bytes) -> Element:
    """The root element of a document; raises `BadXml`."""
    return _Reading().run(data)


class _Reading:
    def __init__(self) -> None:
        self._root: Element | None = None
        self._open: list[tuple[Element, list[str]]] = []
        self._count = 0

    def run(self, data: bytes) -> Element:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        try:
            parser.Parse(data, True)  # noqa: FBT003 - the library wants it so
        except (expat.ExpatError, ValueError, LookupError):
            raise BadXml("not XML, or of a dangerous kind") from None
        if self._root is None:
            raise BadXml("nothing in it")
        return self._root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > _MOST_ELEMENTS or len(self._open) >= _DEEPEST:
            raise BadXml("too much of it")
        element = Element(name, attributes)
        if self._open:
            self._open[-1][0].children.append(element)
        else:
            self._root = element
        self._open.append((element, []))

    def _end(self, _: str) -> None:
        element, parts = self._open.pop()
        element.text = "".join(parts)

    def _characters(self, text: str) -> None:
        if self._open:
            self._open[-1][1].append(text)

    def _refuse(self, *_: object) -> None:
        raise BadXml("a DTD")
