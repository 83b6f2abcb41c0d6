"""One source: what it is, how it is, how far its sync is, and what can be done with it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy

from app.domain.errors import Refused, Unavailable
from app.domain.text import counted, msg
from app.runtime import clock
from app.ui import naming
from app.ui.pages.source_health import COLLECTING, health_of
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import button, glyph
from app.ui.parts.confirmation import Confirmation, confirm
from app.ui.parts.labels import ElidedLabel, pictured, plain, set_role
from app.ui.parts.layouts import column, row
from app.ui.parts.progress_line import ProgressLine
from app.ui.parts.tile import tile
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_TINY

if TYPE_CHECKING:
    from app.domain.collecting import SourceInfo
    from app.domain.errors import Expected
    from app.ui.desk import Desk


class SourceCard(QFrame):
    """The signals `wants_...` tell the source; its sync runs through the desk's `collecting`."""

    wants_removal = Signal(object)
    wants_location = Signal(object)
    wants_set_up = Signal(object)
    wants_pause = Signal(object)

    def __init__(self, desk: Desk, source: SourceInfo) -> None:
        super().__init__()
        self._desk = desk
        self.source = source
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._name = ElidedLabel("heading")
        self._location = ElidedLabel("small", Qt.TextElideMode.ElideMiddle)
        self._glyph = pictured(desk.theme, "done", "accent", size=16)
        self._health = plain(role="small", is_wrapping=True)
        self.banner = Banner(desk.wording, desk.theme)
        self.progress = ProgressLine(desk.wording, desk.theme)
        self.sync_button = button(desk.wording, msg("Sync now"), self.sync, theme=desk.theme, icon="sync")
        self.more_button = glyph(desk.wording, desk.theme, "more", msg("More about this source"), self._open_menu)
        self._menu = self._make_menu()
        self._build()
        self._connect()
        self.show_source(source)

    def show_source(self, source: SourceInfo) -> None:
        """Show the source as it is now."""
        self.source = source
        name = self._desk.wording.say(naming.source_name(source))
        self._name.show_text(name)
        self._location.show_text(source.location)
        self._location.setVisible(bool(source.location))
        self.setAccessibleName(name)
        self.sync_button.setVisible(naming.is_followed(source))
        self._show_job()

    def show_problem(self, error: Expected) -> None:
        """Show what went wrong with its sync; a refusal because of deletions can be overruled, after a question."""
        self.banner.show_problem(error)
        if isinstance(error, Refused | Unavailable):
            self.banner.offer(msg("Accept the deletions\N{HORIZONTAL ELLIPSIS}"), self._ask_about_deletions)

    def show_bug(self) -> None:
        """See `Banner`."""
        self.banner.show_bug()

    def end_problem(self) -> None:
        """See `Banner`."""
        self.banner.end_problem()

    def sync(self) -> None:
        """Collect its changes."""
        self.banner.clear()
        self._desk.collecting.sync(self.source.source_id, self)

    def _ask_about_deletions(self) -> None:
        name = naming.source_name(self.source)
        effects = (
            msg("What is no longer in {name} becomes stale: it can still be found, with the reason.", name=name),
            msg("Do this only if the folder is connected and was changed on purpose."),
        )
        title = msg("Accept the deletions?")
        question = Confirmation(self, self._desk, title, effects, do=msg("Accept them"), dont=msg("Keep everything"))
        confirm(question, self._sync_with_deletions)

    def _sync_with_deletions(self) -> None:
        self.banner.clear()
        self._desk.collecting.sync(self.source.source_id, self, confirm_deletions=True)

    def _show_health(self) -> None:
        source = self.source
        health = health_of(source, self._desk.collecting.job(source.source_id), clock.now())
        self._desk.theme.bind_picture(self._glyph, health.icon, health.ink, size=16)
        set_role(self._health, "warning" if health.needs_person else "small")
        entries = counted("{count} entry", "{count} entries", count=self._desk.wording.number(source.entry_count))
        parts = [self._desk.wording.say(part) for part in (*health.parts, entries)]
        self._health.setText(naming.DOT.join(parts))

    def _show_job(self) -> None:
        self._show_health()
        job = self._desk.collecting.job(self.source.source_id)
        self.progress.setVisible(job is not None)
        self.sync_button.setEnabled(job is None)
        if job is not None and job.progress is not None:
            self.progress.show_progress(job.progress)

    def _on_job_changed(self, source_id: str) -> None:
        if source_id != self.source.source_id:
            return
        job = self._desk.collecting.job(source_id)
        if job is not None and job.progress is None:
            self.progress.begin(COLLECTING)
        self._show_job()

    def _open_menu(self) -> None:
        is_followed = naming.is_followed(self.source)
        for action in (self._set_up, self._pause):
            action.setVisible(is_followed)
        text = msg("Collect it again") if self.source.is_paused else msg("Pause it")
        self._desk.wording.bind(self._pause, "setText", text)
        self._show.setVisible(bool(self.source.location) and "://" not in self.source.location)
        self._menu.popup(self.more_button.mapToGlobal(self.more_button.rect().bottomLeft()))

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        self._show = menu.addAction("")
        self._show.triggered.connect(lambda: self.wants_location.emit(self.source))
        self._set_up = menu.addAction("")
        self._set_up.triggered.connect(lambda: self.wants_set_up.emit(self.source))
        self._pause = menu.addAction("")
        self._pause.triggered.connect(lambda: self.wants_pause.emit(self.source))
        remove = menu.addAction("")
        remove.triggered.connect(lambda: self.wants_removal.emit(self.source))
        for action, icon, text in (
            (self._show, "open", msg("Show where it is")),
            (self._set_up, "settings", msg("Set up\N{HORIZONTAL ELLIPSIS}")),
            (self._pause, "pause", msg("Pause it")),
            (remove, "trash", msg("Remove\N{HORIZONTAL ELLIPSIS}")),
        ):
            self._desk.theme.bind_icon(action, icon, size=16)
            self._desk.wording.bind(action, "setText", text)
        return menu

    def _connect(self) -> None:
        source_id = self.source.source_id
        collecting = self._desk.collecting
        collecting.changed.connect(self._on_job_changed)
        self.progress.paused.connect(lambda is_paused: collecting.pause(source_id, is_paused=is_paused))
        self.progress.cancelled.connect(partial(collecting.cancel, source_id))
        self._desk.wording.changed.connect(lambda: self.show_source(self.source))

    def _build(self) -> None:
        names = column(gap=2)
        names.addWidget(self._name)
        names.addWidget(self._location)
        head = row(gap=GAP)
        head.addWidget(tile(self._desk.theme, naming.source_icon(self.source.kind)), 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(names, 1)
        head.addWidget(self.sync_button)
        head.addWidget(self.more_button)
        health = row(gap=GAP_TINY + 2)
        health.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        health.addWidget(self._health, 1)
        whole = column(gap=GAP, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
        whole.addLayout(head)
        whole.addLayout(health)
        whole.addWidget(self.progress)
        whole.addWidget(self.banner)
        self.setLayout(whole)
