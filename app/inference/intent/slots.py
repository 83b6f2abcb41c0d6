"""Simple slots of a wish, as stretches of its text: who, which list, which language, and the content itself.

Rules of form, no model: what they do not see is left out, and whoever carries the intent out asks or looks closer.
Dates and times are no matter of this module.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.intents import Slot, SlotKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LONGEST = 400
_NAME = r"[A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30}){0,2}"
_PERSONS = (
    re.compile(rf"\b(?:to|with|from|for|email|mail|text|message|call|tell|invite|by|did|has|ask) (?P<value>{_NAME})"),
    re.compile(rf"\b(?P<value>{_NAME})(?:['’]s)\b"),
    re.compile("(?:给|和|跟|与|找|约|叫|通知|告诉|回复)(?P<value>[小老阿][\u4e00-\u9fff])"),
    re.compile("(?:给|和|跟|与|找|约|叫|通知|告诉|回复)(?P<value>[\u4e00-\u9fff](?:总|老师|医生|经理|先生|女士))"),
    re.compile("(?:给|和|跟|与|找|约|通知|告诉|回复)(?P<value>妈妈|爸爸|老婆|老公|爷爷|奶奶|爸妈|姐姐|哥哥|弟弟|妹妹|老板|房东)"),
)  # fmt: skip
_LISTS = (
    re.compile(r"\b(?:to|on|onto|off|from|in) (?:my|the|our) (?P<value>[\w' -]{1,30}?) ?list\b", re.IGNORECASE),
    re.compile(r"\b(?P<value>shopping|grocery|packing|to-?do|gift|reading) list\b", re.IGNORECASE),
    re.compile("(?P<value>购物|买菜|打包|待办|书|任务|旅行|搬家|学习)(?:清单|单子|列表|单)"),
)  # fmt: skip
_LANGUAGES = (
    re.compile(r"\b(?:in|into|to) (?:simple |plain )?(?P<value>[A-Z][a-z]{3,11})\b(?=[^a-z]*(?:$|please))"),
    re.compile("(?:用|译成|翻译成|翻成|译为)(?P<value>[\u4e00-\u9fff]{1,4}?[语文话])"),
    re.compile("(?P<value>[英法德日韩俄中][文语])(?:怎么说|怎么讲|版|翻译)"),
)  # fmt: skip
# What stands before the content of a wish. The content is what follows, to the end.
_LEADS = (
    re.compile(
        r"^(?:(?:hey|ok|olly|famulus|please|can you|could you|would you)[\s,]+){0,3}"
        r"(?:remind me (?:to|about|of|that)|remember (?:that|to)|note (?:down )?(?:that)?|write down|"
        r"make a note (?:of|that)|"
        r"take a note|add|put|schedule|keep in mind that|forget (?:that|about)?|don't let me forget(?: to)?|translate|"
        r"jot down|new task|new note|todo|task|save)\s*:?\s+(?P<value>\S.{0,380})$",
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(
        "^(?:(?:请|麻烦|帮我|给我|你)){0,3}(?:记住|记一下|记得|记下来?|提醒我|备忘|写下来|翻译(?:一下)?|添加待办|新建任务|待办|忘掉|忘记)"
        "[：:，,]?\\s*(?P<value>\\S.{0,380})$",
        re.DOTALL,
    ),
)
_BY_KIND = {
    SlotKind.PERSON: _PERSONS,
    SlotKind.LIST: _LISTS,
    SlotKind.LANGUAGE: _LANGUAGES,
    SlotKind.TEXT: _LEADS,
}
_CONTENTS = frozenset({"text", "title"})


def slots_of(text: str, start: int, end: int, wanted: Mapping[str, SlotKind]) -> tuple[Slot, ...]:
    """The slots that can be seen in a stretch of a text, in the order of the text; each name at most once."""
    stretch = text[start : min(end, start + _LONGEST)]
    found = [
        Slot(name, start + match.start("value"), start + match.end("value"))
        for name, kind in wanted.items()
        for match in _first(stretch, name, kind)
    ]
    return tuple(sorted(found, key=lambda slot: (slot.start, slot.name)))


def _first(stretch: str, name: str, kind: SlotKind) -> Iterator[re.Match[str]]:
    if kind is SlotKind.TEXT and name not in _CONTENTS:
        return
    for pattern in _BY_KIND.get(kind, ()):
        match = pattern.search(stretch)
        if match is not None and match["value"].strip():
            yield match
            return
