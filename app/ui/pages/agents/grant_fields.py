"""The fields in which a person says what a client may see: scopes, a ceiling, an end, and limits (G4.6, G8.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QWidget

from app.domain.clients import EXPIRES_IN_DAYS, Grant
from app.domain.errors import BadInput
from app.domain.labels import Sensitivity
from app.domain.text import Text, counted, msg
from app.domain.words import word
from app.ui import naming
from app.ui.pages.agents import granting
from app.ui.pages.agents.granting import EXPIRIES, NEVER, SESSION_EXPIRIES
from app.ui.parts.choice import Choice
from app.ui.parts.labels import said, tooltip
from app.ui.parts.layouts import column, row
from app.ui.parts.toggles import TickBox
from app.ui.tokens import GAP, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QVBoxLayout

    from app.ui.desk import Desk

_KEPT: Final = "kept"
_MOST_RATE: Final = 10_000
_MOST_ITEMS: Final = 1_000_000
_COLUMNS: Final = 2


class GrantFields(QWidget):
    """`changed` tells that another grant is chosen.

    Args:
        scopes: those that can be chosen.
        grant: what is chosen at first; None: nothing.
        has_limits: whether the person can change how much may be read.
        is_session: whether it is for what ends with the program that asks.
    """

    changed = Signal()

    def __init__(
        self,
        desk: Desk,
        scopes: Iterable[str],
        grant: Grant | None = None,
        *,
        has_limits: bool = True,
        is_session: bool = False,
    ) -> None:
        super().__init__()
        self._desk = desk
        self._before = grant if grant is not None else Grant(frozenset())
        self.ticks = {scope: self._tick(scope) for scope in sorted({*scopes, *self._before.scopes})}
        ends = SESSION_EXPIRIES if is_session else self._expiries(grant)
        levels = {level.word: word(level.word) for level in Sensitivity}
        self.ceiling = Choice(desk.wording, desk.theme, msg("The most sensitive that it may see"), levels)
        self.expiry = Choice(desk.wording, desk.theme, msg("When its access ends"), ends)
        self.rate = self._number(msg("Requests a minute"), self._before.rate_per_minute)
        self.items = self._number(msg("Items a day"), self._before.items_per_day)
        self._fill(grant)
        self._build(has_limits=has_limits)
        for limit in (self.rate, self.items) if not has_limits else ():
            limit.hide()
        for choice in (self.ceiling, self.expiry):
            choice.chosen.connect(lambda _: self.changed.emit())

    def grant(self) -> Grant:
        """What is chosen; raises `BadInput` for a number that cannot be."""
        return Grant(
            scopes=self.scopes(),
            ceiling=Sensitivity.from_word(self.ceiling.key),
            acls=self._before.acls,
            rate_per_minute=_whole(self.rate, _MOST_RATE),
            items_per_day=_whole(self.items, _MOST_ITEMS),
            expires_in_days=self._days(),
        )

    def scopes(self) -> frozenset[str]:
        """The scopes that are ticked."""
        return frozenset(scope for scope, tick in self.ticks.items() if tick.isChecked())

    def effect(self) -> str:
        """What this would give, as a sentence; a limit that cannot be is told when it is sent."""
        chosen = Grant(self.scopes(), Sensitivity.from_word(self.ceiling.key))
        return self._desk.wording.say(granting.effect(chosen, self._desk.wording))

    def _days(self) -> int | None:
        if self.expiry.key == _KEPT:
            return self._before.expires_in_days
        return None if self.expiry.key == NEVER else int(self.expiry.key)

    @staticmethod
    def _expiries(grant: Grant | None) -> dict[str, Text]:
        days = grant.expires_in_days if grant is not None else None
        if days is None or str(days) in EXPIRIES:
            return dict(EXPIRIES)
        return {_KEPT: counted("As it is: in {count} day", "As it is: in {count} days", count=days), **EXPIRIES}

    def _fill(self, grant: Grant | None) -> None:
        for scope, tick in self.ticks.items():
            tick.setChecked(scope in self._before.scopes)
            tick.toggled.connect(lambda _: self.changed.emit())
        self.ceiling.choose(self._before.ceiling.word)
        days = EXPIRES_IN_DAYS if grant is None else grant.expires_in_days
        self.expiry.choose(NEVER if days is None else str(days))

    def _tick(self, scope: str) -> TickBox:
        made = TickBox(self._desk.theme)
        # a long one is cut where its column ends, and told in full
        made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        name = naming.scope_name(scope)
        shown = name if isinstance(name, Text) else Text("{scope}", {"scope": name})
        self._desk.wording.bind(made, "setText", shown)
        made.setToolTip("" if isinstance(name, Text) else tooltip(name))
        self._desk.wording.bind(made, "setAccessibleName", msg("May read {scope}", scope=name))
        return made

    def _number(self, meaning: Text, value: int) -> QLineEdit:
        made = QLineEdit(str(value))
        made.setMaxLength(9)
        self._desk.wording.bind(made, "setAccessibleName", meaning)
        made.textEdited.connect(lambda _: self.changed.emit())
        return made

    def _build(self, *, has_limits: bool) -> None:
        wording = self._desk.wording
        boxes = QGridLayout()
        boxes.setContentsMargins(0, 0, 0, 0)
        boxes.setHorizontalSpacing(GAP)
        boxes.setVerticalSpacing(0)
        for place in range(_COLUMNS):
            boxes.setColumnStretch(place, 1)
        for place, tick in enumerate(self.ticks.values()):
            boxes.addWidget(tick, place // _COLUMNS, place % _COLUMNS)
        inside = column(gap=GAP_SMALL)
        inside.addWidget(said(wording, msg("What it may read"), "small"))
        inside.addLayout(boxes)
        pair = row(gap=GAP)
        pair.addLayout(self._under(msg("Up to, and nothing more sensitive"), self.ceiling), 1)
        pair.addLayout(self._under(msg("Its access ends"), self.expiry), 1)
        inside.addLayout(pair)
        if has_limits:
            numbers = row(gap=GAP)
            numbers.addLayout(self._under(msg("Requests a minute"), self.rate), 1)
            numbers.addLayout(self._under(msg("Items a day"), self.items), 1)
            inside.addLayout(numbers)
        self.setLayout(inside)

    def _under(self, meaning: Text, widget: QWidget) -> QVBoxLayout:
        pair = column(gap=GAP_TINY)
        pair.addWidget(said(self._desk.wording, meaning, "small", is_wrapping=True))
        pair.addWidget(widget)
        return pair


def _whole(field: QLineEdit, most: int) -> int:
    typed = field.text().strip()
    value = int(typed) if typed.isascii() and typed.isdigit() else 0
    if not 1 <= value <= most:
        raise BadInput(
            msg("{name}: this is no whole number from 1 to {most}.", name=field.accessibleName(), most=most),
            next_step=msg("Type another number."),
        )
    return value
