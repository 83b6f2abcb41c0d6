"""Addresses in Chinese, and cities beside a person's name (L5.3).

An address is a road, village or building with a number, or two administrative units in a row, or what follows the word
地址 or 住在. A city alone (我在北京) stays: it tells little, and a text about a journey cannot do without it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from app.policy.redaction.chinese_lists import chinese_lists, is_han
from app.policy.redaction.findings import Finding, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER = r"(?:[A-Za-z]?\d{1,5}(?:-\d{1,4}){0,3}|[一二三四五六七八九十百]{1,4})"
_WAY = "大街|大道|公路|环路|路|街|巷|弄|胡同|道|条"
_SITE = (
    "新村|村|镇|屯|小区|花园|公寓|大厦|广场|园区|工业园|科技园|产业园|家园|佳苑|雅苑|苑|庄|城|中心|社区|大院"
    "|院|里|坊|府|湾|庭|阁|轩"
)
_ANCHOR = re.compile(
    rf"(?:(?:{_WAY})(?:[东西南北中]?[一二三四五六七八九十]?段?)?[ ]?(?:第)?{_NUMBER}(?:号院|号楼|号|弄|栋|幢|巷)"
    rf"|(?:{_SITE})[东西南北]?[区门]?[ ]?(?:第)?{_NUMBER}(?:号院|号楼|号|栋|幢|座|单元|室|组|队|层|楼))"
)
_TAIL = re.compile(
    r"(?:[ ]?(?:[A-Za-z0-9\-]{1,8}|[一二三四五六七八九十]{1,3}|(?:[A-Za-z]{1,8})?[\u4e00-\u9fff]{1,8}?)"
    r"(?:号院|号楼|号|栋|幢|座|单元|门|层|楼|室|户|房|弄|组|区|小区|大厦|广场|花园|公寓|园区|中心|铺|城|苑|府)){0,6}"
    r"[ ]?(?:\d{2,5}(?:室)?(?!\d))?"
)
_UNITS = re.compile(
    r"[\u4e00-\u9fff]{2,7}?(?:省|自治区|市|自治州|州"
    r"|盟)[ ]?(?:(?![到至从和与去的在])[\u4e00-\u9fff]){1,7}?(?:市|区|县|旗|自治县|镇|乡|街道)"
    r"(?:[ ]?[\u4e00-\u9fff]{1,8}?(?:区|县|镇|乡|街道|村|社区|开发区))?"
    rf"(?:[\u4e00-\u9fff0-9]{{1,12}}?(?:{_WAY}|小区|花园|公寓|大厦|广场))?"
)
_CONTEXT = re.compile(
    r"(?:地址|住址|住所|户籍地|户口所在地|籍贯|居住地|现居|家住|住在|居住在|搬到|寄到|寄往|送到|送货到"
    r"|快递到|邮寄至|寄至|位于|坐落于|(?<!大)家在|老家在|公司在)"
    r"[ :：是为在\"']{0,4}(?P<v>[\u4e00-\u9fffA-Za-z0-9（）()\- #·]{2,60})"
)
_PLACE_END = re.compile(
    r".{0,60}(?:[省市区县镇乡村屯路街道巷弄号楼栋幢室苑城庄厦寓院里]|大街|胡同|小区|花园|单元|广场|\d)", re.DOTALL
)
_SPECIFIC = re.compile(r"[区县镇乡村屯路街道巷弄号楼栋幢室苑庄厦寓]|大街|胡同|小区|花园|单元|广场|省.{1,6}市")
_LONGEST_HEAD = 40
_LONGEST_NAME = 8
# 张家村, 李家沟: villages are named after families.
_FAMILY = "家"
_POSTCODE = re.compile(r"(?:邮编|邮政编码|邮码)(?:号|号码)?[ :：是为]{0,4}(?P<v>\d{6})(?!\d)")


def find_chinese_addresses(text: str) -> Iterator[Finding]:
    """Addresses and postal codes."""
    for found in _ANCHOR.finditer(text):
        start = _head(text, found.start())
        if found.start() - start >= 1:
            tail = _TAIL.match(text, found.end())
            yield Finding(start, tail.end() if tail else found.end(), Kind.ADDRESS, 0.75)
    for found in _UNITS.finditer(text):
        place = chinese_lists().place.search(found[0])
        if place is not None:
            yield Finding(found.start() + place.start(), found.end(), Kind.ADDRESS, 0.7)
    for found in _district_sites().finditer(text):
        yield Finding(found.start(), found.end(), Kind.ADDRESS, 0.6)
    for found in _CONTEXT.finditer(text):
        place_end = _PLACE_END.match(found["v"])
        if place_end is not None and _SPECIFIC.search(found["v"], 0, place_end.end()):
            yield Finding(found.start("v"), found.start("v") + place_end.end(), Kind.ADDRESS, 0.7)
    for found in _POSTCODE.finditer(text):
        yield Finding(found.start("v"), found.end("v"), Kind.POSTCODE, 0.8)


def find_chinese_cities(text: str) -> Iterator[Finding]:
    """Cities and provinces; the caller asks for them where a person is named."""
    for found in chinese_lists().city.finditer(text):
        suffix = found.end() < len(text) and text[found.end()] in "省市"
        yield Finding(found.start(), found.end() + suffix, Kind.PLACE, 0.4)


@cache
def _district_sites() -> re.Pattern[str]:
    """海淀中关村大街: a known district and a road or site in it, without a number."""
    return re.compile(
        f"(?:{chinese_lists().district.pattern})(?:新?区)?(?:(?![到至从和与去的在])[\u4e00-\u9fff]){{2,8}}?"
        "(?:科技园区|园区|开发区|街道|大街|大道|小区|新村|胡同|路(?!上|过|况|线|程|口))"
    )


def _head(text: str, anchor: int) -> int:
    """Where an address begins whose road or site ends at `anchor`."""
    lists = chinese_lists()
    low = max(0, anchor - _LONGEST_HEAD)
    start = anchor
    while start > low and (is_han(text[start - 1]) or text[start - 1].isalnum() or text[start - 1] in " -·"):
        start -= 1
    place = lists.place.search(text, start, anchor)
    if place is not None:
        return place.start()
    first = anchor
    while (
        first > start
        and anchor - first < _LONGEST_NAME
        and (text[first - 1] not in lists.stops or text[first - 1] == _FAMILY)
    ):
        first -= 1
    return first
