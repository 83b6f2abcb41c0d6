"""Quick-ask: one field over everything else; hits while typing, an answer with its sources on Enter (D8.2).

Keyboard first: Enter asks or opens, Tab and the arrows walk, Ctrl+C copies, ? says why, Esc closes, Up brings the last
question back. The mouse does the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.domain.serving import Outcome
from app.domain.text import Text, counted, msg
from app.famulus.api import LockState, ModelState
from app.runtime import clock
from app.ui import rows
from app.ui.asking import Asking
from app.ui.opening import open_source
from app.ui.quick_ask_view import Mode, QuickAskView

if TYPE_CHECKING:
    from app.domain.context_item import Answer, ContextItem
    from app.famulus.api import StatusReport
    from app.ui.desk import Desk
    from app.ui.rows import Row

_NOTHING: Final = (
    msg("Nothing found."),
    msg("Famulus does not guess. Try other words, or add the folder where it could be."),
)
_LOCKED: Final = (msg("Famulus is locked."), msg("Unlock it in its window, then ask."))
_NOT_SET_UP: Final = (msg("Famulus is not set up yet."), msg("A few steps in its window, then it can answer."))
_MODEL_NOTES: Final = {
    ModelState.ABSENT: msg("There is no model yet: found by words, not by meaning."),
    ModelState.PREPARING: msg("The model is being prepared: found by words meanwhile."),
    ModelState.LOADING: msg("The model is loading: found by words meanwhile."),
    ModelState.FAILED: msg("The model could not be loaded: found by words, not by meaning."),
}


class QuickAsk(QObject):
    """Connects the view with the facade.

    `acted` tells the name of a chosen action; `wants_window` that the window must open (locked, or nothing set up).
    """

    acted = Signal(str)
    wants_window = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._answer: Answer | None = None
        self._hits: list[ContextItem] = []
        self.view = QuickAskView(desk.wording, desk.theme)
        self.asking = Asking(desk.api, desk.doing, self.view.banner, lambda: desk.status.is_meaning_ready)
        self._connect()
        self._start_afresh()

    def toggle(self) -> None:
        """Open it; close it if it is in front."""
        if self.view.isVisible() and self.view.isActiveWindow():
            self.close()
        else:
            self.open()

    def open(self, question: str = "") -> None:
        """Show it on the screen with the pointer, with the cursor in the field; ask a question if one is given."""
        if not self.view.isVisible():
            self._start_afresh()
            self.view.place()
        self.view.show()
        self.view.raise_()
        self.view.activateWindow()
        self.view.field.setFocus()
        if question:
            self._ask(question)

    def close(self) -> None:
        """Hide it; an answer that is still looked for is dropped."""
        self.asking.drop_answer()
        self.view.hide()

    def _connect(self) -> None:
        field, found = self.view.field, self.view.list
        field.textEdited.connect(self._on_typed)
        field.entered.connect(self._on_enter)
        field.stepped.connect(self._on_step)
        field.recalled.connect(self._on_recall)
        field.why.connect(self._on_why)
        field.copied.connect(self._on_copy)
        field.escaped.connect(self.close)
        field.judged.connect(self._on_judged)
        self.view.feedback.said.connect(self._on_judged)
        found.opened.connect(self._on_opened)
        self.view.answer.cited.connect(self._on_cited)
        self.view.left.connect(self.close)
        self.asking.hits.connect(self._on_hits)
        self.asking.began.connect(self.view.show_looking)
        self.asking.ended.connect(self._on_ended)
        self.asking.answered.connect(self._on_answered)
        self._desk.status.changed.connect(self._on_status)
        self._desk.wording.changed.connect(self._start_afresh)

    def _start_afresh(self) -> None:
        self._answer = None
        self._hits = []
        self.view.field.clear()
        self.asking.type("")
        self._show_start()

    def _show_start(self) -> None:
        report = self._desk.status.report
        if report is None or report.lock is LockState.OPEN:
            self.view.show_start()
        elif report.lock is LockState.NEW:
            self.view.show_message("key", *_NOT_SET_UP, hints=("setup", "close"))
        else:
            self.view.show_message("lock", *_LOCKED, hints=("unlock", "close"))
        self.view.show_note(note_for(report))

    def _on_status(self) -> None:
        if self.view.mode in {Mode.START, Mode.MESSAGE} and not self.view.field.text():
            self._show_start()
        else:
            self.view.show_note(note_for(self._desk.status.report))

    def _on_typed(self, text: str) -> None:
        self._answer = None
        self.view.list.choose(None)
        if not self._is_usable:
            return
        if text.startswith("/"):
            self.asking.type("")
            self.view.show_hits(rows.of_actions(text, self._desk.wording), are_actions=True)
            self.view.list.choose(0)
            return
        self.asking.type(text)
        if not text.strip():
            self._show_start()
        self.view.show_note(note_for(self._desk.status.report))

    def _on_hits(self, items: list[ContextItem]) -> None:
        self._hits = items
        found = rows.of_items(items, self._desk.wording, clock.now(), has_snippets=True)
        if found:
            self.view.show_hits(found)
        elif self.view.mode is not Mode.START:
            self.view.show_start()

    def _on_enter(self) -> None:
        chosen = self.view.list.current
        if not self._is_usable:
            self._leave_for_window()
        elif chosen is not None:
            self._on_opened(chosen)
        elif question := self.view.field.text().strip():
            self._ask(question)

    def _ask(self, question: str) -> None:
        self.view.field.setText(question)
        self._desk.history.add(question)
        self.asking.ask(question)

    def _on_answered(self, answer: Answer) -> None:
        self._answer = answer
        # the next key begins a new question
        self.view.field.selectAll()
        if not answer.items and not answer.agenda and answer.route == "nothing":
            self.view.show_message("search", *_NOTHING)
            return
        wording = self._desk.wording
        sources = rows.of_answer(answer, wording, clock.now())
        self.view.show_answer(wording.say(answer.text), len(answer.items), sources)
        self.view.show_note(answer.warnings[0] if answer.warnings else note_for(self._desk.status.report))
        if answer.request_id:
            self.view.feedback.ask()

    def _on_ended(self) -> None:
        # no answer came: the reason, if there is one, is about to be shown in the banner
        if self.view.mode is Mode.LOOKING:
            self.view.show_start()

    def _on_step(self, step: int) -> None:
        self.view.list.step(step)
        self.view.update_hints()
        chosen = self.view.list.current
        if chosen is not None:
            self.view.announce(chosen.spoken)
            if self.view.explain.isVisible():
                self._explain(chosen)

    def _on_recall(self) -> None:
        question = self._desk.history.before(self.view.field.text().strip())
        if question is not None:
            self.view.field.setText(question)
            self._on_typed(question)

    def _on_why(self) -> None:
        chosen = self.view.list.current
        if self.view.explain.isVisible():
            self.view.explain.hide()
        elif chosen is not None:
            self._explain(chosen)

    def _explain(self, row: Row) -> None:
        if row.item is not None:
            self.view.explain.show_item(row.item)
        self.view.explain.setVisible(row.item is not None)

    def _on_cited(self, number: int) -> None:
        sources = [row for row in self.view.list.rows if row.number == number]
        if sources:
            self._on_opened(sources[0])

    def _on_opened(self, row: Row) -> None:
        if row.action:
            self.close()
            self.acted.emit(row.action)
        else:
            self._desk.doing(self._open(row.uri), "open a source", self.view.banner)

    async def _open(self, uri: str) -> None:
        await open_source(uri, self._desk.blocking)
        self.close()

    def _on_copy(self) -> None:
        text = self._copied_text()
        if text:
            QGuiApplication.clipboard().setText(text)
            self.view.show_note(msg("Copied, with where it comes from."))
            if self._answer is not None and self._answer.request_id:
                # who takes an answer along uses it
                self._report(Outcome(self._answer.request_id, is_adopted=True))

    def _on_judged(self, is_helpful: bool) -> None:
        if self._answer is None or not self.view.feedback.is_open:
            return
        thanks = msg("Counted as helpful.") if is_helpful else msg("Counted as not right.")
        self.view.feedback.thank(thanks)
        is_adopted = None if is_helpful else False
        self._report(Outcome(self._answer.request_id, is_success=is_helpful, is_adopted=is_adopted))

    def _report(self, outcome: Outcome) -> None:
        self._desk.doing(self._desk.api.report_outcome(outcome), "report an outcome", self.view.banner)

    def _copied_text(self) -> str:
        if self._answer is not None:
            sources = [
                f"[{place}] {item.title} <{item.source_uri}>" for place, item in enumerate(self._answer.items, 1)
            ]
            return "\n".join([self.view.answer.text, "", *sources]).strip()
        chosen = self.view.list.current
        if chosen is None or chosen.item is None:
            return ""
        return f"{chosen.item.content}\n\n{chosen.item.title} <{chosen.item.source_uri}>"

    @property
    def _is_usable(self) -> bool:
        report = self._desk.status.report
        return report is None or report.lock is LockState.OPEN

    def _leave_for_window(self) -> None:
        self.close()
        self.wants_window.emit()


def note_for(report: StatusReport | None) -> Text | None:
    """What a person should know about results in this state of the house."""
    if report is None or report.lock is not LockState.OPEN:
        return None
    if report.counts.entries == 0:
        return msg("Nothing is collected yet. Type /sources to add a folder or a calendar.")
    if report.model in _MODEL_NOTES:
        return _MODEL_NOTES[report.model]
    if report.counts.waiting:
        return counted(
            "Still indexing: {count} passage is found by words only so far.",
            "Still indexing: {count} passages are found by words only so far.",
            count=report.counts.waiting,
        )
    return None
