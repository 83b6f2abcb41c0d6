"""Dates that are written out in full at a place where a document says when it is from: its first line, a label.

Running text is not looked at, and a date without a year, or one whose order of day and month is open, is none: that is
for those who know more (`app.inference.dates`).
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from app.sources.parsing.dates import storable

if TYPE_CHECKING:
    from datetime import tzinfo

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
         "sep sept september", "oct october", "nov november", "dec december"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_WEEKDAY = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?,?\s{0,3}|"
    r"[(（]?(?:星期|周|礼拜)[一二三四五六日天][)）]?[,，]?\s{0,3})?"
)
_DATE = (
    r"(?:(?P<y1>(?:19|20)\d\d)\s?[-./年]\s?(?P<m1>\d{1,2})\s?[-./月]\s?(?P<d1>\d{1,2})(?:\s?[日号])?(?!\d)|"
    rf"(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s(?P<m2>{_MONTH}),?\s(?P<y2>(?:19|20)\d\d)\b|"
    rf"(?P<m3>{_MONTH})\s(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y3>(?:19|20)\d\d)\b)"
)
_CLOCK = (
    r"(?:[\sT,，]{0,3}" + _WEEKDAY + r"(?:at\s)?(?P<part>上午|下午|早上|晚上|中午)?\s?"
    r"(?P<h>\d{1,2})(?:[:：](?P<min>\d\d)|\s?(?P<dot>[点时])(?:(?P<min2>\d\d)分?|(?P<half>半))?|(?=\s?[ap]m\b))"
    r"(?:\s?(?P<apm>[ap])\.?m\b\.?)?)?"
)
_FULL = re.compile(_WEEKDAY + _DATE + _CLOCK, re.IGNORECASE)
_MARKS = re.compile(
    r"[\s#>*_\-•\[【(（]{0,12}"
    r"(?:(?:(?:meeting|weekly|team)\s)?(?:minutes|meeting notes)(?:\s(?:of|from|for))?(?:\sthe)?"
    r"|(?:会议|周会|例会|站会)?(?:纪要|记录))?[\s:：,，(（*_\-–—]{0,6}",
    re.IGNORECASE,
)
_NOON = 12
_SEARCHED = 200
_DIGITS = "〇一二三四五六七八九"
_SIGNS = "一二三四五六七八九十"
_CHINESE = re.compile(rf"([〇○零一二三四五六七八九]{{4}})年\s?([{_SIGNS}]{{1,2}})月\s?([{_SIGNS}]{{1,3}})(?=[日号])")
_CHINESE_HOUR = re.compile(rf"(?<=[日号)）午上晨 ])([{_SIGNS}]{{1,3}})(?=[点时])")
_DROPPED = re.compile(
    r"(?:originally|previously|formerly|was|instead of|(?:moved|rescheduled|postponed) from|原定于?|原计划|原为|原来)"
    r"[\s:：]{0,3}$",
    re.IGNORECASE,
)


def date_at_start(text: str, zone: tzinfo) -> datetime | None:
    """The date with which a line opens, after marks of a list or a heading, or after the word for minutes.

    With its time of day where that follows.
    """
    line = _in_digits(text[:_SEARCHED])
    marks = _MARKS.match(line)
    return _read(_FULL.match(line, marks.end() if marks is not None else 0), zone)


def date_within(text: str, zone: tzinfo) -> datetime | None:
    """The first full date in a title or behind a label; not one of which it says that it does not hold any more."""
    line = _in_digits(text[:_SEARCHED])
    found = (match for match in _FULL.finditer(line) if not _DROPPED.search(line, 0, match.start()))
    return _read(next(found, None), zone)


def _in_digits(text: str) -> str:
    """二〇二四年五月十日下午三点, written with digits."""
    dated = _CHINESE.sub(
        lambda match: (
            "".join(str(max(0, _DIGITS.find(sign))) for sign in match[1])
            + f"年{_number(match[2])}月{_number(match[3])}"
        ),
        text,
    )
    return _CHINESE_HOUR.sub(lambda match: str(_number(match[1])), dated) if dated != text else text


def _number(signs: str) -> int:
    """A number up to 99 in Chinese signs; what is none is 0, and no date."""
    tens, ten, ones = signs.rpartition("十")
    if len(tens) > 1 or len(ones) > 1:
        return 0
    return 10 * (max(0, _DIGITS.find(tens)) if tens else 1 if ten else 0) + (_DIGITS.find(ones) if ones else 0)


def _read(match: re.Match[str] | None, zone: tzinfo) -> datetime | None:
    if match is None:
        return None
    year = int(match["y1"] or match["y2"] or match["y3"])
    word = match["m1"] or (match["m2"] or match["m3"]).rstrip(".").lower()
    month = int(word) if word.isdecimal() else _MONTHS[word]
    day = int(match["d1"] or match["d2"] or match["d3"])
    try:
        moment = datetime(year, month, day, *_clock(match), tzinfo=zone)
    except ValueError:
        return None
    return storable(moment, zone)


def _clock(match: re.Match[str]) -> tuple[int, int]:
    if match["h"] is None:
        return 0, 0
    hour, minute = int(match["h"]), int(match["min"] or match["min2"] or (30 if match["half"] else 0))
    is_late = match["part"] in {"下午", "晚上"} or (match["apm"] or "").lower() == "p"
    if hour < _NOON and is_late:
        return hour + _NOON, minute
    return (0 if hour == _NOON and (match["apm"] or "").lower() == "a" else hour), minute
