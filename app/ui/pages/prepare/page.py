"""Prepare: what a task needs, put together by a template, shipped or the person's own (G4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import Text, msg
from app.ui import naming
from app.ui.pages.heading import Heading
from app.ui.pages.prepare.template_form import TemplateForm
from app.ui.parts.banner import Banner, EmptyState
from app.ui.parts.filter_field import FilterField
from app.ui.parts.layouts import Page, column
from app.ui.parts.record_list import RecordList
from app.ui.rows import Row
from app.ui.tokens import GAP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.serving import TemplateInfo
    from app.ui.desk import Desk


class PreparePage(Page):
    """A list of templates; one that is opened takes its place."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._templates: Sequence[TemplateInfo] = ()
        self.form: TemplateForm | None = None
        wording, theme = desk.wording, desk.theme
        self.banner = Banner(wording, theme)
        self.filter = FilterField(wording, theme, msg("Find a template"))
        self.list = RecordList(wording, theme, msg("Templates"))
        self._card = self.list.framed(is_narrowed=True)
        self._place = column(gap=GAP)
        self._empty = EmptyState(
            wording,
            theme,
            "prepare",
            msg("There are no templates."),
            msg("Templates for a weekly report, a meeting, a reply and other tasks will be here."),
        )
        self._build()
        self.filter.narrowed.connect(self._show)
        self.filter.left.connect(self.list.enter)
        self.list.opened.connect(lambda row: self.open_template(row.key))
        # templates say what they are in the language in which they were asked for
        wording.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Ask for the templates anew."""
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "templates", self.banner)

    def open_template(self, name: str) -> TemplateForm:
        """Open the form of a template."""
        self._leave()
        template = next(template for template in self._templates if template.name == name)
        form = self.form = TemplateForm(self._desk, template)
        form.left.connect(self._back)
        self._place.addWidget(form)
        self._show_place()
        self.verticalScrollBar().setValue(0)
        for first in (*form.fields.values(), form.run_button)[:1]:
            first.setFocus()
        return form

    async def _load(self) -> None:
        self._templates = await self._desk.api.templates()
        form = self.form
        for template in self._templates:
            if form is not None and form.template.name == template.name:
                form.show_template(template)
        self._show()

    def _show(self) -> None:
        self.list.show_rows([self._row(template) for template in self._templates if self._fits(template)])
        self._show_place()

    def _show_place(self) -> None:
        is_listed = self.form is None
        self._card.setVisible(is_listed and bool(self._templates))
        self.filter.setVisible(is_listed and len(self._templates) > 1)
        self._empty.setVisible(is_listed and not self._templates)

    def _fits(self, template: TemplateInfo) -> bool:
        say = self._desk.wording.say
        return self.filter.fits((template.name, say(template.title), say(template.meaning)))

    def _row(self, template: TemplateInfo) -> Row:
        say = self._desk.wording.say
        details = self._desk.wording.listed(naming.span_names(template.window))
        if template.problem is not None:
            details = say(msg("cannot be used: {reason}", reason=template.problem))
        elif template.is_own:
            details = say(msg("your own"))
        return Row(
            key=template.name,
            icon="prepare",
            title=say(template.title),
            details=details,
            snippet=say(template.meaning),
            is_stale=template.problem is not None,
        )

    def _back(self) -> None:
        self._leave()
        self._show_place()
        self.list.enter()

    def _leave(self) -> None:
        if self.form is not None:
            self.form.stop()
            self.form.hide()
            self.form.deleteLater()
            self.form = None

    def _build(self) -> None:
        about: Text = msg("Choose what you are about to do, and Famulus puts together what it needs, with its sources.")
        self.content.addWidget(Heading(self._desk.wording, msg("Prepare"), about))
        for widget in (self.banner, self.filter, self._empty, self._card):
            self.content.addWidget(widget)
        self.content.addLayout(self._place)
        self.content.addStretch(1)
        self._empty.hide()
        self._card.hide()
        self.filter.hide()
