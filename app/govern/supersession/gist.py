"""A short entry as a whole: by which words, days and values it is known again where later ones speak of it freely.

The other readers of this package take a sentence apart, and know exactly what it speaks of. Most of what people write
has no such form; then what two short entries have in common decides, see `kinship`.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from app.govern.supersession.cues import rules
from app.govern.supersession.phrases import group_of, stem
from app.govern.supersession.turn_cues import turn_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_LATIN = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]*")
_HAN = re.compile("[\u3400-\u9fff]+")
_PHONE = re.compile(r"\+?\d(?:[ .()-]{0,2}\d){6,18}")
_NUMBER = re.compile(r"\d[\d.,:/-]*\d|\d")
_ADDRESS = re.compile(r"[\w.+-]{1,60}@[\w.-]{2,60}")
_MIXED = re.compile(r"\b(?=[A-Za-z]*\d)[A-Za-z0-9]{4,40}\b")
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)
_WEEKEND = re.compile(r"\bweekend\b|周末", re.IGNORECASE)
_HAN_WEEKDAY = re.compile("(?:周|星期|礼拜)([一二三四五六日天])")
_HAN_WEEKDAYS = dict(zip("一二三四五六日天", ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "sun"), strict=True))
_HAN_CALLED = re.compile(
    "(?:(?<![大从])[小阿]|老)(?![时区学心孩朋吃路费票店程组便型本说说家师板婆公年人地路乡实是姨里])[\u4e00-\u9fff]"
    "|[\u4e00-\u9fff](?:姐|哥|总|师傅|医生|大夫|经理|主任|教练|律师)"
)
"""What somebody is called by whom they know: 小马, 哈师傅."""
_SHORTEST = 2
_MOST_KEYS = 60


@dataclass(frozen=True, slots=True)
class Gist:
    """What tells an entry from others.

    Attributes:
        keys: words in their stems, pairs of Han characters, kinds of things ("%trip"), numbers; of title and text.
        title: its title, folded, without "Re:".
        focus: of an entry that changes another the keys of the sentences that say so; names: of these, those that are
            written as names.
        values: numbers, codes and addresses of the text. denied: those that it says are not so.
        sorts: what the entry is, or how it says what it says: see `turns`.
        times: times of day without a date, as minutes of the day.
        wholes: of each of the statement's days, whether no time of day was said.
        named: what it says to be changed, where the form of its sentences tells: each a kind and its marks, by blanks.
        is_reply: whether the title says that it answers another entry.
    """

    keys: tuple[str, ...]
    title: str
    focus: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    sorts: tuple[str, ...] = ()
    times: tuple[int, ...] = ()
    wholes: tuple[bool, ...] = ()
    named: tuple[str, ...] = ()
    is_reply: bool = False

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def of_plain(cls, values: Mapping[str, Any]) -> Gist:
        """Read it."""
        plain: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
        return cls(**plain)


def keys_of(text: str) -> tuple[str, ...]:
    """What a text is about, dates already taken out of it."""
    return tuple(dict.fromkeys((*_latin(text), *_han(text))))[:_MOST_KEYS]


def names_of(text: str) -> tuple[str, ...]:
    """Words within a sentence that are written with a capital letter."""
    stops = turn_rules().english.words["stop"]
    found = [match for match in _LATIN.finditer(text) if match.start() > 0]
    called = [match[0][:2] for match in _HAN_CALLED.finditer(text)]
    return tuple(
        dict.fromkeys(
            called
            + [
                stem(match[0])
                for match in found
                if match[0][0].isupper()
                and match[0].casefold().replace("’", "'") not in stops
                and len(match[0]) > _SHORTEST
                and not re.search(r"[.!?:]\s*$", text[: match.start()])
            ]
        )
    )


def weekdays_of(text: str) -> tuple[str, ...]:
    """The days of the week that a text names, as keys."""
    found = ["@weekend"] if _WEEKEND.search(text) is not None else []
    found += [f"@{match[0][:3].casefold()}" for match in _WEEKDAY.finditer(text)]
    return tuple(dict.fromkeys(found + [f"@{_HAN_WEEKDAYS[match[1]]}" for match in _HAN_WEEKDAY.finditer(text)]))


def values_of(text: str) -> tuple[str, ...]:
    """Numbers, codes and mail addresses, as they can be compared."""
    found = [match[0].casefold().rstrip(".") for match in _ADDRESS.finditer(text)]
    rest = _ADDRESS.sub(" ", text)
    found += [f"#{re.sub(r'[^0-9]', '', match[0])}" for match in _PHONE.finditer(rest)]
    rest = _PHONE.sub(" ", rest)
    found += [match[0].casefold() for match in _MIXED.finditer(rest)]
    found += [re.sub(r"[^\d]", "", match[0]) for match in _NUMBER.finditer(_MIXED.sub(" ", rest))]
    return tuple(dict.fromkeys(value for value in found if len(value) >= _SHORTEST))


def _latin(text: str) -> Iterator[str]:
    stops = turn_rules().english.words["stop"]
    for match in _LATIN.finditer(text):
        folded = match[0].casefold().replace("’", "'")
        if folded in stops or len(folded) < _SHORTEST:
            continue
        word = stem(folded)
        if word in stops:
            continue
        yield word
        kind = group_of(word)
        if kind is not None:
            yield f"%{kind}"


def _han(text: str) -> Iterator[str]:
    for match in rules().chinese_heads.finditer(text):
        if len(match[0]) > 1:
            yield f"%{rules().groups[match[0]]}"
    for match in rules().chinese_heads.finditer(text):
        if len(match[0]) == 1 and _HAN.match(text, match.end()) is None:
            yield f"%{rules().groups[match[0]]}"
    stop = turn_rules().chinese.patterns["stop"]
    for run in _HAN.finditer(text):
        for piece in stop.sub(" ", run[0]).split():
            yield from _pairs(piece)


def _pairs(piece: str) -> Iterable[str]:
    return (piece[at : at + 2] for at in range(len(piece) - 1))
