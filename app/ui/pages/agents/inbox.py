"""What agents suggest to remember: nothing of it is remembered, or followed, before the person keeps it (X9.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from app.domain.events import InboxChanged
from app.domain.serving import Candidate, CandidateState
from app.domain.text import Text, msg
from app.runtime import clock
from app.ui import moments, naming
from app.ui.pages.sections import Section
from app.ui.parts.banner import Banner, EmptyState
from app.ui.parts.buttons import button
from app.ui.parts.card_list import CardList
from app.ui.parts.filter_field import FilterField
from app.ui.parts.labels import ElidedLabel, pictured, plain, said
from app.ui.parts.layouts import beside, column, row
from app.ui.parts.note_editor import NoteEditor
from app.ui.parts.toggles import Switch
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.ui.desk import Desk

_MOST_CHARACTERS: Final = 20_000
_TITLE_CHARACTERS: Final = 80
_REASON_CHARACTERS: Final = 300
_STATES: Final = {
    CandidateState.WAITING: ("inbox", msg("waits for you")),
    CandidateState.ACCEPTED: ("done", msg("kept")),
    CandidateState.DECLINED: ("stop", msg("declined")),
}


class CandidateCard(QFrame):
    """`decided` tells the number, whether it is kept, and the text where it was edited."""

    decided = Signal(int, bool, object)

    def __init__(self, desk: Desk, candidate: Candidate) -> None:
        super().__init__()
        self._desk = desk
        self.candidate = candidate
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.is_waiting = candidate.state is CandidateState.WAITING
        self._about = plain(role="small", is_wrapping=True)
        self._is_long = len(candidate.text) > _MOST_CHARACTERS
        came = candidate.text[:_MOST_CHARACTERS].replace("\r\n", "\n")
        # what is kept is what was seen
        self._seen = naming.in_plain_sight(came)
        self._is_stripped = self._seen != came
        self.editor = NoteEditor(self._seen)
        self.editor.setReadOnly(self._is_long or not self.is_waiting)
        wording, client = desk.wording, candidate.client
        wording.bind(self.editor, "setAccessibleName", msg("What {name} suggests", name=client))
        self.keep_button = button(wording, msg("Keep as a note"), self._keep, theme=desk.theme, icon="check")
        self.decline_button = button(wording, msg("Decline"), self._decline, role="quiet")
        title = naming.in_one_line(candidate.title or candidate.text, _TITLE_CHARACTERS)
        wording.bind(self.keep_button, "setAccessibleName", msg("Keep “{title}”", title=title))
        wording.bind(self.decline_button, "setAccessibleName", msg("Decline “{title}”", title=title))
        self._build()
        wording.changed.connect(self._show)
        self._show()

    def _keep(self) -> None:
        text = self.editor.toPlainText()
        is_edited = not self._is_long and text != self.candidate.text
        self.decided.emit(self.candidate.candidate_id, True, text if is_edited else None)

    def _decline(self) -> None:
        self.decided.emit(self.candidate.candidate_id, False, None)

    def _show(self) -> None:
        say, candidate = self._desk.wording.say, self.candidate
        age = say(moments.age(candidate.at, clock.now()))
        state = say(_STATES[candidate.state][1])
        self._about.setText(
            say(msg("{name} suggests this; {age}; {state}", name=candidate.client, age=age, state=state))
        )

    def _build(self) -> None:
        wording, theme, candidate = self._desk.wording, self._desk.theme, self.candidate
        title = ElidedLabel("heading")
        shown = naming.in_one_line(candidate.title, _TITLE_CHARACTERS)
        wording.bind(title, "show_text", Text("{title}", {"title": shown}) if shown else msg("Without a title"))
        words = column(gap=GAP_TINY)
        words.addWidget(title)
        words.addWidget(self._about)
        head = row(gap=GAP)
        icon = _STATES[candidate.state][0]
        head.addWidget(pictured(theme, icon, "accent" if self.is_waiting else "ink_soft"), 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        whole = column(gap=GAP, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
        whole.addLayout(head)
        whole.addWidget(self.editor)
        # the text of one that was decided is kept nowhere but in the note that it became
        if not self.is_waiting and not candidate.text:
            self.editor.hide()
        if self._is_long:
            told = msg("It is too long to be edited here; all of it would be kept.")
            whole.addWidget(said(wording, told, "small", is_wrapping=True))
        if self._is_stripped:
            told = msg("Marks that turn or hide letters are left out here.")
            whole.addWidget(said(wording, told, "small", is_wrapping=True))
        if reason_given := naming.in_one_line(candidate.reason, _REASON_CHARACTERS):
            reason = msg("Why, in its own words: {reason}", reason=reason_given)
            whole.addWidget(said(wording, reason, "small", is_wrapping=True))
        if self.is_waiting:
            whole.addLayout(beside(self.keep_button, self.decline_button))
        else:
            self.keep_button.hide()
            self.decline_button.hide()
        self.setLayout(whole)


class InboxSection(Section):
    """Newest first; those that were decided on wish."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._candidates: Sequence[Candidate] = ()
        self.banner = Banner(desk.wording, desk.theme)
        self.filter = FilterField(desk.wording, desk.theme, msg("Find a suggestion"))
        self.list: CardList[int, Candidate, CandidateCard] = CardList(desk.wording, self._card, _keep, self._fits)
        option = msg("Show what was decided, too")
        self.decided = Switch(desk.wording, desk.theme, option)
        self._option = beside(self.decided, said(desk.wording, option, "small"), gap=GAP_SMALL)
        self._empty = EmptyState(
            desk.wording,
            desk.theme,
            "inbox",
            msg("No agent suggests anything."),
            msg("What an agent thinks should be remembered will be here. It counts for nothing until you keep it."),
        )
        self._build()
        self.filter.narrowed.connect(self.list.narrow)
        self.decided.toggled.connect(lambda _: self.refresh())
        desk.bus.subscribe(InboxChanged, lambda _: self.refresh())

    @property
    def cards(self) -> Mapping[int, CandidateCard]:
        """The cards that are made, by the numbers of their suggestions."""
        return self.list.cards

    def refresh(self) -> None:
        """Ask for the suggestions anew."""
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "inbox", self.banner)

    async def _load(self) -> None:
        turn = self._begin()
        candidates = await self._desk.api.inbox(include_decided=self.decided.isChecked())
        if self._is_latest(turn):
            self._candidates = candidates
            self._show()

    def _show(self) -> None:
        wanted = {candidate.candidate_id: candidate for candidate in self._candidates}
        self.list.show_items(wanted)
        self._empty.setVisible(not wanted)
        self.filter.setVisible(len(wanted) > 1)

    def _card(self, candidate: Candidate) -> CandidateCard:
        card = CandidateCard(self._desk, candidate)
        card.decided.connect(self._decide)
        return card

    def _fits(self, candidate: Candidate) -> bool:
        return self.filter.fits((candidate.title, candidate.text, candidate.client))

    def _decide(self, number: int, is_accepted: bool, text: str | None) -> None:
        card = self.cards[number]
        work = self._decide_and_load(number, is_accepted=is_accepted, text=text)
        self._desk.doing(work, "decide a suggestion", self.banner, busy=(card.keep_button, card.decline_button))

    async def _decide_and_load(self, number: int, *, is_accepted: bool, text: str | None) -> None:
        await self._desk.api.decide_candidate(number, is_accepted=is_accepted, text=text)
        told: Text = msg("It is kept as a note of yours.") if is_accepted else msg("It is declined.")
        self.banner.show_note(told)
        await self._load()

    def _build(self) -> None:
        about = msg("Suggestions are data: Famulus never does what one says, and shows it as it came.")
        self.content.addWidget(said(self._desk.wording, about, "small", is_wrapping=True))
        for widget in (self.banner, self.filter, self._empty, self.list):
            self.content.addWidget(widget)
        self.content.addLayout(self._option)
        for widget in (self._empty, self.filter):
            widget.hide()


def _keep(card: CandidateCard, candidate: Candidate) -> bool:
    """A card in which somebody writes stays as it is."""
    return card.candidate == candidate
