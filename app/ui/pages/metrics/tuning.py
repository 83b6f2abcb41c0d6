"""Weights of ranking that the marks propose: shown with what they would do, and applied only on a yes (G7.2)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from app.domain.text import Text, msg
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import button
from app.ui.parts.confirmation import Confirmation, confirm
from app.ui.parts.labels import pictured, plain, said
from app.ui.parts.layouts import beside, column, empty, row
from app.ui.parts.work_line import WorkLine
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from app.domain.metrics import TuningProposal
    from app.ui.desk import Desk

_WEIGHTS: Final = {
    "semantic": msg("Meaning"),
    "lexical": msg("Words"),
    "freshness": msg("Freshness"),
    "confidence": msg("Confidence"),
    "active_task_bonus": msg("Extra for an open task"),
    "half_life_days": msg("Days until age counts half"),
    "window_days": msg("Days that count as fresh"),
}


class TuningCard(QFrame):
    """Propose, look, apply or leave; and back to the weights without any proposal."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._proposal: TuningProposal | None = None
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        wording, theme = desk.wording, desk.theme
        self.banner = Banner(wording, theme)
        self.work = WorkLine(wording, theme)
        self.propose_button = button(wording, msg("Propose weights"), self.propose, theme=theme, icon="metrics")
        self.reset_button = button(wording, msg("Reset weights"), self._ask_reset, role="quiet")
        apply = msg("Apply\N{HORIZONTAL ELLIPSIS}")
        self.apply_button = button(wording, apply, self._ask_apply, role="primary")
        self.leave_button = button(wording, msg("Leave them"), self._leave)
        self._shown = column(gap=GAP_SMALL)
        self._answers = QWidget()
        self._answers.setLayout(beside(self.apply_button, self.leave_button))
        self._build()
        wording.changed.connect(self._show)
        self._show()

    def propose(self) -> None:
        """Work out weights from the marks."""
        self.banner.clear()
        # from here on the earlier one can be applied no more
        self._leave()
        self._desk.doing(self._propose(), "propose weights", self.banner, busy=(self.propose_button,))

    async def _propose(self) -> None:
        with self.work.work(msg("Trying weights on the marked questions")) as running:
            self._proposal = await self._desk.api.propose_tuning(progress=running.progress, stop=running.stop)
        self._show()

    def _ask_apply(self) -> None:
        proposal = self._proposal
        if proposal is None:
            return
        effects = (
            msg("Every answer is ranked by these weights, from this moment on."),
            msg("You can put the first weights back at any time."),
        )
        title = msg("Apply these weights?")
        question = Confirmation(self, self._desk, title, effects, do=msg("Apply"), dont=msg("Don't")).soften()
        work = partial(self._apply, proposal.proposal_id)
        confirm(question, lambda: self._desk.doing(work(), "apply weights", self.banner, busy=(self.apply_button,)))

    async def _apply(self, proposal_id: str) -> None:
        version = await self._desk.api.apply_tuning(proposal_id)
        self._leave()
        self.banner.show_note(msg("The weights are in force: {version}.", version=version))

    def _ask_reset(self) -> None:
        effects = (msg("Answers are ranked as they were before any proposal. Your marks stay."),)
        title = msg("Put the first weights back?")
        question = Confirmation(self, self._desk, title, effects, do=msg("Put them back"), dont=msg("Don't")).soften()
        confirm(question, lambda: self._desk.doing(self._reset(), "reset weights", self.banner))

    async def _reset(self) -> None:
        version = await self._desk.api.reset_tuning()
        self._leave()
        self.banner.show_note(msg("The first weights are in force again: {version}.", version=version))

    def _leave(self) -> None:
        self._proposal = None
        self._show()

    def _show(self) -> None:
        empty(self._shown)
        proposal = self._proposal
        # those that are no better are shown, and cannot be applied
        self._answers.setVisible(proposal is not None and bool(proposal.changes) and proposal.is_better)
        if proposal is None:
            return
        say, wording = self._desk.wording.say, self._desk.wording
        if proposal.reason is not None:
            self._shown.addWidget(self._remark(proposal.reason, is_good=proposal.is_better))
        elif proposal.is_better:
            self._shown.addWidget(self._remark(msg("These weights find more of what you marked."), is_good=True))
        if proposal.changes:
            self._shown.addWidget(self._table(proposal))
        if not proposal.held_out:
            return
        told = msg(
            "Made from {learned} marked questions, and measured on {held} others.",
            learned=wording.number(proposal.learned_from),
            held=wording.number(proposal.held_out),
        )
        self._shown.addWidget(plain(say(told), "small", is_wrapping=True))

    def _remark(self, text: Text, *, is_good: bool) -> QWidget:
        made = QWidget()
        inside = row(gap=GAP_SMALL)
        icon, ink = ("done", "accent") if is_good else ("info", "asks")
        inside.addWidget(pictured(self._desk.theme, icon, ink, size=16), 0, Qt.AlignmentFlag.AlignTop)
        inside.addWidget(plain(self._desk.wording.say(text), is_wrapping=True), 1)
        made.setLayout(inside)
        return made

    def _table(self, proposal: TuningProposal) -> QWidget:
        say = self._desk.wording.say
        lines: list[tuple[str, str, str]] = [("", say(msg("now")), say(msg("proposed")))]
        lines += [
            (say(weight_name(change.name)), f"{change.before:.3g}", f"{change.after:.3g}")
            for change in proposal.changes
        ]
        lines.append((say(msg("On the other questions")), "", ""))
        lines += [
            (say(meaning), f"{before:.2f}", f"{after:.2f}")
            for meaning, before, after in (
                (msg("Found among the first ten"), proposal.hit_before, proposal.hit_after),
                (msg("In a good order (nDCG)"), proposal.order_before, proposal.order_after),
            )
            if before is not None and after is not None
        ]
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GAP_MEDIUM)
        grid.setVerticalSpacing(GAP_TINY)
        grid.setColumnStretch(0, 1)
        for place, (name, before, after) in enumerate(lines):
            role = "body" if place else "small"
            grid.addWidget(plain(name, "body" if before else "small", is_wrapping=True), place, 0)
            for side, text in ((1, before), (2, after)):
                grid.addWidget(plain(text, role), place, side, Qt.AlignmentFlag.AlignRight)
        made = QWidget()
        made.setLayout(grid)
        made.setAccessibleName(". ".join(f"{name} {before}, {after}" for name, before, after in lines[1:]))
        return made

    def _build(self) -> None:
        wording = self._desk.wording
        whole = column(gap=GAP, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
        whole.addWidget(said(wording, msg("Weights from your marks"), "heading"))
        about = msg("Famulus tries other weights on some of the marked questions, and measures them on the others.")
        whole.addWidget(said(wording, about, "small", is_wrapping=True))
        whole.addLayout(beside(self.propose_button, self.reset_button))
        whole.addWidget(self.work)
        whole.addWidget(self.banner)
        whole.addLayout(self._shown)
        whole.addWidget(self._answers)
        self.setLayout(whole)


def weight_name(name: str) -> str | Text:
    """A weight in words; one without words has the name that the file gives it."""
    return _WEIGHTS.get(name.rpartition(".")[2], name)
