"""One template: what it is for, its fields, and what came of it (G4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import isValid

from app.domain.text import Text, msg
from app.domain.words import word
from app.ui import naming
from app.ui.opening import open_source
from app.ui.pages.prepare.briefing_view import BriefingView
from app.ui.parts.back_link import BackLink
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import button
from app.ui.parts.labels import pictured, plain
from app.ui.parts.layouts import beside, card, column, row
from app.ui.parts.work_line import WorkLine
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from app.domain.serving import TemplateField, TemplateInfo
    from app.ui.desk import Desk

_MOST: Final = 2000
_STOPS: Final = ".\N{IDEOGRAPHIC FULL STOP} "


class TemplateForm(QWidget):
    """`left` tells that the person goes back to the list."""

    left = Signal()

    def __init__(self, desk: Desk, template: TemplateInfo) -> None:
        super().__init__()
        self._desk = desk
        self.template = template
        wording, theme = desk.wording, desk.theme
        self.banner = Banner(wording, theme)
        self.fields = {field.name: self._field() for field in template.fields}
        self._title, self._meaning = plain(role="heading", is_wrapping=True), plain(role="soft", is_wrapping=True)
        self._about, self._problem = plain(role="small", is_wrapping=True), plain(role="warning", is_wrapping=True)
        self._trouble = QWidget()
        self._meanings = {field.name: plain(role="small", is_wrapping=True) for field in template.fields}
        self.back_button = BackLink(wording, theme, msg("All templates"), self.left.emit)
        self.run_button = button(wording, msg("Prepare it"), self.run, role="primary", theme=theme, icon="prepare")
        self.run_button.setEnabled(template.problem is None)
        self.work = WorkLine(wording, theme)
        self.result = BriefingView(desk)
        self.result.opened.connect(self._open)
        self.result.hide()
        self._build()
        wording.changed.connect(self._show)
        self._show()

    def show_template(self, template: TemplateInfo) -> None:
        """Say what it is in the present language; what was filled in stays."""
        self.template = template
        self._show()

    def run(self) -> None:
        """Put together what the task needs."""
        if self.template.problem is None and self.run_button.isEnabled():
            self.banner.clear()
            if (empty := self._first_empty()) is not None:
                self._ask_for(empty)
                return
            self._desk.doing(self._run(), "prepare", self.banner, busy=(self.run_button,))

    def stop(self) -> None:
        """Whoever leaves the form needs no result any more."""
        self.work.stop()

    def _first_empty(self) -> TemplateField | None:
        wanted = (field for field in self.template.fields if field.is_required)
        return next((field for field in wanted if not self.fields[field.name].text().strip()), None)

    def _ask_for(self, field: TemplateField) -> None:
        meaning = self._desk.wording.say(field.meaning).rstrip(_STOPS)
        self.banner.show_note(msg("This is needed: {meaning}", meaning=meaning))
        self.fields[field.name].setFocus()

    async def _run(self) -> None:
        filled = {name: field.text().strip() for name, field in self.fields.items() if field.text().strip()}
        with self.work.work(msg("Looking for what belongs to it")) as running:
            briefing = await self._desk.api.prepare(
                self.template.name, filled, progress=running.progress, stop=running.stop
            )
        if isValid(self):
            self.result.show_briefing(briefing)
            self.result.show()

    def _field(self) -> QLineEdit:
        made = QLineEdit()
        made.setMaxLength(_MOST)
        made.returnPressed.connect(self.run)
        return made

    def _open(self, uri: str) -> None:
        self._desk.doing(self._open_original(uri), "open a source", self.banner)

    async def _open_original(self, uri: str) -> None:
        await open_source(uri, self._desk.blocking)

    def about(self) -> str:
        """What it looks at: the span, the kinds, the scope."""
        say, template = self._desk.wording.say, self.template
        kinds = self._desk.wording.listed(word(kind.value) for kind in template.kinds)
        parts: list[str | Text] = [msg("at most {count} passages", count=template.candidates)]
        parts += naming.span_names(template.window)
        parts += [Text("{kinds}", {"kinds": kinds})] if kinds else []
        parts += [naming.scope_name(template.scope)] if template.scope else []
        return naming.DOT.join(say(part) for part in parts)

    def _show(self) -> None:
        say, template = self._desk.wording.say, self.template
        self._title.setText(say(template.title))
        self._meaning.setText(say(template.meaning))
        self._about.setText(self.about())
        self._problem.setText(say(template.problem or ""))
        self._trouble.setVisible(template.problem is not None)
        for field in template.fields:
            if field.name in self.fields:
                meaning = field.meaning if field.is_required else msg("{field} (if you like)", field=field.meaning)
                self._meanings[field.name].setText(say(meaning))
                self.fields[field.name].setAccessibleName(say(field.meaning))

    def _build(self) -> None:
        whole = column(gap=GAP_MEDIUM)
        whole.addLayout(beside(self.back_button))
        frame, inside = card()
        for label in (self._title, self._meaning, self._about):
            inside.addWidget(label)
        problem = row(gap=GAP_SMALL)
        problem.addWidget(pictured(self._desk.theme, "warning", "asks", size=16))
        problem.addWidget(self._problem, 1)
        self._trouble.setLayout(problem)
        inside.addWidget(self._trouble)
        for name, field in self.fields.items():
            pair = column(gap=GAP_TINY)
            pair.addWidget(self._meanings[name])
            pair.addWidget(field)
            inside.addLayout(pair)
        inside.addLayout(beside(self.run_button, gap=GAP))
        inside.addWidget(self.work)
        inside.addWidget(self.banner)
        whole.addWidget(frame)
        whole.addWidget(self.result)
        self.setLayout(whole)
