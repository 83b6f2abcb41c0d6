"""The reviews: weekly, monthly and quarterly; read here, copied, or put into a file (G7)."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QGuiApplication

from app.domain.errors import ReadOnly
from app.domain.events import ReviewWritten
from app.domain.metrics import ReviewKind
from app.domain.text import Text, msg
from app.runtime import clock
from app.ui import moments
from app.ui.pages.sections import Section
from app.ui.parts.back_link import BackLink
from app.ui.parts.banner import Banner, EmptyState
from app.ui.parts.buttons import button
from app.ui.parts.choice import Choice
from app.ui.parts.filter_field import FilterField
from app.ui.parts.layouts import beside, card
from app.ui.parts.markdown_view import MarkdownView
from app.ui.parts.record_list import RecordList
from app.ui.picking import pick_target
from app.ui.rows import Row
from app.ui.tokens import GAP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from app.domain.metrics import Review
    from app.ui.desk import Desk

_RHYTHMS: Final = {
    ReviewKind.WEEKLY: msg("Weekly"),
    ReviewKind.MONTHLY: msg("Monthly"),
    ReviewKind.QUARTERLY: msg("Quarterly"),
}
_KINDS: Final = {
    ReviewKind.WEEKLY: msg("Weekly review"),
    ReviewKind.MONTHLY: msg("Monthly review of the rules"),
    ReviewKind.QUARTERLY: msg("Quarterly review of the weights"),
}


class ReviewsSection(Section):
    """The list, or in its place the review that is open."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        wording, theme = desk.wording, desk.theme
        self._reviews: Sequence[Review] = ()
        self._open_review: Review | None = None
        self.banner = Banner(wording, theme)
        kinds = {kind.value: words for kind, words in _RHYTHMS.items()}
        self.kind = Choice(wording, theme, msg("Which review"), kinds)
        self.write_button = button(wording, msg("Write it now"), self._write, theme=theme, icon="plus")
        self.filter = FilterField(wording, theme, msg("Find a review"))
        self.list = RecordList(wording, theme, msg("Reviews"))
        self._listed = self.list.framed(is_narrowed=True)
        self._empty = EmptyState(
            wording,
            theme,
            "metrics",
            msg("No review is written yet."),
            msg("Famulus writes one every week, month and quarter. You can have one written now."),
        )
        self.text = MarkdownView(theme)
        self._reader = self._make_reader()
        self._build()
        desk.bus.subscribe(ReviewWritten, lambda _: self.refresh())
        desk.wording.changed.connect(self._show)

    def refresh(self) -> None:
        """Ask for the reviews anew."""
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "reviews", self.banner)

    async def _load(self) -> None:
        self._reviews = await self._desk.api.reviews()
        self._show()

    def _show(self) -> None:
        rows = [self._row(review) for review in self._reviews]
        self.list.show_rows([row for row in rows if self.filter.fits((row.title, row.details))])
        self._show_place()

    def _show_place(self) -> None:
        is_reading = self._open_review is not None
        self._listed.setVisible(not is_reading and bool(self._reviews))
        self.filter.setVisible(not is_reading and len(self._reviews) > 1)
        self._empty.setVisible(not is_reading and not self._reviews)
        self._reader.setVisible(is_reading)

    def _named(self, review: Review) -> str:
        wording = self._desk.wording
        span = f"{moments.short_day(review.first_day, wording)} \N{EN DASH} "
        return f"{wording.say(_KINDS[review.kind])}, {span}{moments.written_date(review.last_day, wording)}"

    def _row(self, review: Review) -> Row:
        wording = self._desk.wording
        age = wording.say(moments.age(review.made_at, clock.now()))
        return Row(key=str(review.review_id), icon="prepare", title=self._named(review), details=age)

    def _write(self) -> None:
        work = self._write_and_open(ReviewKind(self.kind.key))
        self._desk.doing(work, "write a review", self.banner, busy=(self.write_button,))

    async def _write_and_open(self, kind: ReviewKind) -> None:
        written = await self._desk.api.write_review(kind)
        self._reviews = await self._desk.api.reviews()
        self._read(written if written.text else await self._desk.api.review(written.review_id))

    def _on_opened(self, row: Row) -> None:
        self._desk.doing(self._fetch(int(row.key)), "read a review", self.banner)

    async def _fetch(self, review_id: int) -> None:
        self._read(await self._desk.api.review(review_id))

    def _read(self, review: Review) -> None:
        self._open_review = review
        self.text.show_markdown(review.text)
        # before the list goes: what is hidden gives the keyboard to whatever is next
        self._reader.show()
        self.back_button.setFocus()
        self._show()

    def _back(self) -> None:
        self._open_review = None
        self._show()
        self.list.enter()

    def _copy(self) -> None:
        if self._open_review is not None:
            QGuiApplication.clipboard().setText(self._open_review.text)
            self.banner.show_note(msg("The review is on the clipboard."))

    def _export(self) -> None:
        review = self._open_review
        if review is not None:
            name = f"famulus-{review.kind.value}-{review.last_day.isoformat()}.md"
            pick_target(self, self._desk.wording, name, self.export_to)

    def export_to(self, path: str) -> None:
        """Write the open review into a file of the person's choice."""
        if self._open_review is not None:
            work = self._write_file(path, self._open_review.text)
            self._desk.doing(work, "export a review", self.banner)

    async def _write_file(self, path: str, text: str) -> None:
        await self._desk.blocking.run(_write_text, path, text)
        told: Text = msg("Written: {path}", path=path)
        self.banner.show_note(told)

    def _make_reader(self) -> QWidget:
        wording, theme = self._desk.wording, self._desk.theme
        self.back_button = BackLink(wording, theme, msg("All reviews"), self._back)
        self.copy_button = button(wording, msg("Copy the review"), self._copy, theme=theme, icon="copy")
        export = msg("Put it into a file\N{HORIZONTAL ELLIPSIS}")
        self.export_button = button(wording, export, self._export, theme=theme, icon="file")
        frame, inside = card()
        inside.addWidget(self.text)
        inside.addLayout(beside(self.copy_button, self.export_button))
        return self.back_button.above(frame)

    def _build(self) -> None:
        self.list.opened.connect(self._on_opened)
        self.filter.narrowed.connect(self._show)
        self.filter.left.connect(self.list.enter)
        self.content.addLayout(beside(self.kind, self.write_button, gap=GAP))
        for widget in (self.banner, self.filter, self._empty, self._listed, self._reader):
            self.content.addWidget(widget)
        for widget in (self.filter, self._empty, self._listed, self._reader):
            widget.hide()


def _write_text(path: str, text: str) -> None:
    """Write all of it or nothing: what lies there under this name is replaced whole."""
    target = Path(path)
    fresh = target.with_name(f"{target.name}.new")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(target)
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):
            fresh.unlink(missing_ok=True)
        raise ReadOnly(
            msg("The file could not be written: {reason}", reason=getattr(error, "strerror", None) or ""),
            next_step=msg("Choose another folder."),
        ) from error
