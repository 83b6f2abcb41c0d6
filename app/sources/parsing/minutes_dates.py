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
_MARKS = re.compile(r"[\s#>*_\-•\[【(（]{0,12}")
_NOON = 12
_SEARCHED = 200


def date_at_start(text: str, zone: tzinfo) -> datetime | None:
    """The date with which a line opens, after marks of a list or a heading; with its time of day where that follows."""
    line = text[:_SEARCHED]
    marks = _MARKS.match(line)
    return _read(_FULL.match(line, marks.end() if marks is not None else 0), zone)


def date_within(text: str, zone: tzinfo) -> datetime | None:
    """The first full date in a title or behind a label."""
    return _read(_FULL.search(text[:_SEARCHED]), zone)


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
