"""The first collection, with progress, pause and cancel; then the hotkey."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import Text, counted, msg
from app.runtime.stop import StopSwitch
from app.ui import naming
from app.ui.doing import ProgressRelay
from app.ui.parts.layouts import card, empty, line
from app.ui.parts.progress_line import ProgressLine
from app.ui.parts.status_line import StatusLine
from app.ui.setup.reading import Reading
from app.ui.setup.step import Step
from app.ui.tokens import GAP_SMALL

if TYPE_CHECKING:
    from app.ui.desk import Desk


class CollectingStep(Step):
    """Begins by itself; one can go on while it works."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            desk, msg("Reading what you chose"), msg("You can go on at any time; it continues in the background.")
        )
        self._frame, self._inside = card(gap=GAP_SMALL)
        self._has_begun = False
        self._switch = StopSwitch()
        self.readings: dict[str, Reading] = {}
        self.meaning = ProgressLine(desk.wording, desk.theme)
        self.summary = StatusLine(desk.wording, desk.theme)
        self.body.addWidget(self._frame)
        self.meaning.paused.connect(self._on_meaning_paused)
        self.meaning.cancelled.connect(self._on_cancelled)

    def enter(self) -> None:
        """Begin."""
        if not self._has_begun:
            self._has_begun = True
            self.desk.doing(self._collect(), "collect for the first time", self.banner)

    async def _collect(self) -> None:
        sources = [source for source in await self.desk.api.sources() if naming.is_followed(source)]
        empty(self._inside)
        for source in sources:
            if self.readings:
                self._inside.addWidget(line())
            self.readings[source.source_id] = Reading(self.desk, source)
            self._inside.addWidget(self.readings[source.source_id])
        self._inside.addWidget(self.meaning)
        self._inside.addWidget(self.summary)
        self.meaning.hide()
        self.summary.hide()
        if not sources:
            self._say(
                "info", msg("There is nothing to read yet."), msg("Add folders and calendars on the page Sources.")
            )
            return
        for source in sources:
            task = self.desk.collecting.sync(source.source_id, self.banner)
            if task is not None:
                await task
        await self._index()

    async def _index(self) -> None:
        self.meaning.begin(msg("Learning what it means"))
        self.meaning.show()
        relay = ProgressRelay()
        relay.moved.connect(self.meaning.show_progress)
        try:
            with self._switch as stop:
                await self.desk.api.wait_until_indexed(progress=relay, stop=stop)
        finally:
            self.meaning.hide()
        await self.desk.status.refresh()
        report = self.desk.status.report
        count = self.desk.wording.number(report.counts.entries if report is not None else 0)
        self._say(
            "done",
            counted("{count} entry is ready.", "{count} entries are ready.", count=count),
            msg("Changes are followed from now on."),
        )

    def _on_cancelled(self) -> None:
        self._switch.stop()

    def _on_meaning_paused(self, is_paused: bool) -> None:
        (self._switch.pause if is_paused else self._switch.resume)()

    def _say(self, icon: str, head: Text, detail: Text) -> None:
        self.summary.show_fact(icon, head, detail)
        self.summary.show()


class DoneStep(Step):
    """Tells how Famulus is called from anywhere."""

    next_text = msg("Open Famulus")

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, msg("Famulus is ready"), msg("It lives in the tray and is one key press away."))
        self.hotkey = StatusLine(desk.wording, desk.theme)
        self.tray = StatusLine(desk.wording, desk.theme)
        self.tray.show_fact(
            "ask", msg("Ask from the tray."), msg("Closing the window leaves Famulus in the tray; quit it from there.")
        )
        frame, inside = card()
        inside.addWidget(self.hotkey)
        inside.addWidget(self.tray)
        self.body.addWidget(frame)
        self.show_hotkey("", None)

    def show_hotkey(self, keys: str, problem: Text | None) -> None:
        """Tell the keys as people read them; or why there are none and what to do instead."""
        if problem is None and keys:
            self.hotkey.show_fact(
                "keyboard", msg("Press {keys} anywhere.", keys=keys), msg("You can change the keys in the settings.")
            )
        else:
            self.hotkey.show_fact("keyboard", msg("Bind a key to the command famulus --toggle."), problem, ink="asks")
