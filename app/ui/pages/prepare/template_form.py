"""One template: what it is for, its fields, and what came of it (G4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.text import Text, msg
from app.domain.words import word
from app.ui import naming
from app.ui.opening import open_source
from app.ui.pages.prepare.briefing_view import BriefingView
from app.ui.parts.back_link import BackLink
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import button
from app.ui.parts.labels import pictured, plain, said
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
        self.fields = {field.name: self._field(field) for field in template.fields}
        self.back_button = BackLink(wording, theme, msg("All templates"), self.left.emit)
        self.run_button = button(wording, msg("Prepare it"), self.run, role="primary", theme=theme, icon="prepare")
        self.run_button.setEnabled(template.problem is None)
        self.work = WorkLine(wording, theme)
        self.result = BriefingView(desk)
        self.result.opened.connect(self._open)
        self.result.hide()
        self._build()

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
        self.result.show_briefing(briefing)
        self.result.show()

    def _field(self, field: TemplateField) -> QLineEdit:
        made = QLineEdit()
        made.setMaxLength(_MOST)
        self._desk.wording.bind(made, "setAccessibleName", field.meaning)
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

    def _build(self) -> None:
        wording, theme = self._desk.wording, self._desk.theme
        whole = column(gap=GAP_MEDIUM)
        whole.addLayout(beside(self.back_button))
        frame, inside = card()
        inside.addWidget(said(wording, self.template.title, "heading", is_wrapping=True))
        inside.addWidget(said(wording, self.template.meaning, "soft", is_wrapping=True))
        self._about = plain(self.about(), "small", is_wrapping=True)
        wording.changed.connect(lambda: self._about.setText(self.about()))
        inside.addWidget(self._about)
        if self.template.problem is not None:
            problem = row(gap=GAP_SMALL)
            problem.addWidget(pictured(theme, "warning", "asks", size=16))
            problem.addWidget(said(wording, self.template.problem, "warning", is_wrapping=True), 1)
            inside.addLayout(problem)
        for field in self.template.fields:
            pair = column(gap=GAP_TINY)
            meaning = field.meaning if field.is_required else msg("{field} (if you like)", field=field.meaning)
            pair.addWidget(said(wording, meaning, "small", is_wrapping=True))
            pair.addWidget(self.fields[field.name])
            inside.addLayout(pair)
        inside.addLayout(beside(self.run_button, gap=GAP))
        inside.addWidget(self.work)
        inside.addWidget(self.banner)
        whole.addWidget(frame)
        whole.addWidget(self.result)
        self.setLayout(whole)
