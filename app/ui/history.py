"""The last questions of this session. In memory only: what a person asks is nowhere written down."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

LIMIT: Final = 50


class History(QObject):
    """Questions, newest first, each once."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._questions: list[str] = []

    @property
    def questions(self) -> tuple[str, ...]:
        """All of them, newest first."""
        return tuple(self._questions)

    def add(self, question: str) -> None:
        """Remember a question that was asked."""
        question = question.strip()
        if not question:
            return
        if question in self._questions:
            self._questions.remove(question)
        self._questions.insert(0, question)
        del self._questions[LIMIT:]
        self.changed.emit()

    def clear(self) -> None:
        """Forget them all, as when the database is locked."""
        self._questions.clear()
        self.changed.emit()

    def before(self, question: str) -> str | None:
        """The question asked before this one, or the last one for a text that was never asked."""
        place = self._questions.index(question) + 1 if question in self._questions else 0
        return self._questions[place] if place < len(self._questions) else None

    def after(self, question: str) -> str | None:
        """The question asked after this one; None for the last one."""
        place = self._questions.index(question) - 1 if question in self._questions else -1
        return self._questions[place] if place >= 0 else None
