"""What a question asks of structure, by its form alone, in English and Chinese (G3.2).

"what did we decide about the budget"   decisions, about "budget"
我上次什么时候给李四写邮件                  last, mail to 李四
"What is the wifi password?"            none of these

A form that fits promises nothing: where the structure knows nothing of what is asked, the question goes on as any other
does. Nobody and nothing is recognised here by its name; that "Anna" is a person, the answerers find out.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.context.spans import Span
from app.context.structured.question_rules import Kind, question_rules
from app.context.when import find_when
from app.govern.language import detect_question
from app.store.analyser import simplify

if TYPE_CHECKING:
    from datetime import datetime

_LONGEST = 160
_EDGES = " \t\r\n?!.,;:？！。，；：…\"'“”‘’"
_ME = frozenset({"i", "me", "my", "myself", "mine", "we", "our", "us", "我", "我们", "我自己", "本人", "咱们"})
_POSSESSIVE = re.compile(r"(?<=\w)['’]s?$")
_ARTICLE = re.compile(r"^(?:the|my|our|a|an|some|any)\s+", re.IGNORECASE)
_HAN = re.compile("[\u3400-\u9fff]")
_NAMED_SO = re.compile(
    r"\bproject (?:may|april|june|august)$|\b(?:about|regarding|concerning|with) (?:may|april|june|august)$",
    re.IGNORECASE,
)
"""A name that is a time, too: what is about May is about whom or what is called so, and what was in May was then."""
_SEASON = re.compile(
    r"的?在?(?:今年|明年)?(?:(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月份?|[春夏秋冬][天季]|暑假|寒假|春节|圣诞节?|国庆节?|今年|明年)$"
)
_LAST_WORD = re.compile(r"\b(?:last|most recently) ", re.IGNORECASE)
_ANYBODY = frozenset({"anyone", "anybody", "someone", "somebody", "people", "others", "谁", "别人", "有人", "人"})
_VAGUE = frozenset({"it", "this", "that", "them", "everything", "anything", "him", "her", "she", "he", "you", "they"})
_OF_MONEY = frozenset({Kind.I_OWE, Kind.OWED})
_CALENDAR = frozenset({Kind.MINE, Kind.THEIRS, Kind.EVERYONES})


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for.

    Attributes:
        text: the question without its politeness.
        about: the topic; empty for all.
        who: the person, as the question names them; empty for nobody. is_me: they are the one who asks.
        attribute: which fact: address, email, phone, work, birthday, contact.
        verb: what was done: meet, mail_to, mail_from, talk, do.
        what: which kind of thing is counted or comes next, in the question's word.
        span: the time that is meant.
    """

    kind: Kind
    language: str
    text: str
    about: str = ""
    who: str = ""
    is_me: bool = False
    attribute: str = ""
    verb: str = ""
    what: str = ""
    span: Span | None = None


def read_form(text: str, now: datetime) -> Asked | None:
    """The first form that fits a question; None when none does, or when its time is not understood."""
    if len(text) > 2 * _LONGEST:
        return None
    language = "zh" if _HAN.search(text) is not None and detect_question(text) == "zh" else "en"
    plain = _plain(text, language)
    if not plain or len(plain) > _LONGEST:
        return None
    for form in question_rules().forms:
        match = form.pattern.fullmatch(plain) if form.language == language else None
        asked = None if match is None else _asked(form.kind, language, plain, _groups(match), now)
        if asked is not None:
            return asked
    return None


def _plain(text: str, language: str) -> str:
    """A question in one line and one way of writing, without politeness and punctuation at its ends.

    Chinese is simplified: the forms are, and names and topics are compared so.
    """
    plain = " ".join(simplify(unicodedata.normalize("NFKC", text)).split()).strip(_EDGES)
    rules = question_rules()
    head, tail = rules.head[language], rules.tail[language]
    for _ in range(3):
        match = head.match(plain)
        cut = plain[match.end() :] if match is not None else plain
        cut = tail.sub("", cut).strip(_EDGES)
        if cut == plain or not cut:
            break
        plain = cut
    return plain


def _groups(match: re.Match[str]) -> dict[str, str]:
    """The named groups that took part; of those that differ by a number the first."""
    found: dict[str, str] = {}
    for name, value in match.groupdict().items():
        if value:
            found.setdefault(name.rstrip("0123456789"), value.strip(_EDGES))
    return found


def _asked(kind: Kind, language: str, plain: str, groups: dict[str, str], now: datetime) -> Asked | None:
    rules = question_rules()
    who = _POSSESSIVE.sub("", groups.get("who", ""))
    who = "" if kind in _OF_MONEY and who.casefold() in _ANYBODY else who
    about, span = groups.get("about", ""), None
    if "when" in groups:
        span = _span(groups["when"], now, is_past=kind is Kind.CHANGES)
        if span is None:
            return None
    elif about:
        about, span = _without_time(about, now, plain)
    if _is_of_calendar(kind, who, about, span):
        return None
    if kind is Kind.PLANS:
        told = _planner(who, span, now)
        if told is None:
            return None
        who, span = told
    word = groups.get("attr", "").casefold()
    if who.casefold() in _VAGUE or (kind is Kind.FACTS and rules.attributes.get(word) is None):
        return None
    asked = Asked(
        kind=kind,
        language=language,
        text=plain,
        about=_ARTICLE.sub("", about),
        who="" if who.casefold() in _ME else _ARTICLE.sub("", who),
        is_me=who.casefold() in _ME,
        attribute=rules.attributes.get(word, ""),
        verb=rules.verbs.get(groups.get("verb", "").casefold(), groups.get("verb", "").casefold()),
        what=groups.get("what", "").casefold(),
        span=span,
    )
    return _shaped(asked, groups) if kind is Kind.LAST else asked


def _is_of_calendar(kind: Kind, who: str, about: str, span: Span | None) -> bool:
    """Whether a calendar is asked: "what do I have to do on Wednesday"; nobody owes anything to themselves."""
    if kind is Kind.THEIRS and who.casefold() in _ME:
        return True
    return kind in _CALENDAR and span is not None and not about and not who


def _planner(who: str, span: Span | None, now: datetime) -> tuple[str, Span | None] | None:
    """Who plans, without the time behind the name; None where a time alone is named, which asks the calendar."""
    who = _SEASON.sub("", who)
    named = find_when(who, now)
    if named is not None and named.start > 0 and named.end == len(who):
        return who[: named.start].strip(_EDGES), named.span
    if named is not None or who.endswith("我"):
        return None
    # who plans for the summer means the one to come
    return who, None if span is not None and span.end <= now else span


def _span(words: str, now: datetime, *, is_past: bool) -> Span | None:
    """The span that words name; since "Monday" is since the last one."""
    rules = question_rules()
    if words.casefold() in rules.recent:
        return Span(now - timedelta(days=rules.recent_days), now)
    found = find_when(words, now)
    if found is not None and is_past and found.span.start > now:
        found = find_when(words, now - timedelta(days=6))
    return None if found is None or (is_past and found.span.start > now) else found.span


def _without_time(about: str, now: datetime, plain: str) -> tuple[str, Span | None]:
    """A topic and the time that stands at its end: "the budget last week"."""
    found = find_when(about, now)
    named = _NAMED_SO.search(plain)
    if found is None or (named is not None and len(about) <= len(named[0])):
        return about, None
    if found.start == 0 and found.end == len(about):
        return "", found.span
    if found.end == len(about):
        front = re.sub(r"\s+(?:on|in|at|during|from|of|since)$", "", about[: found.start].rstrip())
        return front.strip(_EDGES), found.span
    return about, None


def _shaped(asked: Asked, groups: dict[str, str]) -> Asked:
    """Of a "last time" who is meant and what was done: by the preposition, or by a Chinese phrase's shape."""
    if asked.language == "en":
        return _shaped_english(asked, groups)
    if not asked.about:
        return replace(asked, verb="mail_from")
    for shape in question_rules().shapes:
        match = shape.pattern.fullmatch(asked.about)
        if match is None:
            continue
        found = _groups(match)
        if shape.verb == "about":
            return replace(asked, about=found.get("about", asked.about), verb="about")
        return replace(asked, who=found.get("who", ""), verb=shape.verb)
    return replace(asked, verb="do")


def _shaped_english(asked: Asked, groups: dict[str, str]) -> Asked:
    asked = replace(asked, who=_LAST_WORD.sub("", asked.who))
    by, how = _POSSESSIVE.sub("", groups.get("by", "")), groups.get("how", "").casefold()
    if by:
        return replace(asked, who=by, about=by, verb="mail_from")
    verb = asked.verb
    if how in {"about", "of", "on"} or groups.get("verb", "").casefold() in {
        "discuss",
        "discussed",
        "mention",
        "mentioned",
    }:
        verb = "about"
    elif how == "from":
        verb = "mail_from"
    elif verb not in {"meet", "mail_to", "talk", "mail_from"}:
        verb = "do"
    return replace(asked, about=asked.who, verb=verb)
