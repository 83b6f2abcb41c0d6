"""Tells a question about the calendar from one about content, in English and Chinese (G3.2).

"What do I have on Wednesday?"   a span: what is in it is read from structure
"When is the dentist?"           an event: its next time is read from structure
"What did Bob say on Friday?"    none of these, for a date alone is no calendar question
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.context.spans import Span, Today
from app.context.when import find_when
from app.govern.language import detect_question

if TYPE_CHECKING:
    from datetime import datetime

_AHEAD_DAYS = 7
_SPAN_QUESTION = re.compile(
    r"\bwhat(?:'s| is| do| are| have)?\b.{0,30}\b(?:i (?:have|got|need to do)|on my|in my (?:calendar|agenda|schedule)"
    r"|planned|scheduled|due|going on|happening|my plans?)\b"
    r"|\bwhat(?:'s| is) (?:on|up)\b(?! (?:my|the) mind)"
    r"|\b(?:my|show|list|any)\b.{0,20}\b(?:agenda|schedule|calendar|appointments?|meetings?|events?|deadlines?|to-?dos?)\b"
    r"|\bam i (?:free|busy|available)\b|\bdo i have (?:time|any|a|an|something|anything)\b"
    r"|\b(?:which|what|how many) (?:meetings?|appointments?|events?|tasks?|deadlines?)\b"
    r"|^(?:agenda|schedule|calendar|appointments|meetings|deadlines)\b",
    re.IGNORECASE,
)
_SPAN_QUESTION_ZH = re.compile(
    r"安排|日程|行程|待办|有(?:什么|哪些|几个|几场|没有)?(?:事|会|活动|约|任务|计划|会议|预约)(?!议纪要|议记录)"
    r"|(?:有|没)空|忙(?:不忙|吗)|要(?:做|干)(?:什么|啥)|(?:什么|哪些)(?:要|会)?(?:到期|截止)|(?:到期|截止)的"
)
_WHEN_QUESTION = re.compile(
    r"^\s*(?:so )?(?:when|what (?:time|day|date)|at what time|on (?:what|which) (?:day|date))"
    r"(?:'s| is| are| will| does| do|'re)\s+(?:my |the |our |a |an )?(?P<event>.+?)"
    r"(?: (?:take place|start|starts|begin|begins|due|scheduled|happening|be|again|next))*\s*\??\s*$",
    re.IGNORECASE,
)
_NEXT_QUESTION = re.compile(
    r"\b(?:my|the|our) next (?P<event>(?!week|month|year|day)[\w' -]+?)\s*\??\s*$", re.IGNORECASE
)
_WHEN_QUESTION_ZH = re.compile(
    r"^(?:我的?|请问|我们的?|下一?次的?)?(?P<event>.{1,30}?)(?:是|在|定在|安排在)?(?:什么时候|什么时间|几号|哪天|哪一天|几点|星期几|周几)"
    r"(?P<verb>[^过了?？。]{0,4}?)[?？吗呢。\s]*$"
)
_PAST = re.compile(
    r"\b(?:did|was|were|said|discuss|decide|decided|had|has)\b|\bhave (?:you|we|they)\b|说过|讨论过|聊过|了什么",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CalendarQuestion:
    """What is asked of the calendar: a span, or an event by its name.

    Attributes:
        span: whose entries are asked for; None when an event is asked for.
        has_named_time: whether the question itself names the span.
        event: the words that name the event whose time is asked for.
    """

    language: str
    span: Span | None = None
    has_named_time: bool = False
    event: str | None = None


def read_calendar_question(text: str, now: datetime) -> CalendarQuestion | None:
    """What a question asks of the calendar; None when it is about content."""
    language = detect_question(text)
    is_chinese = language == "zh"
    event = _event_asked_for(text, is_chinese=is_chinese)
    if event is not None:
        return CalendarQuestion(language, event=event)
    pattern = _SPAN_QUESTION_ZH if is_chinese else _SPAN_QUESTION
    if pattern.search(text) is None:
        return None
    return agenda_question(text, now)


def agenda_question(text: str, now: datetime) -> CalendarQuestion | None:
    """What a question asks for that is known to ask what is planned, whatever its words; None for one of the past."""
    language = detect_question(text)
    found = find_when(text, now)
    if found is not None:
        return CalendarQuestion(language, span=found.span, has_named_time=True)
    if _PAST.search(text):
        return None
    today = Today.of(now)
    return CalendarQuestion(language, span=today.days(today.day, _AHEAD_DAYS))


def _event_asked_for(text: str, *, is_chinese: bool) -> str | None:
    if is_chinese:
        match = _WHEN_QUESTION_ZH.match(text.strip())
        return f"{match['event']} {match['verb']}".strip() if match is not None else None
    match = _WHEN_QUESTION.match(text) or _NEXT_QUESTION.search(text)
    return match["event"].strip().removeprefix("next ") if match is not None else None
