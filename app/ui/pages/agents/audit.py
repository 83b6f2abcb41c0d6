"""What was read: by one agent or by all, today or lately, with what was asked and what it got (G4.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from app.domain.context_item import OWNER
from app.domain.events import EntriesChanged
from app.domain.labels import Sensitivity
from app.domain.text import Text, msg
from app.domain.words import word
from app.runtime import clock
from app.ui import naming
from app.ui.opening import open_source
from app.ui.pages.agents import audit_rows
from app.ui.pages.sections import Section
from app.ui.parts.banner import Banner, EmptyState
from app.ui.parts.buttons import button
from app.ui.parts.choice import Choice
from app.ui.parts.figures import Figures
from app.ui.parts.filter_field import NOTHING_FITS, FilterField
from app.ui.parts.labels import pictured, plain
from app.ui.parts.layouts import beside, card, column, empty
from app.ui.parts.record_list import RecordList
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.clients import AuditLine, AuditReport
    from app.ui.desk import Desk
    from app.ui.rows import Row

_AGENTS: Final = ""
_EVERYBODY: Final = "*"
_MOST_LINES: Final = 1_000
_SPANS: Final = {"today": msg("Today"), "7": msg("The last 7 days"), "30": msg("The last 30 days")}
_LINES: Final = 100
_PAUSE_MS: Final = 300
"""After the last letter of what is looked for."""


class AuditSection(Section):
    """A summary, then the requests by day; each item opens its source.

    The latest are shown; what is looked for is looked for among all of them, so that "nothing" is true.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        wording, theme = desk.wording, desk.theme
        self._report: AuditReport | None = None
        self._names: list[str] = []
        self._limit = _LINES
        self._found: tuple[str, Sequence[AuditLine]] | None = None
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_PAUSE_MS)
        self.lists: list[RecordList] = []
        self.banner = Banner(wording, theme)
        self.client = Choice(wording, theme, msg("Who"), {_AGENTS: msg("All agents")})
        self.span = Choice(wording, theme, msg("When"), _SPANS)
        self.span.choose("7")
        self.filter = FilterField(wording, theme, msg("Find what was asked, or what was read"))
        self.figures = Figures()
        self._levels = beside(gap=GAP_MEDIUM)
        self._summary, self._summed = card()
        self._days = column(gap=GAP_MEDIUM)
        self._shown = plain(role="hint", is_wrapping=True)
        self.more_button = button(wording, msg("Show earlier ones"), self._show_more, role="link")
        self._empty = EmptyState(
            wording,
            theme,
            "eye",
            msg("Nothing was read."),
            msg("Whatever an agent asks, and every item that it gets, will be here: with its source, and to the day."),
        )
        self._build()
        self._connect()

    def show_client(self, name: str) -> None:
        """Show what one client read."""
        if name not in self._names:
            self._names.append(name)
            self._offer_names()
        self.client.choose(name)
        self.refresh()

    def refresh(self) -> None:
        """Ask for what was read anew."""
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "audit", self.banner)

    async def _load(self) -> None:
        turn = self._begin()
        api, chosen = self._desk.api, self.client.key
        known = [client.name for client in await api.clients()]
        named = [chosen] if chosen not in {_AGENTS, _EVERYBODY} else []
        report = await self._fetch(self._limit)
        # those that were removed are known by what they read
        names = [name for name in dict.fromkeys([*known, *named, *report.clients]) if name != OWNER]
        if self._is_latest(turn):
            self._names, self._report, self._found = names, report, None
            self._offer_names()
            self._show()
            self._look_further()

    async def _fetch(self, limit: int, skip: int = 0) -> AuditReport:
        chosen = self.client.key
        return await self._desk.api.audit(
            client=None if chosen in {_AGENTS, _EVERYBODY} else chosen,
            since=audit_rows.since_of(self.span.key, clock.now()),
            limit=limit,
            skip=skip,
            is_own_included=chosen != _AGENTS,
        )

    @property
    def _is_partial(self) -> bool:
        """Whether there is more to look through than was fetched."""
        return bool(self.filter.text().strip()) and self._left_out() > 0

    def _left_out(self) -> int:
        report = self._report
        return 0 if report is None else report.requests - sum(map(audit_rows.is_request, report.lines))

    def _on_narrowed(self) -> None:
        self._show()
        self._look_further()

    def _look_further(self) -> None:
        if self._is_partial:
            self._typing.start()
        else:
            self._typing.stop()

    def _look(self) -> None:
        if self._desk.status.is_open:
            self._desk.doing(self._look_through(self.filter.text()), "look through the audit", self.banner)

    async def _look_through(self, wanted: str) -> None:
        """Find what fits among all lines, page by page; as many as can be shown."""
        turn, skip = self._begin(), 0
        found: list[AuditLine] = []
        while len(found) < _MOST_LINES:
            page = (await self._fetch(_MOST_LINES, skip)).lines
            if not self._is_latest(turn) or wanted != self.filter.text():
                return
            found += [line for line in page if audit_rows.is_fitting(line, self.filter.fits)]
            skip += _MOST_LINES
            if len(page) < _MOST_LINES:
                break
        self._found = wanted, found[:_MOST_LINES]
        self._show()

    def _offer_names(self) -> None:
        names = {name: Text("{name}", {"name": name}) for name in self._names}
        yourself = {OWNER: msg("You yourself"), _EVERYBODY: msg("Agents and you")}
        self.client.offer({_AGENTS: msg("All agents"), **names, **yourself})

    def _show(self) -> None:
        report = self._report
        if report is None:
            return
        is_any = bool(report.requests or report.lines)
        self._summary.setVisible(is_any)
        self.filter.setVisible(is_any)
        self._empty.setVisible(not is_any)
        self._show_summary(report)
        self._show_days(report)

    def _show_summary(self, report: AuditReport) -> None:
        wording = self._desk.wording
        number, say = wording.number, wording.say
        pairs = [
            (number(report.requests), say(msg("requests"))),
            (number(report.refused), say(msg("refused"))),
            (number(report.items), say(msg("items read"))),
            (number(report.entries), say(msg("different ones"))),
        ]
        self.figures.show_pairs(pairs)
        empty(self._levels)
        for level_word, count in report.by_sensitivity:
            level = Sensitivity.from_word(level_word)
            inside = beside(
                pictured(self._desk.theme, naming.sensitivity_icon(level), size=16),
                plain(f"{say(word(level_word))}: {number(count)}", "small"),
                gap=GAP_TINY,
            )
            self._levels.addLayout(inside)
        self._levels.addStretch(1)

    def _show_days(self, report: AuditReport) -> None:
        wording = self._desk.wording
        number = wording.number
        empty(self._days)
        has_client = self.client.key in {_AGENTS, _EVERYBODY}
        is_looked_through = self._found is not None and self._found[0] == self.filter.text()
        lines = self._found[1] if self._found is not None and is_looked_through else report.lines
        days = audit_rows.of_lines(lines, self.filter.fits, wording, has_client=has_client)
        self.lists = []
        for day, rows in days.items():
            made = RecordList(wording, self._desk.theme, Text("{day}", {"day": day}))
            made.opened.connect(self._open)
            made.show_rows(rows)
            self._days.addWidget(made.framed(day))
            self.lists.append(made)
        is_sure = is_looked_through or not self._is_partial
        if report.lines and not days and is_sure:
            self._days.addWidget(plain(wording.say(NOTHING_FITS), "hint"))
        shown = len(lines) if is_looked_through else report.requests - self._left_out()
        is_all = len(lines) < _MOST_LINES if is_looked_through else not self._left_out()
        told = msg("The latest {count} of {all} are shown.", count=number(shown), all=number(report.requests))
        self._shown.setText(wording.say(told))
        self._shown.setVisible(not is_all)
        self.more_button.setVisible(not is_all and not is_looked_through and self._limit < _MOST_LINES)

    def _show_more(self) -> None:
        self._limit = min(self._limit * 4, _MOST_LINES)
        self.refresh()

    def _open(self, row: Row) -> None:
        if row.uri:
            self._desk.doing(self._open_original(row.uri), "open a source", self.banner)

    async def _open_original(self, uri: str) -> None:
        await open_source(uri, self._desk.blocking)

    def _on_chosen(self, _: str) -> None:
        self._limit = _LINES
        self.refresh()

    def _enter_list(self) -> None:
        for first in self.lists[:1]:
            first.enter()

    def _connect(self) -> None:
        self.client.chosen.connect(self._on_chosen)
        self.span.chosen.connect(self._on_chosen)
        self.filter.narrowed.connect(self._on_narrowed)
        self._typing.timeout.connect(self._look)
        self.filter.left.connect(self._enter_list)
        self._desk.wording.changed.connect(self._show)
        # what was deleted meanwhile is told as deleted
        self._desk.bus.subscribe(EntriesChanged, lambda _: self.refresh() if self.isVisible() else None)

    def _build(self) -> None:
        self._summed.addWidget(self.figures)
        self._summed.addLayout(self._levels)
        more = QWidget()
        more.setLayout(beside(self._shown, self.more_button, gap=GAP))
        self.content.addLayout(beside(self.client, self.span, gap=GAP))
        for widget in (self.banner, self._summary, self.filter, self._empty):
            self.content.addWidget(widget)
        self.content.addLayout(self._days)
        self.content.addWidget(more)
        for hidden in (self._summary, self.filter, self._empty, self._shown, self.more_button):
            hidden.hide()
