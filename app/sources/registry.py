"""The kinds of sources by name. The built-ins come in through the same door as a plug-in.

A plug-in is a module with a function `register(registry)` that adds its kinds. This module imports none of them before
`load` is asked to, so that a program start does not pay for what it does not use.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.errors import BadInput, Bug
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from app.domain.labels import Trust
    from app.domain.text import Text
    from app.sources.contract import Capability, Source, SourceContext

BUILT_INS = (
    "app.sources.chat",
    "app.sources.files",
    "app.sources.ics",
    "app.sources.imap",
    "app.sources.mbox",
    "app.sources.bookmarks",
    "app.sources.history",
    "app.sources.todo",
    "app.sources.notes",
    "app.sources.dav",
    "app.sources.vcard",
)


@dataclass(frozen=True, slots=True)
class SourceOption:
    """Something a person may choose for a source, such as which folders: `famulus add imap ... --set folders=INBOX`.

    Attributes:
        check: raises `BadInput` for a wrong value; None: any text.
    """

    name: str
    meaning: Text
    default: str = ""
    check: Callable[[str], None] | None = None


@dataclass(frozen=True, slots=True)
class SourceKind:
    """One kind of source.

    Attributes:
        name: what people type after `famulus add`.
        meaning: one line for a list of kinds.
        location: what its location is, for a person who adds one.
        canonical: makes the location absolute and checks it; raises `BadInput`.
        open: makes a source of this kind.
        needs_secret: whether a password or token is asked for when it is added.
        options: what else a person may choose, by name.
        capabilities: for the table of what each kind can do.
        trust_of: how far what lies at a location is trusted (X9.1); None: as the person's own files.
    """

    name: str
    meaning: Text
    location: Text
    canonical: Callable[[str], str]
    open: Callable[[SourceContext], Source]
    needs_secret: bool = False
    options: tuple[SourceOption, ...] = ()
    capabilities: frozenset[Capability] = frozenset()
    trust_of: Callable[[str], Trust] | None = None


class Registry:
    """All kinds that were registered."""

    def __init__(self) -> None:
        self._kinds: dict[str, SourceKind] = {}

    def register(self, kind: SourceKind) -> None:
        """Add a kind; a name can be taken only once."""
        if kind.name in self._kinds:
            raise Bug(f"the source kind {kind.name} was registered twice")
        self._kinds[kind.name] = kind

    def load(self, modules: Iterable[str] = BUILT_INS) -> None:
        """Let each module register its kinds."""
        for module in modules:
            importlib.import_module(module).register(self)

    def kinds(self) -> Sequence[SourceKind]:
        """All kinds, by name."""
        return sorted(self._kinds.values(), key=lambda kind: kind.name)

    def kind(self, name: str) -> SourceKind:
        """The kind of this name; raises `BadInput` for an unknown one."""
        try:
            return self._kinds[name]
        except KeyError:
            raise BadInput(
                msg("There is no source kind named {name}.", name=name),
                next_step=msg("Use one of: {names}.", names=", ".join(kind.name for kind in self.kinds())),
            ) from None

    def open(self, context: SourceContext) -> Source:
        """Make the source that the context describes."""
        return self.kind(context.source.kind).open(context)
