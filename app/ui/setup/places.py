"""Which folders and calendars to collect: some are suggested, others can be added."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFrame, QSizePolicy

from app.domain.collecting import SourceDraft
from app.domain.text import msg
from app.ui import naming
from app.ui.parts.buttons import button
from app.ui.parts.labels import ElidedLabel, pictured
from app.ui.parts.layouts import beside, column, row
from app.ui.parts.toggles import TickBox
from app.ui.picking import home_folder, pick_calendars, pick_folder
from app.ui.setup.step import Step
from app.ui.tokens import GAP, GAP_SMALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.ui.desk import Desk

_FOLDERS: Final = ("Notes", "notes", "笔记", "Obsidian", "Obsidian Vault")


@dataclass(frozen=True, slots=True)
class Place:
    """A folder or a calendar that could be collected."""

    kind: str
    location: str

    @property
    def name(self) -> str:
        """Its last part."""
        return Path(self.location).name or self.location


def suggest(home: Path, documents: Path) -> list[Place]:
    """Folders that probably hold notes and documents; asks the disk, so it belongs on a lane."""
    candidates = [documents, *(base / name for base in (home, documents) for name in _FOLDERS)]
    found: list[Path] = []
    for folder in candidates:
        is_new = not any(folder.samefile(other) or other in folder.parents for other in found if folder.exists())
        if folder.is_dir() and folder != home and is_new:
            found.append(folder)
    return [Place("files", str(folder)) for folder in found]


class PlacesStep(Step):
    """Adds what is ticked as sources."""

    skip_text = msg("Later")

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            desk,
            msg("What may Famulus read?"),
            msg("Choose folders and calendars. It reads them, follows their changes, and never changes anything."),
        )
        self.rows: dict[str, _PlaceRow] = {}
        self._list = column(gap=GAP_SMALL)
        self._has_suggested = False
        self._is_adding = False
        self.folder_button = button(
            desk.wording,
            msg("Add a folder"),
            lambda: pick_folder(self, desk.wording, partial(self.add, "files")),
            theme=desk.theme,
            icon="folder",
        )
        self.calendar_button = button(
            desk.wording,
            msg("Add a calendar"),
            lambda: pick_calendars(self, desk.wording, partial(self.add, "ics")),
            theme=desk.theme,
            icon="calendar",
        )
        self.body.addLayout(self._list)
        self.body.addLayout(beside(self.folder_button, self.calendar_button))

    @property
    def is_ready(self) -> bool:
        """Once anything is ticked."""
        return bool(self.chosen()) and not self._is_adding

    def chosen(self) -> list[Place]:
        """What is ticked."""
        return [row.place for row in self.rows.values() if row.tick.isChecked()]

    def enter(self) -> None:
        """Suggest what is there."""
        if not self._has_suggested:
            self._has_suggested = True
            self.desk.doing(self._suggest(), "suggest folders", self.banner)

    def add(self, kind: str, location: str) -> None:
        """Add a place, ticked."""
        self._show([Place(kind, location)])

    def go_on(self) -> None:
        """Add the sources."""
        self._is_adding = True
        self.readied.emit(False)
        self.desk.doing(self._add_sources(self.chosen()), "add the first sources", self.banner)

    async def _suggest(self) -> None:
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        self._show(await self.desk.blocking.run(suggest, Path(home_folder()), Path(documents)))

    def _show(self, places: Sequence[Place]) -> None:
        for place in places:
            if place.location in self.rows:
                self.rows[place.location].tick.setChecked(True)
                continue
            made = _PlaceRow(self.desk, place)
            made.tick.toggled.connect(lambda _: self.readied.emit(self.is_ready))
            self.rows[place.location] = made
            self._list.addWidget(made)
        self.readied.emit(self.is_ready)

    async def _add_sources(self, places: Sequence[Place]) -> None:
        self.banner.clear()
        try:
            known = {source.location for source in await self.desk.api.sources()}
            for place in places:
                if place.location not in known:
                    await self.desk.api.add_source(SourceDraft(place.kind, place.location))
        finally:
            self._is_adding = False
            self.readied.emit(self.is_ready)
        self.finished.emit()


class _PlaceRow(QFrame):
    """A tick, an icon, the name, and where it is."""

    def __init__(self, desk: Desk, place: Place) -> None:
        super().__init__()
        self.place = place
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.tick = TickBox(desk.theme)
        self.tick.setChecked(True)
        self.tick.setAccessibleName(place.name)
        self.tick.setAccessibleDescription(place.location)
        name, where = ElidedLabel("heading"), ElidedLabel("small", Qt.TextElideMode.ElideMiddle)
        name.show_text(place.name)
        where.show_text(place.location)
        words = column(gap=0)
        words.addWidget(name)
        words.addWidget(where)
        inside = row(gap=GAP, margins=(GAP, GAP_SMALL, GAP, GAP_SMALL))
        inside.addWidget(self.tick)
        inside.addWidget(pictured(desk.theme, naming.source_icon(place.kind)))
        inside.addLayout(words, 1)
        self.setLayout(inside)
