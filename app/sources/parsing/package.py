"""Office documents and books are ZIP containers of XML: this opens them, and lets nothing in them cost too much.

What a container says of its members' sizes is added up before anything is unpacked, and Python reads no more of a
member than was said. XML is read without entities, without DTDs and without a network, and streamed where it is long.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from app.domain.text import msg
from app.sources.parsing.refusals import damaged, encrypted, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# What the standard library's reader of ZIP files raises on broken ones
ZIP_FAULTS = (
    *(zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, NotImplementedError, UnicodeError),
    *(OverflowError, RuntimeError),
)
_MAX_MEMBERS = 10_000
# A tree takes about eight times its text
_MAX_TREE_BYTES = 48 * 1024 * 1024
# XML shrinks to a tenth or a thirtieth; what shrinks more is the same thing again and again
_SURE_BYTES = 16 * 1024 * 1024
_MAX_RATIO = 200
_ENCRYPTED_FLAG = 0x1
_SAFE = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


@dataclass(frozen=True, slots=True)
class Link:
    """A relation from one part to another: the last word of its type, and the path it leads to."""

    kind: str
    target: str


class Package:
    """One container.

    Args:
        kind: what the file claims to be, for refusals.
        limit_bytes: what all members together may unpack to.

    Raises:
        Unreadable: it is damaged, encrypted, or would unpack to far more than a document has.
    """

    def __init__(self, data: bytes, kind: str, limit_bytes: int) -> None:
        self._kind = kind
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
            members = self._archive.infolist()
        except ZIP_FAULTS:
            raise damaged(kind) from None
        total = sum(member.file_size for member in members)
        if len(members) > _MAX_MEMBERS or total > limit_bytes or any(map(_is_bomb, members)):
            raise unreadable(msg("It would unpack to far more than a document has."))
        self._members = {_plain(member.filename): member for member in reversed(members)}

    @property
    def names(self) -> Sequence[str]:
        """The paths of all members, in lower case, with forward slashes."""
        return tuple(self._members)

    def has(self, name: str) -> bool:
        """Whether there is such a member; case does not count."""
        return _plain(name) in self._members

    def read(self, name: str) -> bytes | None:
        """A member's bytes; None where there is none. Raises `Unreadable` for one that is damaged."""
        if not self.has(name):
            return None
        try:
            with self._open(name) as file:
                data: bytes = file.read()
        except ZIP_FAULTS:
            raise damaged(self._kind) from None
        return data

    def tree(self, name: str) -> Any:  # noqa: ANN401 - lxml has no types
        """A member as an XML tree; None where there is none, or where it is no XML. Raises `Unreadable`."""
        member = self._members.get(_plain(name))
        if member is None:
            return None
        if member.file_size > _MAX_TREE_BYTES:
            raise unreadable(msg("It would unpack to far more than a document has."))
        return xml_tree(self.read(name) or b"")

    def stream(self, name: str, *tags: str) -> Iterator[Any]:
        """The outermost elements of these local names, one after another; each is gone when the next is asked for.

        Raises `Unreadable` where the member is missing or no XML.
        """
        from lxml import etree  # noqa: PLC0415 - only documents need it

        if not self.has(name):
            raise damaged(self._kind)
        wanted = [f"{{*}}{tag}" for tag in tags]
        depth = 0
        try:
            with self._open(name) as file:
                for event, element in etree.iterparse(file, events=("start", "end"), tag=wanted, **_SAFE):
                    depth += 1 if event == "start" else -1
                    if event == "end" and depth == 0:
                        yield element
                        _drop(element)
        except (*ZIP_FAULTS, etree.LxmlError, SyntaxError):
            raise damaged(self._kind) from None

    def links(self, part: str) -> dict[str, Link]:
        """The relations of a part (OPC, ECMA-376 part 2) by their ids; empty where it has none."""
        folder, _, file = _plain(part).rpartition("/")
        root = self.tree(f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels")
        found: dict[str, Link] = {}
        for link in root if root is not None else ():
            if link.get("TargetMode") != "External" and link.get("Id") and link.get("Target"):
                kind = (link.get("Type") or "").rstrip("/").rpartition("/")[2]
                found[link.get("Id")] = Link(kind, joined(folder, link.get("Target")))
        return found

    def main_part(self, fallback: str) -> str:
        """The path of the part that is the document itself."""
        mains = [link.target for link in self.links("").values() if link.kind == "officeDocument"]
        return next((target for target in mains if self.has(target)), fallback)

    def _open(self, name: str) -> Any:  # noqa: ANN401 - either of two kinds of files
        member = self._members[_plain(name)]
        if member.flag_bits & _ENCRYPTED_FLAG:
            raise encrypted()
        return self._archive.open(member)


def xml_tree(data: bytes) -> Any:  # noqa: ANN401 - lxml has no types
    """The root element of a text in XML; None for what is none."""
    from lxml import etree  # noqa: PLC0415 - see Package.stream

    try:
        return etree.fromstring(data, etree.XMLParser(**_SAFE))
    except (etree.LxmlError, ValueError, SyntaxError):
        return None


def local(element: Any) -> str:  # noqa: ANN401
    """An element's name without its namespace; empty for what is no element."""
    tag = element.tag
    return _local(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=1024)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def attribute(element: Any, name: str) -> str:  # noqa: ANN401
    """An attribute by its local name, in whatever namespace; empty where there is none."""
    value = element.get(name)
    if value is not None:
        return str(value)
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def below(element: Any, name: str) -> Iterator[Any]:  # noqa: ANN401
    """All elements of a local name below one."""
    return iter(element.iter(f"{{*}}{name}"))


def text_of(element: Any) -> str:  # noqa: ANN401
    """All text below an element."""
    return "".join(element.itertext()) if element is not None else ""


def joined(folder: str, target: str) -> str:
    """A path within a container, from a reference in a part of `folder`."""
    path = unquote(target.replace("\\", "/")).partition("#")[0]
    whole = path if path.startswith("/") else f"{folder}/{path}"
    return posixpath.normpath(whole).lstrip("/")


def _is_bomb(member: zipfile.ZipInfo) -> bool:
    return member.file_size > _SURE_BYTES and member.file_size > _MAX_RATIO * member.compress_size


def _plain(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _drop(element: Any) -> None:  # noqa: ANN401
    """Free an element, and everything in front of it."""
    parent = element.getparent()
    element.clear()
    while parent is not None and (before := element.getprevious()) is not None:
        parent.remove(before)
