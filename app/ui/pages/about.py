"""Privacy: what is kept where, who can open it, and the proof that it is whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl

from app.domain.text import Text, msg
from app.domain.words import subject
from app.ui.opening import open_source
from app.ui.pages.heading import Heading
from app.ui.pages.keys_card import KeysCard
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import button
from app.ui.parts.labels import ElidedLabel, plain, said
from app.ui.parts.layouts import Page, beside, card, column, row
from app.ui.parts.status_line import StatusLine
from app.ui.tokens import GAP

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QHBoxLayout, QWidget

    from app.domain.checking import CheckReport
    from app.ui.desk import Desk


class AboutPage(Page):
    """Three cards: what is kept, the keys, the check."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.banner = Banner(desk.wording, desk.theme)
        self.keys = KeysCard(desk)
        self.check_button = button(
            desk.wording, msg("Check the database"), self._check, theme=desk.theme, icon="shield"
        )
        self.repair_button = button(desk.wording, msg("Repair"), self._repair)
        self._findings = plain(role="small", is_wrapping=True)
        self._version = plain(role="hint", is_wrapping=True)
        self.content.addWidget(
            Heading(desk.wording, msg("Privacy"), msg("What is kept, where it is, and who can open it."))
        )
        for widget in (self.banner, self._make_kept(), self.keys, self._make_check(), self._version):
            self.content.addWidget(widget)
        self.content.addStretch(1)
        desk.status.changed.connect(self._show_version)
        desk.wording.changed.connect(self._show_version)
        self._show_version()

    def _make_kept(self) -> QWidget:
        desk = self._desk
        made, inside = card()
        leaves = StatusLine(desk.wording, desk.theme)
        leaves.show_fact(
            "local", msg("Nothing leaves this device."), msg("There is no account, no cloud and no telemetry.")
        )
        inside.addWidget(leaves)
        kept = StatusLine(desk.wording, desk.theme)
        kept.show_fact(
            "lock",
            msg("Everything personal is in one encrypted database."),
            msg("Text, full-text index, meanings and dates; logs and caches hold nothing of it."),
        )
        inside.addWidget(kept)
        places = column(gap=GAP // 2)
        for name, path in (
            (msg("Database"), desk.paths.data),
            (msg("Settings"), desk.paths.config),
            (msg("Models"), desk.paths.models),
        ):
            places.addLayout(self._make_place(name, path))
        inside.addLayout(places)
        return made

    def _make_place(self, name: Text, path: Path) -> QHBoxLayout:
        label = said(self._desk.wording, name, "small")
        label.setMinimumWidth(96)
        where = ElidedLabel("small")
        where.show_text(str(path))
        show = button(self._desk.wording, msg("Show"), lambda: self._show_folder(path), role="link")
        self._desk.wording.bind(show, "setAccessibleName", msg("Show the folder: {name}", name=name))
        line = row(gap=GAP)
        line.addSpacing(32)
        line.addWidget(label)
        line.addWidget(where, 1)
        line.addWidget(show)
        return line

    def _make_check(self) -> QWidget:
        made, inside = card()
        inside.addWidget(said(self._desk.wording, msg("Is everything whole?"), "heading"))
        about = msg("Counts rows, full text, meanings and references, and proves that they agree.")
        inside.addWidget(said(self._desk.wording, about, "soft", is_wrapping=True))
        inside.addWidget(self._findings)
        inside.addLayout(beside(self.check_button, self.repair_button))
        self._findings.hide()
        self.repair_button.hide()
        return made

    def _check(self) -> None:
        self._desk.doing(self._run_check(is_repairing=False), "check", self.banner, busy=(self.check_button,))

    def _repair(self) -> None:
        busy = (self.check_button, self.repair_button)
        self._desk.doing(self._run_check(is_repairing=True), "repair", self.banner, busy=busy)

    async def _run_check(self, *, is_repairing: bool) -> None:
        self.banner.clear()
        self._show_report(await self._desk.api.check(is_repairing=is_repairing))

    def _show_report(self, report: CheckReport) -> None:
        say, number = self._desk.wording.say, self._desk.wording.number
        lines = []
        for finding in report.findings:
            state = msg("in order") if finding.problem is None else finding.problem
            repaired = say(msg("repaired"))
            what, of = subject(finding.subject)
            line = f"{say(what)} {of}".rstrip() + f": {number(finding.count)} · {say(state)}"
            lines.append(f"{line} ({repaired})" if finding.was_repaired else line)
        head = msg("Everything is whole.") if report.is_clean else msg("Something is off.")
        self._findings.setText("\n".join([say(head), *lines]))
        self._findings.show()
        self.repair_button.setVisible(not report.is_clean)

    def _show_folder(self, path: Path) -> None:
        self._desk.doing(self._open(path), "show a folder", self.banner)

    async def _open(self, path: Path) -> None:
        await open_source(QUrl.fromLocalFile(str(path)).toString(), self._desk.blocking)

    def _show_version(self) -> None:
        report = self._desk.status.report
        if report is not None:
            text = msg("Famulus {version}. Apache License 2.0; uses Qt under the LGPL.", version=report.version)
            self._version.setText(self._desk.wording.say(text))
