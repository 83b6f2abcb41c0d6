"""What quick-ask asks the facade: hits while typing (words first, then meaning), and the answer. No widgets here.

One request of a kind is under way at a time, and the newest text wins: what comes back for a text that is no longer
in the field is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from app.domain.context_item import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.famulus.api import FamulusApi
    from app.ui.doing import Doing, Place

HITS: Final = 6
_PAUSE_BEFORE_MEANING_S: Final = 0.12


class Asking(QObject):
    """`hits` tells a list of ContextItem, `answered` an Answer, `began` that an answer is being looked for."""

    hits = Signal(object)
    began = Signal()
    answered = Signal(object)
    ended = Signal()

    def __init__(self, api: FamulusApi, doing: Doing, place: Place, has_meaning: Callable[[], bool]) -> None:
        super().__init__()
        self._api = api
        self._doing = doing
        self._place = place
        self._has_meaning = has_meaning
        self._text = ""
        self._has_news = asyncio.Event()
        self._is_looking = False
        self._answering: asyncio.Task[None] | None = None

    def type(self, text: str) -> None:
        """The field has another text; an empty one asks for nothing."""
        self.drop_answer()
        self._text = text.strip()
        self._has_news.set()
        if self._text and not self._is_looking:
            self._is_looking = True
            self._doing(self._look(), "hits", self._place)

    def ask(self, question: str) -> None:
        """Look for the answer; hits that are still under way are dropped."""
        self.drop_answer()
        self._text = ""
        self._has_news.set()
        self.began.emit()
        self._answering = self._doing(self._answer(question), "answer", self._place)

    def drop_answer(self) -> None:
        """Whoever waited for an answer no longer does."""
        if self._answering is not None and not self._answering.done():
            self._answering.cancel()
            self.ended.emit()
        self._answering = None

    async def _look(self) -> None:
        try:
            while self._text and self._has_news.is_set():
                self._has_news.clear()
                await self._find(self._text, "words")
                if self._has_meaning() and not await self._is_typing_on():
                    await self._find(self._text, "full")
        finally:
            self._is_looking = False

    async def _find(self, text: str, mode: str) -> None:
        if not text:
            return
        request = SearchRequest(text, limit=HITS, include_stale=True, mode=mode)
        items = await self._api.search(request, is_asked=False)
        if text == self._text:
            self.hits.emit(list(items))

    async def _is_typing_on(self) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._has_news.wait(), _PAUSE_BEFORE_MEANING_S)
        return self._has_news.is_set()

    async def _answer(self, question: str) -> None:
        this = asyncio.current_task()
        try:
            # a question that was dropped is cancelled here, and its answer never arrives
            self.answered.emit(await self._api.ask(question))
        finally:
            if self._answering is this:
                self._answering = None
                self.ended.emit()
