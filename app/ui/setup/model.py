"""Prepares the model that finds things by meaning. It can be left out: words find a lot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import Cancelled
from app.domain.text import msg
from app.famulus.api import ModelState
from app.runtime.stop import StopSwitch
from app.ui.doing import ProgressRelay
from app.ui.parts.buttons import button
from app.ui.parts.layouts import beside, card
from app.ui.parts.progress_line import ProgressLine
from app.ui.parts.status_line import StatusLine
from app.ui.setup.step import Step

if TYPE_CHECKING:
    from app.ui.desk import Desk


class ModelStep(Step):
    """Begins by itself; one can go on while it works."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            desk,
            msg("Find by meaning"),
            msg("A small model lets a question in one language find an answer in the other. It runs on this device."),
        )
        self._switch = StopSwitch()
        self._is_working = False
        self.line = StatusLine(desk.wording, desk.theme)
        self.progress = ProgressLine(desk.wording, desk.theme, is_share=True)
        self.retry_button = button(desk.wording, msg("Prepare it now"), self.prepare, theme=desk.theme, icon="model")
        frame, inside = card()
        inside.addWidget(self.line)
        inside.addWidget(self.progress)
        inside.addLayout(beside(self.retry_button))
        self.body.addWidget(frame)
        self.progress.paused.connect(self._on_paused)
        self.progress.cancelled.connect(self._on_cancelled)
        self._show_state()

    def enter(self) -> None:
        """Begin, unless the model is there."""
        report = self.desk.status.report
        if report is not None and report.model in {ModelState.ABSENT, ModelState.FAILED}:
            self.prepare()
        self._show_state()

    def prepare(self) -> None:
        """Fetch and build the model; does nothing while that is under way."""
        if not self._is_working:
            self._is_working = True
            self.desk.doing(self._prepare(), "install the model", self.banner)

    async def _prepare(self) -> None:
        self.banner.clear()
        self._switch = StopSwitch()
        self.progress.begin(msg("Preparing the model"))
        self._show_state()
        relay = ProgressRelay()
        relay.moved.connect(self.progress.show_progress)
        try:
            with self._switch as stop:
                await self.desk.api.install_model(progress=relay, stop=stop)
        except Cancelled:
            pass
        finally:
            self._is_working = False
            await self.desk.status.refresh()
            self._show_state()

    def _on_cancelled(self) -> None:
        self._switch.stop()

    def _on_paused(self, is_paused: bool) -> None:
        (self._switch.pause if is_paused else self._switch.resume)()

    def _show_state(self) -> None:
        report = self.desk.status.report
        state = report.model if report is not None else ModelState.LOADING
        is_there = state in {ModelState.READY, ModelState.LOADING}
        if is_there:
            self.line.show_fact("done", msg("The model is on this device."), msg("English and Chinese, about 80 MB."))
        elif self._is_working:
            self.line.show_fact(
                "model",
                msg("About 90 MB are fetched and verified once."),
                msg("You can go on meanwhile; words are found at once."),
            )
        else:
            self.line.show_fact("model", msg("Not prepared."), msg("Famulus answers by words until it is."), ink="asks")
        self.progress.setVisible(self._is_working)
        self.retry_button.setVisible(not is_there and not self._is_working)
