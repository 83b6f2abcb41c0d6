"""What became invalid, moved or done by itself, with its reason and an undo; and suggestions (G2.6, D8.4)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

from app.domain.events import EntriesChanged
from app.domain.text import Text, msg
from app.runtime import clock
from app.ui import moments, naming
from app.ui.opening import open_source
from app.ui.pages.heading import Heading
from app.ui.parts.banner import Banner, EmptyState
from app.ui.parts.buttons import button, glyph
from app.ui.parts.labels import pictured, plain, said
from app.ui.parts.layouts import Page, at_once, card, column, empty, row
from app.ui.parts.toggles import Switch
from app.ui.tokens import GAP, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from app.domain.changes import ChangeInfo
    from app.ui.desk import Desk

_MOST: Final = 100
_TITLE_CHARACTERS: Final = 300


class ChangesPage(Page):
    """One card for each change, newest first."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._changes: Sequence[ChangeInfo] = ()
        self.banner = Banner(desk.wording, desk.theme)
        self.cards = column(gap=GAP)
        self._empty = EmptyState(
            desk.wording,
            desk.theme,
            "history",
            msg("Nothing has changed by itself."),
            msg("When a deadline passes, or a later mail cancels or moves something, it will be here with its reason."),
        )
        self.undone = Switch(desk.wording, desk.theme, msg("Show what was undone, too"))
        self.undone.toggled.connect(lambda _: self.refresh())
        self._build()
        desk.bus.subscribe(EntriesChanged, lambda _: self.refresh())
        desk.wording.changed.connect(self._show)

    def refresh(self) -> None:
        """Ask for the changes anew."""
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "changes", self.banner)

    async def _load(self) -> None:
        self._changes = await self._desk.api.changes(limit=_MOST, include_undone=self.undone.isChecked())
        self._show()

    def _show(self) -> None:
        with at_once(self.content):
            empty(self.cards)
            for change in self._changes:
                self.cards.addWidget(self._card(change))
        self._empty.setVisible(not self._changes)

    def _card(self, change: ChangeInfo) -> QWidget:
        wording, theme = self._desk.wording, self._desk.theme
        frame, inside = card()
        head = row(gap=GAP_SMALL)
        icon = "info" if change.is_suggestion else "done" if change.undone_at is not None else "history"
        head.addWidget(
            pictured(theme, icon, "asks" if change.is_suggestion else "accent"), 0, Qt.AlignmentFlag.AlignTop
        )
        words = column(gap=GAP_TINY)
        words.addWidget(plain(naming.in_one_line(change.title, _TITLE_CHARACTERS), "heading", is_wrapping=True))
        reason = moments.reason_in_words(change.reason, wording)
        if change.is_suggestion:  # what somebody claims must not read like what is so
            reason = wording.say(msg("Only claimed: {reason}", reason=reason))
        words.addWidget(plain(reason, is_wrapping=True))
        words.addWidget(plain(wording.say(self._about(change)), "small", is_wrapping=True))
        head.addLayout(words, 1)
        if change.cause_uri is not None:
            show = glyph(wording, theme, "open", msg("Open what says so"), partial(self._open, change.cause_uri))
            head.addWidget(show, 0, Qt.AlignmentFlag.AlignTop)
        if change.undone_at is None and not change.is_suggestion:
            undo = button(wording, msg("Undo"), partial(self._undo, change.change_id))
            head.addWidget(undo, 0, Qt.AlignmentFlag.AlignTop)
        inside.addLayout(head)
        return frame

    def _about(self, change: ChangeInfo) -> Text:
        age = self._desk.wording.say(moments.age(change.at, clock.now()))
        if change.undone_at is not None:
            return msg("{age}; undone since", age=age)
        if change.is_suggestion:
            return msg("{age}; nothing was changed, since who says so may not decide it", age=age)
        return Text("{age}", {"age": age})

    def _undo(self, change_id: int) -> None:
        self._desk.doing(self._undo_and_load(change_id), "undo a change", self.banner)

    async def _undo_and_load(self, change_id: int) -> None:
        await self._desk.api.undo_change(change_id)
        await self._load()

    def _open(self, uri: str) -> None:
        self._desk.doing(self._open_original(uri), "open a source", self.banner)

    async def _open_original(self, uri: str) -> None:
        await open_source(uri, self._desk.blocking)

    def _build(self) -> None:
        wording = self._desk.wording
        heading = Heading(
            wording,
            msg("Changes"),
            msg("What is no longer so, and why. It can still be found, and is not offered as a fact."),
        )
        option = row(gap=GAP_SMALL)
        option.addWidget(self.undone)
        option.addWidget(said(wording, msg("Show what was undone, too"), "small"))
        option.addStretch(1)
        for widget in (heading, self.banner, self._empty):
            self.content.addWidget(widget)
        self.content.addLayout(self.cards)
        self.content.addLayout(option)
        self.content.addStretch(1)
        self._empty.hide()
