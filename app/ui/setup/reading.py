"""One source in the first collection: its name, what is known of it, and its progress while it is read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.domain.text import Text, counted, msg
from app.ui import naming
from app.ui.parts.labels import ElidedLabel, pictured, plain
from app.ui.parts.layouts import column, row
from app.ui.parts.progress_line import ProgressLine
from app.ui.tokens import GAP, GAP_SMALL

if TYPE_CHECKING:
    from app.domain.collecting import SourceInfo, SyncReport
    from app.ui.desk import Desk


class Reading(QWidget):
    """Follows the sync of its source through the desk's `collecting`."""

    def __init__(self, desk: Desk, source: SourceInfo) -> None:
        super().__init__()
        self._desk = desk
        self._source_id = source.source_id
        self.progress = ProgressLine(desk.wording, desk.theme)
        self._glyph = pictured(desk.theme, "clock", "ink_faint", size=16)
        self._state = plain(role="small")
        self._build(source)
        self.progress.paused.connect(lambda is_paused: desk.collecting.pause(self._source_id, is_paused=is_paused))
        self.progress.cancelled.connect(partial(desk.collecting.cancel, self._source_id))
        desk.collecting.changed.connect(self._on_changed)
        desk.collecting.finished.connect(self._on_finished)
        self._say("clock", "ink_faint", msg("waits its turn"))

    @property
    def text(self) -> str:
        """What is known of it."""
        return self._state.text()

    def _on_changed(self, source_id: str) -> None:
        if source_id != self._source_id:
            return
        job = self._desk.collecting.job(source_id)
        self.progress.setVisible(job is not None)
        if job is None:
            # a report that comes after this says better what happened
            self._say("stop", "ink_faint", msg("stopped"))
        elif job.progress is None:
            self._say("sync", "accent", msg("reading"))
            self.progress.begin(msg("Reading"))
        else:
            self.progress.show_progress(job.progress)

    def _on_finished(self, report: SyncReport) -> None:
        if report.source_id != self._source_id:
            return
        count = self._desk.wording.number(report.added + report.changed + report.unchanged)
        if report.skipped:
            skipped = self._desk.wording.number(len(report.skipped))
            self._say(
                "warning",
                "asks",
                counted(
                    "{count} entry, {skipped} could not be read",
                    "{count} entries, {skipped} could not be read",
                    count=count,
                    skipped=skipped,
                ),
            )
        else:
            self._say("done", "accent", counted("{count} entry", "{count} entries", count=count))

    def _say(self, icon: str, ink: str, text: Text) -> None:
        self._desk.theme.bind_picture(self._glyph, icon, ink, size=16)
        self._desk.wording.bind(self._state, "setText", text)

    def _build(self, source: SourceInfo) -> None:
        name = ElidedLabel("body")
        name.show_text(self._desk.wording.say(naming.source_name(source)))
        head = row(gap=GAP_SMALL)
        head.addWidget(pictured(self._desk.theme, naming.source_icon(source.kind)))
        head.addWidget(name, 1)
        head.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self._state)
        inside = column(gap=GAP_SMALL, margins=(0, GAP // 2, 0, GAP // 2))
        inside.addLayout(head)
        inside.addWidget(self.progress)
        self.progress.hide()
        self.setLayout(inside)
