"""Numbers as Chinese writes them: 十五, 二十, 廿二, 两千零八, 一百二十, 3, 二〇二一, 1.5; 三点五 is none of them.

Reads, and says by patterns where a number may be; what is counted is said elsewhere. Texts are folded first (`fold`).
"""

from __future__ import annotations

import re

DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0, "两": 2, "俩": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_TENS = {"廿": 20, "卅": 30, "卌": 40}
_PLAIN = re.compile(r"\d{1,6}(?:\.\d{1,3})?\Z", re.ASCII)

# The traditional signs of the vocabulary of time and their simplified form, one sign for one: offsets stay.
_TRADITIONAL = str.maketrans(
    "週禮點後號時鐘鍾兩個這從過間內開來現當歲節農曆閏臘舊廣國慶勞動兒聖誕親萬陰陽壩夠復終穀穀種滿驚蟄處頭數換約幾餘"
    "禦無記戰還離遲為於給續將會僅雙進與紀稱遠際頃賬續達較須樣該學課員單運營績財稅勝敗鼠龍馬雞豬蘭貳參陸壹晝尋聽婦樹師護權復電戀軍黨衛業歡",
    "周礼点后号时钟钟两个这从过间内开来现当岁节农历闰腊旧广国庆劳动儿圣诞亲万阴阳坝够复终谷谷种满惊蛰处头数换约几余"
    "御无记战还离迟为于给续将会仅双进与纪称远际顷账续达较须样该学课员单运营绩财税胜败鼠龙马鸡猪兰二三六一昼寻听妇树师护权复电恋军党卫业欢",
)
_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_MARKS = {
    ord(sign): ord(plain)
    for sign, plain in (
        ("〜", "~"), ("∼", "~"), ("—", "-"), ("–", "-"), ("―", "-"), ("－", "-"), ("─", "-"), ("﹣", "-"), ("−", "-"),
        ("　", " "), ("\u00a0", " "), ("\t", " "), ("：", ":"), ("︰", ":"), ("∶", ":"), ("．", "."), ("／", "/"),
        ("拾", "十"),
    )
}  # fmt: skip
_FOLDING = {**_TRADITIONAL, **_WIDTH, **_MARKS}

CJK_DIGIT = "零〇○一二三四五六七八九"
CJK_NUMBER = f"[{CJK_DIGIT}两俩十百千万廿卅]"

NUMBER_STARTS = frozenset("0123456789零〇○一二两三四五六七八九十百千万廿卅俩半几数")
"""The signs that a number can begin with."""

COUNT = rf"(?:\d{{1,6}}(?:\.\d{{1,3}})?|{CJK_NUMBER}{{1,9}})"
"""How many: any number up to a million."""

SMALL = r"(?:\d{1,2}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[零〇一二两三四五六七八九])"
"""A number of one or two digits (0-99), also written with a zero before it (零五)."""

MONTH = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
"""1-12; the caller makes sure that no digit stands before or after."""

DAY = (
    r"(?:3[01]|[12]\d|0?[1-9]|"
    r"三十一?|二?十[一二三四五六七八九]|二十|十|廿[一二三四五六七八九]?|卅一?|[一二三四五六七八九])"
)
"""1-31."""

MINUTE = r"(?:[0-5]\d|\d(?!\d)|[二三四五]?十[一二三四五六七八九]?|[零〇][零〇一二三四五六七八九]?|[一二三四五六七八九])"
"""0-59."""

HOUR = r"(?:2[0-4]|1\d|0?\d|二十[一二三四]?|十[一二三四五六七八九]?|[零〇一二两三四五六七八九])"
"""0-24."""

YEAR = rf"(?:\d{{4}}|[{CJK_DIGIT}]{{4}}|两千(?:零?[{CJK_DIGIT}]|[{CJK_DIGIT}]?十[{CJK_DIGIT}]?)?|千禧)"
"""A year of four digits."""

SHORT_YEAR = rf"(?:\d{{2}}|[{CJK_DIGIT}]{{2}})"
"""A year of two digits."""


def fold(text: str) -> str:
    """The same text with half-width digits and marks and simplified signs of time; as long as the given one."""
    return text.translate(_FOLDING)


def number(written: str) -> float:
    """What a matched number says.

    Raises:
        ValueError: it is no number (十百, an empty text).
    """
    if _PLAIN.match(written):
        return float(written)
    if not written or any(sign not in DIGITS and sign not in _UNITS and sign not in _TENS for sign in written):
        raise ValueError(written)
    if len(written) > 1 and all(sign in DIGITS for sign in written):
        return float("".join(str(DIGITS[sign]) for sign in written))
    return float(_with_units(written))


def whole(written: str) -> int:
    """A matched number without a fraction; raises ValueError."""
    return int(number(written))


def _with_units(written: str) -> int:
    total = section = digit = 0
    last_unit = 1
    for sign in written:
        if sign in DIGITS:
            digit = DIGITS[sign]
        elif sign in _TENS:
            section += _TENS[sign]
            last_unit = 10
        elif _UNITS[sign] == _UNITS["万"]:
            total, section, digit = (section + digit) * _UNITS["万"], 0, 0
            last_unit = _UNITS["万"]
        else:
            if not digit and section and _UNITS[sign] != _UNITS["十"]:
                raise ValueError(written)
            section += (digit or 1) * _UNITS[sign]
            last_unit, digit = _UNITS[sign], 0
    # 一百二 is a hundred and twenty, 两万四 is 24,000, 一百零二 is a hundred and two
    is_short = digit and last_unit > _UNITS["十"] and written[-2] not in "零〇○"
    return total + section + (digit * last_unit // 10 if is_short else digit)
