"""The card that says how the house is: sources, meaning, and what is kept. Nothing that stands still is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.domain.collecting import SyncState
from app.domain.text import counted, msg
from app.famulus.api import ModelState
from app.runtime.stop import StopSwitch
from app.ui.doing import ProgressRelay
from app.ui.parts.banner import Banner
from app.ui.parts.layouts import column
from app.ui.parts.progress_line import ProgressLine
from app.ui.parts.status_line import StatusLine
from app.ui.tokens import GAP, GAP_MEDIUM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.collecting import SourceInfo
    from app.famulus.api import StatusReport
    from app.ui.desk import Desk


CONSENT: Final = "consent"
"""No page of its own: the card of the client that waits."""


class Health(QFrame):
    """Three lines, one more while a client waits, and the progress of the model's installation while that runs."""

    wants_page = Signal(str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._switch = StopSwitch()
        self._is_installing = False
        self.setProperty("role", "card")
        self.banner = Banner(desk.wording, desk.theme)
        self.asking_line = StatusLine(desk.wording, desk.theme)
        self.sources_line = StatusLine(desk.wording, desk.theme)
        self.meaning_line = StatusLine(desk.wording, desk.theme)
        self.kept_line = StatusLine(desk.wording, desk.theme)
        self.progress = ProgressLine(desk.wording, desk.theme, is_share=True)
        self._build()
        desk.status.changed.connect(self.refresh)
        desk.attention.changed.connect(self._show_asking)
        self._show_asking()

    def refresh(self) -> None:
        """Show the house as it is now."""
        report = self._desk.status.report
        if report is None or not self._desk.status.is_open:
            return
        self._show_meaning(report)
        self._show_kept(report)
        self._desk.doing(self._load_sources(), "sources for the status", self.banner)

    def _show_asking(self) -> None:
        count = self._desk.attention.clients
        self.asking_line.setVisible(bool(count))
        asks, before = msg("An agent asks to read from Famulus."), msg("It gets nothing before you answer.")
        if count > 1:
            asks = counted(
                "{count} agent asks to read from Famulus.", "{count} agents ask to read from Famulus.", count=count
            )
            before = msg("They get nothing before you answer.")
        self.asking_line.show_fact("asks", asks, before, ink="asks")
        self.asking_line.offer(msg("Answer"), lambda: self.wants_page.emit(CONSENT))

    async def _load_sources(self) -> None:
        self._show_sources(await self._desk.api.sources())

    def _show_sources(self, sources: Sequence[SourceInfo]) -> None:
        failed = [source for source in sources if source.state is SyncState.FAILED]
        busy = [source for source in sources if source.state is SyncState.SYNCING]
        line = self.sources_line
        if not sources:
            line.show_fact(
                "plus", msg("Nothing is collected yet."), msg("Add the folders and calendars to ask about."), ink="asks"
            )
            line.offer(msg("Add sources"), lambda: self.wants_page.emit("sources"))
        elif failed:
            named = self._desk.wording.listed(source.name for source in failed)
            line.show_fact("warning", msg("Needs you: {names}", names=named), failed[0].problem, ink="asks")
            line.offer(msg("Show"), lambda: self.wants_page.emit("sources"))
        elif busy:
            named = self._desk.wording.listed(source.name for source in busy)
            line.show_fact("sync", msg("Collecting from {names}", names=named))
        else:
            line.show_fact("done", msg("Every source is up to date."))

    def _show_meaning(self, report: StatusReport) -> None:
        line, waiting = self.meaning_line, self._desk.wording.number(report.counts.waiting)
        if self._is_installing:
            return
        if report.model in {ModelState.ABSENT, ModelState.FAILED}:
            line.show_fact(
                "model",
                msg("Found by words, not by meaning."),
                report.model_problem or msg("The model is not installed."),
                ink="asks",
            )
            line.offer(msg("Install the model"), self.install)
        elif report.model is not ModelState.READY:
            line.show_fact("model", msg("Found by words while the model loads."))
        elif report.is_embedding_paused:
            line.show_fact(
                "pause",
                msg("Indexing is paused."),
                counted("{count} passage waits.", "{count} passages wait.", count=waiting),
                ink="asks",
            )
            line.offer(msg("Go on"), lambda: self._pause(is_paused=False))
        elif report.counts.waiting:
            line.show_fact(
                "model",
                msg("Indexing."),
                counted(
                    "{count} passage is found by words only so far.",
                    "{count} passages are found by words only so far.",
                    count=waiting,
                ),
            )
            line.offer(msg("Pause"), lambda: self._pause(is_paused=True))
        else:
            line.show_fact("done", msg("Found by words and by meaning, in English and in Chinese."))

    def _show_kept(self, report: StatusReport) -> None:
        number = self._desk.wording.number
        self.kept_line.show_fact(
            "lock",
            msg("Encrypted on this device; nothing leaves it."),
            # so told, one needs no other word than many
            msg(
                "Entries: {entries}. Passages: {chunks}. Sources: {sources}.",
                entries=number(report.counts.entries),
                chunks=number(report.counts.chunks),
                sources=number(report.counts.sources),
            ),
        )

    def _pause(self, *, is_paused: bool) -> None:
        self._desk.doing(self._change_pause(is_paused=is_paused), "pause indexing", self.banner)

    async def _change_pause(self, *, is_paused: bool) -> None:
        await self._desk.api.pause_indexing(is_paused=is_paused)
        await self._desk.status.refresh()

    def install(self) -> None:
        """Fetch and build the model."""
        self._desk.doing(self._install(), "install the model", self.banner)

    async def _install(self) -> None:
        self._switch = StopSwitch()
        self._is_installing = True
        self.meaning_line.show_fact("model", msg("Installing the model."), msg("Meanwhile things are found by words."))
        self.progress.begin(msg("Preparing the model"))
        self.progress.show()
        relay = ProgressRelay()
        relay.moved.connect(self.progress.show_progress)
        try:
            with self._switch as stop:
                await self._desk.api.install_model(progress=relay, stop=stop)
        finally:
            self._is_installing = False
            self.progress.hide()
            await self._desk.status.refresh()

    def _on_cancelled(self) -> None:
        self._switch.stop()

    def _on_paused(self, is_paused: bool) -> None:
        (self._switch.pause if is_paused else self._switch.resume)()

    def _build(self) -> None:
        inside = column(gap=GAP, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
        for widget in (
            self.banner,
            self.asking_line,
            self.sources_line,
            self.meaning_line,
            self.progress,
            self.kept_line,
        ):
            inside.addWidget(widget)
        self.setLayout(inside)
        self.progress.hide()
        self.progress.paused.connect(self._on_paused)
        self.progress.cancelled.connect(self._on_cancelled)
