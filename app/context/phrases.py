"""Our own sentences in an answer, in the language of the question.

These are not interface texts: a Chinese question is answered in Chinese whatever language the window speaks. What is
quoted from the person's entries stays in its own language.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from app.govern.wording import day_words
from app.runtime.translation import CHINESE as CHINESE_NAME
from app.runtime.translation import ENGLISH as ENGLISH_NAME
from app.runtime.translation import translator

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.context.spans import Span
    from app.domain.context_item import AgendaItem
    from app.domain.text import Text

_LISTED = 8


@dataclass(frozen=True, slots=True)
class Phrases:
    """The sentences of one language."""

    is_chinese: bool
    nothing_found: str
    nothing_planned: str
    planned: str
    canceled: str
    done: str
    pending: str
    all_day: str
    due: str
    to: str
    no_longer: str
    lookalike: str
    stranger: str

    def day(self, instant: datetime) -> str:
        """A date with its weekday."""
        return day_words(instant, is_chinese=self.is_chinese)

    def no_longer_holds(self, reason: Text, said: str) -> str:
        """A quotation that no longer holds, behind the reason for that."""
        why = translator(CHINESE_NAME if self.is_chinese else ENGLISH_NAME)[1](reason)
        return self.no_longer.format(reason=why, said=said)

    def span(self, span: Span) -> str:
        """A span by its days; its hours where it is part of a day."""
        last = span.end - timedelta(microseconds=1)
        if not span.is_one_day:
            return f"{self.day(span.start)}{self.to}{self.day(last)}"
        is_whole = span.start.time() == span.end.time()
        return self.day(span.start) if is_whole else f"{self.day(span.start)} {span.start:%H:%M}-{last:%H:%M}"

    def nothing_on(self, span: Span) -> str:
        """There is nothing in a span."""
        return self.nothing_planned.format(span=self.span(span))

    def agenda(self, items: Sequence[AgendaItem], span: Span) -> str:
        """What there is in a span, a line for each of the first eight, cited in order."""
        lines = [self.planned.format(span=self.span(span), count=len(items))]
        lines += [f"{self.line(item, span)} [{place}]" for place, item in enumerate(items[:_LISTED], start=1)]
        return "\n".join(lines)

    def line(self, item: AgendaItem, span: Span | None) -> str:
        """One occurrence or task: when, what, where."""
        parts = [self._time(item, span), item.title]
        if item.location:
            parts.append(f"({item.location})")
        if item.status is not None and item.status.value == "canceled":
            parts.append(f"- {self.canceled}")
        if item.status is not None and item.status.value == "done":
            parts.append(f"- {self.done}")
        if item.status is not None and item.status.value == "pending":
            parts.append(f"- {self.pending}")
        return " ".join(part for part in parts if part)

    def _time(self, item: AgendaItem, span: Span | None) -> str:
        start = item.start
        if start is None:
            return ""
        zone = span.start.tzinfo if span is not None and not item.is_all_day else start.tzinfo
        start = start.astimezone(zone)
        day = "" if span is not None and span.is_one_day else f"{self.day(start)} "
        if item.is_all_day:
            return f"{day}{self.due if item.kind.value == 'task' else self.all_day}"
        if item.kind.value == "task":
            return f"{day}{self.due} {start:%H:%M}"
        end = item.end.astimezone(zone) if item.end is not None else None
        return f"{day}{start:%H:%M}" + (f"-{end:%H:%M}" if end is not None and end != start else "")


ENGLISH = Phrases(
    is_chinese=False,
    nothing_found="I found nothing about this in your entries.",
    nothing_planned="Nothing is planned for {span}.",
    planned="{span}: {count} planned.",
    canceled="canceled",
    done="done",
    pending="pending",
    all_day="all day",
    due="due",
    to=" to ",
    no_longer="No longer so - {reason}: {said}",
    lookalike="careful: of the same title, but from {sender}",
    stranger="from {sender}, whom you do not know",
)
CHINESE = Phrases(
    is_chinese=True,
    nothing_found="在你的资料里没有找到相关内容。",
    nothing_planned="{span}没有安排。",
    planned="{span}：共{count}项安排。",
    canceled="已取消",
    done="已完成",
    pending="待定",
    all_day="全天",
    due="截止",
    to=" 至 ",
    no_longer="已不再有效（{reason}）：{said}",
    lookalike="注意：标题相同，但发件人是 {sender}",
    stranger="来自 {sender}，你不认识此人",
)


def phrases_for(language: str) -> Phrases:
    """The sentences for a question's language; English for those that have none of their own."""
    return CHINESE if language == "zh" else ENGLISH
