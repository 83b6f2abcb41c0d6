"""Whose, or of what, a question asks for something, and whether a passage is about that at all (G3.2).

"The code of the suitcase", "Anna's mother", 健身房的会员费: a passage that has the code of a bike, another mother or
another fee is as like as one can be, and wrong. Whoever is named has to be named in it, who is kin as kin; a thing
by its words or, where none of them is there, by its meaning. What stands for another thing of the kind (a 钢琴课, asked
for the 小提琴课) is no such thing, however like it is. Names in other letters are left to the meaning of the question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from app.context.attributes import attribute_place, attributes_asked, kin_asked
from app.context.owner_words import ASKING_WORDS, CUT, EMPTY, NO_OWNER, NO_OWNER_BEFORE, NOT_NAMES
from app.context.qualified import is_another
from app.govern.people.lists import name_lists
from app.store.analyser import analyse, simplify
from app.store.stop_words import CHINESE_CHARACTERS, ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.context.attributes import Attribute, Kin

_LONGEST_QUESTION, _LONGEST = 300, 4_000
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_HAN = re.compile("[\u3400-\u9fff]")
_LATIN_NAME = re.compile(r"(?<![A-Za-z])[A-Z][A-Za-z]{2,}")
_OF_ITEM = re.compile(
    r"\bhow (?:much|expensive|heavy|old) (?:does|did|do|is|are|was|were|will)\s(?:the |my |our |a |an )?"
    r"(?P<what>[^?]{2,60}?)(?:\s(?:cost|be|weigh|sell|now|charge)\b|\s*\?|$)",
    re.IGNORECASE,
)
_PLACED = re.compile(r"\b(?:for|at|in|to) (?:the|my|our|a|an) (?P<what>[^?]{2,60})", re.IGNORECASE)
_ASKS_OF_THING = re.compile(
    r"^\s*(?:so |and )?(?:when|how (?:much|expensive))\b|什么时候|哪天|哪一天|几号|何时|几点|多少钱|几块钱",
    re.IGNORECASE,
)
"""What is asked is a day or a sum: what is named last is the thing itself, and no attribute of it."""
_BEGINS = re.compile(r"(?:^|[.?!:;\"“”])\s*$")
_TOGETHER = re.compile(r"\s|\s?(?:and|or|und|&|,)\s")
_ACRONYM = re.compile(r"[A-Z0-9]{1,4}")
_DETERMINED = re.compile(r"(?:the|my|our|his|her|their|this|that|a|an|your|[A-Z]\S+)", re.ASCII)
_ASKED_ZH = re.compile("(?:是|在|定在|有|一共|总共|大概)*(?:什么时候|哪|几号|何时|几点|多少|几块|什么地方).*$")
_OPENING_ZH = re.compile("^(?:我们|我|你们|你|咱们|大家|请问|关于|那个|这个|那位|那|这)*(?:家里|家)?")
_CLOSING_ZH = re.compile(
    "(?:一共|总共|大概|现在|目前|今年|去年|明年|这次|上次|下次|每[年月周天次]|一[年月节次个]|一个[月人]|每个[月人]"
    "|花了|花|交了|付了|要付|要|是|需要|卖了|买了|卖|买|收|的|在|叫|用了)+$"
)
_NO_OWNER_ZH = re.compile(
    "^(?:现在|目前|最新|最近|最后|上次|下次|今年|明年|去年|今天|明天|昨天|每月|每年|[上下]个?[周月]|所有|全部|主要"
    "|新|旧|我们?|你|家里?)*$"
)
_VERBS_ZH = re.compile("[买做去说看给写想让帮要会用开剪拍存放借送寄订]|决定|计划|需要|一起|打算|[下起出过]来")
_PERIODS_ZH = re.compile(
    "[0-9一二三四五六七八九十]{1,3}[年月日号]份?|[上下这]个?[周月]|[今明去前后]年|[今明昨前后]天|周[一二三四五六日]"
)
_ENOUGH, _ENOUGH_ACROSS = {"en": 0.39, "zh": 0.44}, 0.43
"""Of a thing that no word names, in a passage of the same and of another language."""
_ENOUGH_OF_KIND = 0.30
_MOSTLY, _KIND = 0.5, 0.1
_LEAST_IN_COMPOUND = 4


@dataclass(frozen=True, slots=True)
class Owners:
    """Whose something is.

    Attributes:
        names: groups of words with capital letters; one of each group has to be there.
        things: what it is of, each as it is written.
        whats: what of theirs it is: the flight of "the price of the flight"; a text in another language may not say so.
        kin: for each word of kinship all that it may mean.
        rest: what else the question says, where no attribute tells what it asks; empty where nothing is left.
    """

    language: str
    names: tuple[tuple[str, ...], ...] = ()
    things: tuple[str, ...] = ()
    whats: tuple[str, ...] = ()
    kin: tuple[tuple[Kin, ...], ...] = ()
    rest: str = ""

    @property
    def is_anybody(self) -> bool:
        """Whether nothing has to be there."""
        return not (self.names or self.things or self.whats or self.kin)


@lru_cache(maxsize=64)
def read_owners(question: str, language: str) -> Owners:
    """Whose, or of what, something is asked for."""
    text = _asking(" ".join(question[:_LONGEST_QUESTION].split()))
    attributes = attributes_asked(text, language)
    kin = kin_asked(text, language)
    if language == "zh":
        plain = simplify(text)
        latin = [name.casefold() for name in _LATIN_NAME.findall(text)]
        names: tuple[tuple[str, ...], ...] = tuple((name,) for name in latin if name not in NOT_NAMES)
        things, whats = _things_zh(plain, attributes), _whats_zh(plain)
    else:
        names = _names(text)
        things, whats = _things(text, attributes)
    named = {word for group in names for word in group}

    def left(found: Iterable[str]) -> tuple[str, ...]:
        kept = (thing for thing in found if thing and not named & set(thing.casefold().split()))
        return tuple(
            thing
            for thing in dict.fromkeys(kept)
            if not _is_asked_for(thing, attributes, language) and not _is_kin(thing, kin, language)
        )

    owners = Owners(language, names, left(things), left(whats), kin)
    return owners if attributes or owners.is_anybody else replace(owners, rest=_rest(text, owners))


def _asking(text: str) -> str:
    """The sentences that ask; all where none does: how the answer is to look names nobody."""
    found = re.findall(r"[^.?!。？！]+[?？]", re.sub(r"\([^()]*\)|（[^（）]*）", " ", text))
    return " ".join(found).strip() or text


def says_names(owners: Owners, text: str, language: str) -> bool:
    """Whether a text of a language names everybody who has to be named, by name or by kinship."""
    plain = simplify(text[:_LONGEST])
    if not all(any(one.is_in(plain) for one in some) for some in owners.kin):
        return False
    if language == "zh" and owners.language != "zh":
        # of Wei nothing tells whether it is 伟
        return True
    folded = plain.casefold()
    return all(any(_is_named(word, folded) for word in group) for group in owners.names)


def share_of(thing: str, text: str, language: str) -> float:
    """How much of a thing's name a text of the same language says, 0..1.

    Where it says the kind of thing alone, a tenth; where it says another thing of the kind, a quarter.
    """
    return _share_zh(thing, simplify(text[:_LONGEST])) if language == "zh" else _share(thing, text[:_LONGEST])


def enough_for(share: float, language: str, *, is_across: bool) -> float:
    """From which score on a passage is about a thing of whose name it says no more than its kind."""
    if share > 0:
        return _ENOUGH_OF_KIND
    return _ENOUGH_ACROSS if is_across else _ENOUGH[language]


def is_said(share: float) -> bool:
    """Whether a thing is named by so much of its name."""
    return share >= _MOSTLY


def is_open(share: float) -> bool:
    """Whether so much of a name leaves it to the meaning what is meant."""
    return share <= _KIND


def _names(text: str) -> tuple[tuple[str, ...], ...]:
    """The names of a question: words with a capital letter that begin no sentence.

    Those side by side are together, and so are those of which one is enough: "Anna and Ben".
    """
    groups: list[list[str]] = []
    end = -1
    for match in _WORD.finditer(text):
        word, is_owner = re.sub(r"['’]s?$", "", match[0]), match[0].endswith(("'s", "’s"))
        if not word[:1].isupper() or _ACRONYM.fullmatch(word) is not None or word.casefold() in NOT_NAMES:
            continue
        if not is_owner and _BEGINS.search(text[: match.start()]) is not None:
            continue
        if end >= 0 and _TOGETHER.fullmatch(text[end : match.start()]) is not None:
            groups[-1].append(word.casefold())
        else:
            groups.append([word.casefold()])
        end = match.start() + len(word)
    return tuple(map(tuple, groups))


def _is_named(name: str, folded: str) -> bool:
    """Whether a name stands in a folded text; a nickname, where the lists know that it is the same name."""
    if re.search(rf"(?<![a-z0-9]){re.escape(name)}", folded) is not None:
        return True
    nicknames = name_lists().nicknames
    mine = nicknames.get(name, frozenset())
    return bool(mine) and any(mine & nicknames.get(word, frozenset()) for word in _WORD.findall(folded))


def _things(text: str, attributes: Sequence[Attribute]) -> tuple[list[str], list[str]]:
    """What an English question asks something of, and what of it."""
    words = [match[0] for match in _WORD.finditer(text)]
    found: list[str] = []
    whats: list[str] = []
    for at, word in enumerate(words):
        folded = word.casefold()
        before, behind = words[at - 1] if at > 0 else "", words[at + 1] if at + 1 < len(words) else ""
        if folded == "of" and before.casefold() not in NO_OWNER_BEFORE and (attributes or _is_determined(behind)):
            found.append(_phrase(words[at + 1 :]))
            whats.append(_phrase_before(words[:at]))
        elif (
            folded.endswith(("'s", "’s"))
            and folded.replace("’", "'") not in NO_OWNER
            and (word[:1].isupper() or _is_determined(before))
        ):
            found.append("" if folded[:-2] in EMPTY else word[:-2])
            whats.append(_phrase(words[at + 1 :]))
    if attributes:
        found += [_phrase(match["what"].split()) for match in _OF_ITEM.finditer(text)]
        place = attribute_place(text, attributes, "en") or 0
        found += [_phrase(match["what"].split()) for match in _PLACED.finditer(text, place)]
    return found, whats if _ASKS_OF_THING.search(text) is not None else []


def _is_determined(word: str) -> bool:
    """Whether a word tells that one thing is meant, and not a kind of thing: "of the flat", "of Anna"."""
    return _DETERMINED.fullmatch(word) is not None


def _rest(text: str, owners: Owners) -> str:
    """The words of weight of a question besides those that name somebody or something."""
    if owners.language == "zh":
        if "是多少" in text:
            # a number is said without the word for what it is
            return ""
        text = _ASKED_ZH.sub(" ", simplify(text))
        for thing in (*owners.things, *(word for group in owners.names for word in group)):
            text = re.sub(re.escape(thing), " ", text, flags=re.IGNORECASE)
        for some in owners.kin:
            text = some[0].words["zh"].sub(" ", text)
        return " ".join(re.sub("[我你他她们的了吗呢吧是在有和跟现最近次上下]", " ", text).split())
    named = {word for group in owners.names for word in group}
    named |= {word.casefold() for thing in owners.things for word in thing.split()}
    words = (re.sub(r"['’]s?$", "", match[0]) for match in _WORD.finditer(text))
    kept = [word for word in words if word.casefold() not in named | ENGLISH | EMPTY | ASKING_WORDS]
    return " ".join(word for word in kept if not _is_kin(word, owners.kin, "en"))


def _phrase_before(words: Sequence[str]) -> str:
    """The name at the end of some words."""
    start = len(words)
    while start > 0 and words[start - 1].casefold() not in ENGLISH and words[start - 1].casefold() not in CUT:
        start -= 1
    return _phrase(words[start:])


def _phrase(words: Sequence[str]) -> str:
    """The name at the beginning of some words: without articles, up to the first word that belongs to no name."""
    kept: list[str] = []
    for word in words:
        plain = re.sub(r"['’]s$|\W+$", "", word)
        folded = plain.casefold()
        if not kept and (folded in ENGLISH or folded in EMPTY):
            continue
        if folded in ENGLISH or folded in CUT or folded.isdigit():
            break
        kept.append(plain)
        if word != plain:
            break
    return " ".join(kept[:4])


def _is_asked_for(thing: str, attributes: Sequence[Attribute], language: str) -> bool:
    """Whether what seems to be a thing is what is asked for: the price of "the cost"."""
    return any((asked := one.asked[language]) is not None and asked.search(thing) is not None for one in attributes)


def _is_kin(thing: str, kin: tuple[tuple[Kin, ...], ...], language: str) -> bool:
    return any(one.words[language].fullmatch(thing) is not None for some in kin for one in some)


def _things_zh(text: str, attributes: Sequence[Attribute]) -> list[str]:
    """What a Chinese question asks something of: what stands before 的, or before the word for what is asked."""
    parts = text.split("的")
    if len(parts) > 1:
        return [_plain_zh(part) for part in parts[:-1]]
    place = attribute_place(text, attributes, "zh") if attributes else None
    return [_plain_zh(text[:place])] if place else []


def _whats_zh(text: str) -> list[str]:
    """What of theirs a Chinese question asks for, where it is no attribute."""
    _, gap, rest = text.rpartition("的")
    return [_plain_zh(_ASKED_ZH.sub("", rest))] if gap and _ASKS_OF_THING.search(text) is not None else []


def _plain_zh(part: str) -> str:
    part = re.split(r"[，,。！？?!、：:\s]", part)[-1]
    part = _PERIODS_ZH.sub("", _OPENING_ZH.sub("", part))
    part = _CLOSING_ZH.sub("", part)
    is_name = 1 <= len(part) <= 8 and _HAN.search(part) is not None and _NO_OWNER_ZH.match(part) is None  # noqa: PLR2004
    return part if is_name and _VERBS_ZH.search(part) is None else ""


def _share(thing: str, text: str) -> float:
    words = [word.casefold() for word in _WORD.findall(thing)]
    words = [word for word in words if word not in EMPTY and word not in ENGLISH] or words
    said = analyse(text).keys()
    there = [bool(analyse(word).keys() & said) for word in words]
    if not any(there):
        is_compound = len(words) > 1 and len(words[-1]) >= _LEAST_IN_COMPOUND and words[-1] in text.casefold()
        return _KIND if is_compound else 0.0
    if there[0] or len(there) == 1:
        return sum(there) / len(there)
    # the first word tells which one it is
    return _MOSTLY / 2 if is_another(words[0], words[-1], text) else _KIND


def _share_zh(thing: str, text: str) -> float:
    if len(thing) == 1:
        return float(thing in text)
    pairs = [thing[at : at + 2] for at in range(len(thing) - 1)]
    pairs = [pair for pair in pairs if not set(pair) & CHINESE_CHARACTERS] or pairs
    there = [pair in text for pair in pairs]
    said = sum(there) / len(there)
    if said >= _MOSTLY:
        return said
    # the first signs tell which one it is, the last one what it is
    if not there[0] and thing[-1] in text:
        return _MOSTLY / 2
    return _KIND if any(there) else 0.0
