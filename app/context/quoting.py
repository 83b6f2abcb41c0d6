"""Which words of a passage are quoted, once it is known to answer: those that tell something (G4.1).

A title, a heading, a greeting, a signature or a question may be nearest to what is asked and tells nothing. Of an event
its title, day and place tell it all; whoever asks how wants the steps; whoever asks what something is wants the
sentence that says so.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind
from app.govern.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.store.reading import Passage

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]+|\d+")
_GREETING = re.compile(
    r"(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))(?: [\w.'’-]{1,20}){0,3}[,!.]*"
    r"|(?:best|(?:best|kind|warm) (?:regards|wishes)|thanks|thank you|cheers|regards|sincerely|yours)"
    r"(?:[,!.]+(?: [\w.'’-]{1,20}){0,3})?|.{0,8}(?:你好|您好|大家好)|谢谢|多谢|此致|敬礼|祝好)[,!.，！。]*",
    re.IGNORECASE,
)
_LEAST_WORDS, _LEAST_HAN = 3, 5
_STRUCTURED = frozenset({EntryKind.EVENT, EntryKind.TASK})
_OPENED = frozenset({EntryKind.MAIL, EntryKind.EVENT, EntryKind.TASK})
_HOW = re.compile(r"^\s*(?:so |and )?how (?:do|does|can|could|should|would|to)\b|怎么|怎样|如何|怎麼", re.IGNORECASE)
_HOW_MANY = re.compile(r"怎么(?:样|回事|了|定|办)|how (?:much|many|long|often)", re.IGNORECASE)
_STEP = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)、]|[①-⑩])\s*\S")
_DEFINED = (
    re.compile(r"^\s*what(?:'s| is| are|’s) (?:an? |the )?(?P<term>[^?]{2,40}?)\s*\?*\s*$", re.IGNORECASE),
    re.compile(r"^\s*(?:请问)?什么(?:是|叫)(?P<term>[^？?]{1,20}?)[？?]*\s*$"),
    re.compile(r"^\s*(?P<term>[^？?]{1,20}?)(?:是什么|是啥|指什么|是指什么)(?:意思)?[？?]*\s*$"),
)
_NUMBER = re.compile(r"\s{0,8}(\d{1,2})[.)、]\s*\S")
_WHICH = re.compile(
    r"^\s*(?:which|what)\s(?!is\b|was\b|does\b|this\b|has\b)(?:[\w-]{1,30}\s){0,3}?[\w-]{2,30}s\b|哪些|哪几|有什么|什么样的",
    re.IGNORECASE,
)
_MOST_STEPS, _MOST_POINTS = 4, 6
_FARTHEST_STEP, _FARTHEST_POINT = 30, 12
_LONGEST_NOTE = 160
_REQUEST = re.compile(
    r"\b(?:could|can|would|will) you\b(?! (?:believe|imagine|remember|guess))|\bwould you mind\b|"
    r"(?:能不能|能否|可以|可否|麻烦|方便)[^？?]{0,30}(?:给我|帮我|发我|告诉我|让我|把)[^？?]{0,30}[？?]$",
    re.IGNORECASE,
)
_GOES_ON = frozenset({EntryKind.MAIL, EntryKind.NOTE, EntryKind.VOICE, EntryKind.DOCUMENT})
_STILL_OPEN = re.compile(
    r"\s*(?:[-*•]\s*)?(?:(?:still )?open|tbd|to be decided|undecided|待定|未定|待讨论)\s?[:：]", re.IGNORECASE
)
"""What is not known yet answers nothing."""
_LABEL = re.compile(r"[\s\-*•]{0,6}([^:：]{2,24})[:：]\s*(?=\S)")
_LABELLED_LINES = 12
_DAYS = re.compile(r"(?:dates?|when|time|日期|时间)", re.IGNORECASE)
_LABELS = (
    (
        re.compile(r"^\s*(?:so )?(?:where|in which (?:city|country|place))\b|哪里|哪儿|什么地方|在哪", re.IGNORECASE),
        re.compile(r"(?:destination|location|place|venue|where|address|目的地|地点|地址|位置|场地)", re.IGNORECASE),
    ),
    (
        re.compile(r"\bhow (?:much|expensive)\b|多少钱|价格", re.IGNORECASE),
        re.compile(r"(?:price|cost|costs|fee|total|amount|价格|费用|总计|金额|总价)", re.IGNORECASE),
    ),
)
_TOGETHER = 200


def tells(sentence: str, passage: Passage, *, may_be_short: bool = False) -> bool:
    """Whether a sentence of a passage says something by itself; a short one where it is what was asked for."""
    text = _folded(sentence)
    if (text.endswith(("?", "？")) and _REQUEST.search(text) is None) or _GREETING.fullmatch(text) is not None:
        return False
    if text in {_folded(passage.title), *(_folded(heading) for heading in passage.place.heading_path)}:
        return False
    if _is_opening(sentence, passage) or _STILL_OPEN.match(sentence) is not None:
        return False
    return (
        may_be_short
        or len(_WORD.findall(text)) >= _LEAST_WORDS
        or len(_HAN.findall(text)) >= _LEAST_HAN
        or _has_value(text)
    )


def summary(passage: Passage) -> str | None:
    """An event or to-do in one line, by the sentence before its text; None for other entries, which have to tell."""
    if passage.kind not in _STRUCTURED:
        return None
    front, gap, rest = passage.text.partition("\n\n")
    head = ", ".join(line.strip() for line in front.splitlines() if line.strip())
    note = " ".join(rest.split()) if gap and passage.ordinal == 0 else ""
    return head if not note or len(note) > _LONGEST_NOTE else f"{head} - {note}"


def steps_behind(question: str, sentence: str, text: str) -> list[str]:
    """Where somebody asks how: the steps that a passage lists behind a sentence, at most four."""
    if _HOW.search(question) is None or _HOW_MANY.search(question) is not None:
        return []
    if _STEP.match(sentence) is not None:
        return []
    lines = text[text.find(sentence) + len(sentence) :].splitlines()[:_FARTHEST_STEP]
    return _numbered(lines) or _run(lines[:_FARTHEST_POINT])[:_MOST_STEPS]


def listed(question: str, text: str) -> tuple[str, list[str]] | None:
    """Where somebody asks which there are: a sentence that leads to a list, and the list's first points."""
    if _WHICH.search(question) is None:
        return None
    lines = text.splitlines()
    for at, line in enumerate(lines):
        points = _run(lines[at + 1 : at + 1 + _MOST_POINTS + 2]) if line.rstrip().endswith((":", "：")) else []
        if len(points) > 1:
            lead = split_sentences(line)[-1].strip()
            return lead, points[:_MOST_POINTS]
    return None


def _numbered(lines: Sequence[str]) -> list[str]:
    """The steps 1, 2, 3 ... of the first numbered list, whatever stands between them."""
    found: list[str] = []
    for line in lines:
        match = _NUMBER.match(line)
        if match is not None and int(match[1]) == len(found) + 1:
            found.append(line.strip())
        elif match is not None and found:
            break
    return found[:_MOST_STEPS]


def _run(lines: Sequence[str]) -> list[str]:
    """The first points of a list that stand together."""
    found: list[str] = []
    for line in lines:
        if _STEP.match(line) is not None:
            found.append(line.strip())
        elif found and line.strip():
            break
    return found


def labelled(question: str, passage: Passage) -> str | None:
    """The lines that say by their label what is asked for: "Destination: Hawaii", of a question where; None for none.

    Only where something else of the passage would be quoted that says less; the days beside it are quoted with it.
    """
    if passage.kind not in _GOES_ON:
        return None
    labels = next((label for asks, label in _LABELS if asks.search(question) is not None), None)
    if labels is None:
        return None
    lines = [" ".join(line.split()) for line in body(passage).splitlines()[:_LABELLED_LINES]]
    told = [line for line in lines if (match := _LABEL.match(line)) is not None and labels.fullmatch(match[1].strip())]
    days = [line for line in lines if (match := _LABEL.match(line)) is not None and _DAYS.fullmatch(match[1].strip())]
    return "; ".join(dict.fromkeys([*told[:1], *days[:1]])) if told else None


def definition(question: str, text: str) -> str | None:
    """Where somebody asks what a thing is: the first sentence that begins to say what it is."""
    term = next((match["term"].strip() for form in _DEFINED if (match := form.match(question)) is not None), None)
    if term is None or len(question) > 80:  # noqa: PLR2004 - "what is" of a long question asks for something else
        return None
    said = re.compile(
        rf"^(?:[-*•#\s]{{0,6}}(?:an? |the )?|.{{0,8}}){re.escape(term)}s?\W{{0,2}}(?:是指|指的是|指|是(?!否|不是)|就是"
        r"|\s(?:is|are|means?|refers? to|stands? for)\s)",
        re.IGNORECASE,
    )
    return next((one.strip() for one in split_sentences(text) if said.match(one.strip()) is not None), None)


def best_said(texts: Sequence[str], longest: int) -> str:
    """Sentences one after the other, as many as there is room for."""
    kept = ""
    for text in texts:
        gap = "" if _HAN.search(kept[-2:] + text[:1]) is not None else " "
        joined = f"{kept}{gap}{text.strip()}".strip()
        if kept and len(joined) > longest:
            break
        kept = joined
    return kept


def body(passage: Passage) -> str:
    """The text of a passage without the sentence that was put before it."""
    _, gap, rest = passage.text.partition("\n\n")
    return rest if passage.kind in _OPENED and passage.ordinal == 0 and gap else passage.text


def going_on(sentence: str, passage: Passage) -> str:
    """A sentence with those behind it in its paragraph, as far as there is room: little is said in one."""
    if passage.kind not in _GOES_ON or "|" in sentence or _STEP.match(sentence) is not None:
        return sentence
    paragraph = next((part for part in body(passage).split("\n\n") if sentence in part), "")
    behind = split_sentences(paragraph[paragraph.find(sentence) + len(sentence) :])
    gone = [part for part, _ in passage.stale_parts]
    kept = []
    for one in behind:
        if not tells(one, passage) or any(part in one for part in gone) or _STEP.match(one) is not None:
            break
        kept.append(one)
    return best_said([sentence, *kept], _TOGETHER)


def _is_opening(sentence: str, passage: Passage) -> bool:
    """Whether a sentence is one of those before a mail: from whom, to whom, on which day."""
    if passage.kind is not EntryKind.MAIL or passage.ordinal != 0:
        return False
    front = passage.text.partition("\n\n")[0]
    return sentence.strip() in front and sentence.strip() not in body(passage)


def _has_value(text: str) -> bool:
    """A row or a line with a number in it."""
    return any(sign.isdigit() for sign in text) and len(text) > _LEAST_HAN


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).strip(" #*_-").casefold()
