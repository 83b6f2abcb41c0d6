"""Where Famulus collects from: add sources of any kind, see how each is, sync, pause, remove (D8.4, D8.5)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QMenu, QWidget

from app.domain.collecting import SourceChange, SourceDraft
from app.domain.events import SourceChanged, SyncFinished
from app.domain.text import counted, msg
from app.ui import naming
from app.ui.opening import open_source
from app.ui.pages.heading import Heading
from app.ui.pages.source_card import SourceCard
from app.ui.pages.source_form import SourceForm
from app.ui.parts.banner import Banner, EmptyState
from app.ui.parts.buttons import button
from app.ui.parts.confirmation import Confirmation, confirm
from app.ui.parts.drop_hint import DropHint
from app.ui.parts.labels import on_button, set_role
from app.ui.parts.layouts import Page, beside, column
from app.ui.picking import pick_folder
from app.ui.tokens import GAP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent

    from app.domain.collecting import ImportReport, KindInfo, SourceInfo
    from app.ui.desk import Desk


class SourcesPage(Page):
    """Cards, newest last; folders, calendars and files can be dropped anywhere on the page."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.cards: dict[str, SourceCard] = {}
        self.banner = Banner(desk.wording, desk.theme)
        self._cards = column(gap=GAP)
        self._empty = EmptyState(
            desk.wording,
            desk.theme,
            "sources",
            msg("Your sources will be here."),
            msg("Add the folders, mailboxes and calendars that you want to ask about. Everything stays where it is."),
        )
        self._build()
        self.setAcceptDrops(True)
        desk.bus.subscribe(SourceChanged, self._on_event)
        desk.bus.subscribe(SyncFinished, self._on_event)
        desk.collecting.finished.connect(self._on_event)

    def refresh(self) -> None:
        """Ask for the sources anew."""
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "sources", self.banner)

    def add_folder(self) -> None:
        """Let the person choose a folder, and collect from it."""
        pick_folder(self, self._desk.wording, partial(self._add, "files"))

    def add_other(self) -> None:
        """Let the person choose a kind, and set a source of it up."""
        self._desk.doing(self._offer_kinds(), "offer kinds of sources", self.banner)

    async def _offer_kinds(self) -> None:
        kinds = await self._desk.api.source_kinds()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for kind in kinds:
            action = menu.addAction(on_button(self._desk.wording.say(kind.meaning)))
            self._desk.theme.bind_icon(action, naming.source_icon(kind.name), size=16)
            action.triggered.connect(partial(self.set_up, kind))
        menu.popup(self.other_button.mapToGlobal(self.other_button.rect().bottomLeft()))
        self.kinds_menu = menu

    def set_up(self, kind: KindInfo, *_: object) -> SourceForm:
        """Open the sheet for a new source of a kind."""
        form = SourceForm(self, self._desk, kind, self._add_drafted)
        form.open()
        return form

    async def _add_drafted(self, form: SourceForm) -> None:
        source = await self._desk.api.add_source(form.draft())
        await self._load()
        self.cards[source.source_id].sync()

    def _set_up_anew(self, source: SourceInfo) -> None:
        self._desk.doing(self._open_form(source), "set up a source", self.banner)

    async def _open_form(self, source: SourceInfo) -> None:
        kinds = {kind.name: kind for kind in await self._desk.api.source_kinds()}
        if source.kind in kinds:
            SourceForm(self, self._desk, kinds[source.kind], partial(self._change, source), source).open()

    async def _change(self, source: SourceInfo, form: SourceForm) -> None:
        await self._desk.api.change_source(source.source_id, form.change())
        await self._load()

    def _pause(self, source: SourceInfo) -> None:
        change = SourceChange(is_paused=not source.is_paused)
        self._desk.doing(self._change_and_load(source.source_id, change), "pause a source", self.banner)

    async def _change_and_load(self, source_id: str, change: SourceChange) -> None:
        await self._desk.api.change_source(source_id, change)
        await self._load()

    def _add(self, kind: str, location: str) -> None:
        self._desk.doing(self._add_and_sync(kind, location), "add a source", self.banner)

    async def _add_and_sync(self, kind: str, location: str) -> None:
        self.banner.clear()
        source = await self._desk.api.add_source(SourceDraft(kind, location))
        await self._load()
        self.cards[source.source_id].sync()

    async def _load(self) -> None:
        self._show(await self._desk.api.sources())

    def _show(self, sources: Sequence[SourceInfo]) -> None:
        wanted = {source.source_id for source in sources}
        for source_id in [known for known in self.cards if known not in wanted]:
            card = self.cards.pop(source_id)
            self._cards.removeWidget(card)
            card.hide()
            card.deleteLater()
        for source in sources:
            if source.source_id in self.cards:
                self.cards[source.source_id].show_source(source)
            else:
                self._add_card(source)
        self._empty.setVisible(not sources)
        self.sync_button.setVisible(bool(sources))

    def _add_card(self, source: SourceInfo) -> None:
        card = SourceCard(self._desk, source)
        card.wants_removal.connect(self._ask_removal)
        card.wants_location.connect(self._show_location)
        card.wants_set_up.connect(self._set_up_anew)
        card.wants_pause.connect(self._pause)
        self.cards[source.source_id] = card
        self._cards.addWidget(card)

    def _ask_removal(self, source: SourceInfo) -> None:
        count = self._desk.wording.number(source.entry_count)
        effects = (
            counted(
                "{count} entry from {name} leaves the database, with everything that was derived from it.",
                "{count} entries from {name} leave the database, with everything that was derived from them.",
                count=count,
                name=naming.source_name(source),
            ),
            msg("The originals are not touched."),
            msg("This cannot be undone, but they can be collected again."),
        )
        title = msg("Remove this source?")
        question = Confirmation(self, self._desk, title, effects, do=msg("Remove"), dont=msg("Keep"))
        confirm(question, partial(self._remove, source.source_id))

    def _remove(self, source_id: str) -> None:
        self._desk.collecting.cancel(source_id)
        self._desk.doing(self._remove_and_tell(source_id), "remove a source", self.banner)

    async def _remove_and_tell(self, source_id: str) -> None:
        removed = await self._desk.api.remove_source(source_id)
        await self._load()
        self.banner.show_note(
            counted(
                "Removed, with {count} entry.",
                "Removed, with {count} entries.",
                count=self._desk.wording.number(removed),
            )
        )

    def _show_location(self, source: SourceInfo) -> None:
        uri = QUrl.fromLocalFile(source.location).toString()
        self._desk.doing(self._open(uri), "show a location", self.banner)

    async def _open(self, uri: str) -> None:
        await open_source(uri, self._desk.blocking)

    def _sync_all(self) -> None:
        for card in self.cards.values():
            card.banner.clear()
        self._desk.doing(self._sync_each(), "sync all", self.banner)

    async def _sync_each(self) -> None:
        for card in [card for card in self.cards.values() if naming.is_followed(card.source)]:
            task = self._desk.collecting.sync(card.source.source_id, card)
            if task is not None:
                await task

    def _on_event(self, _: object) -> None:
        self.refresh()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and folders of this device."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self._mark_target(is_target=True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Nothing is to be dropped any more."""
        self._mark_target(is_target=False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Folders and calendars become sources; other files are taken in once."""
        self._mark_target(is_target=False)
        event.acceptProposedAction()
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        self.take(paths)

    def take(self, paths: Sequence[str]) -> None:
        """Take what was dropped."""
        self._desk.doing(self._take(paths), "take what was dropped", self.banner)

    async def _take(self, paths: Sequence[str]) -> None:
        folders = await self._desk.blocking.run(lambda: {path for path in paths if Path(path).is_dir()})
        calendars = {path for path in paths if path.lower().endswith(".ics") and path not in folders}
        for path in paths:
            if path in folders or path in calendars:
                await self._add_and_sync("files" if path in folders else "ics", path)
        files = [path for path in paths if path not in folders and path not in calendars]
        if files:
            self._tell_import(await self._desk.api.import_paths(files))

    def _tell_import(self, reports: Sequence[ImportReport]) -> None:
        refused = [report for report in reports if report.refusal is not None]
        taken = counted("{count} file was taken in.", "{count} files were taken in.", count=len(reports) - len(refused))
        if refused and refused[0].refusal is not None:
            self.banner.show_note(
                taken, msg("{count} could not be: {reason}", count=len(refused), reason=refused[0].refusal)
            )
        else:
            self.banner.show_note(taken)

    def _mark_target(self, *, is_target: bool) -> None:
        set_role(self._drop, "target" if is_target else "empty")

    def _build(self) -> None:
        wording, theme = self._desk.wording, self._desk.theme
        self.folder_button = button(
            wording, msg("Add a folder"), self.add_folder, role="primary", theme=theme, icon="plus"
        )
        self.other_button = button(
            wording, msg("Add something else\N{HORIZONTAL ELLIPSIS}"), self.add_other, theme=theme, icon="plus"
        )
        self.sync_button = button(wording, msg("Sync all"), self._sync_all, role="quiet", theme=theme, icon="sync")
        self._drop = DropHint(wording)
        heading = Heading(
            wording,
            msg("Sources"),
            msg("Famulus reads them and follows their changes. It never changes them."),
            self.sync_button,
        )
        buttons = QWidget()
        buttons.setLayout(beside(self.folder_button, self.other_button))
        for widget in (heading, buttons, self.banner, self._empty):
            self.content.addWidget(widget)
        self.content.addLayout(self._cards)
        self.content.addWidget(self._drop)
        self.content.addStretch(1)
        self._empty.hide()
        self.sync_button.hide()
