"""Telephone numbers of any country, by their shape and by the words beside them (L5.3).

A table of the world's numbering plans is left out on purpose: it knows which numbers exist, while people write numbers
with digits missing or grouped in their own way, and a word beside them ("call", 手机) says more. Without such a word
only shapes count that hardly anything else has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Finding, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = re.compile(
    r"(?:(?<![A-Za-z0-9_])|(?<=[A-Za-z])(?=\())(?<!\d[-./=*+:])(?<!\d[)][+])"
    r"(?:\(?\+ ?|\()?\(?\d(?:(?:[ \-./()]{0,3}|-\r?\n)\d){5,17}\)?(?!\d)"
    r"(?: {0,2}(?:ext\.?|extension|x|转|分机) ?\d{1,6}(?!\d))?",
    re.IGNORECASE,
)
_PHONE_WORD = (
    r"phones?|tele?phone|\btel\b|mobile|\bcell|\bfax|\bcall|\bdial|\btext(?: me)?|\bsms\b|whats ?app|contact|\breach"
    r"|hotline|\boffice|\bdesk\b|\bhome\b|\bwork\b|landline|messages? to|\bring\b|numbers? (?:is|are|was"
    r"|to|:)|\bnumber\b|@"
    r"|手机|电话|座机|固话|号码|联系|致电|拨打|打给|来电|热线|传真|短信|换号|新号|拨通|拨|携帯|전화"
)
_OTHER_WORD = (
    r"(?:routing|account|\bacct|\bcard|order|invoice|tracking|serial|version|part|model|batch|\bssn\b|passport"
    r"|policy|reference|case|ticket|\bid\b)(?: (?:number|no\.?))?"
    r"|isbn|amount|price|total"
    r"|账号|账户|帐号|卡号|银行卡|订单|单号|编号|身份证|护照|版本|金额|价格|序列号|社保|税号|发票|证号|字第"
)
_WORDS_BEFORE = re.compile(rf"(?P<phone>{_PHONE_WORD})|(?P<other>{_OTHER_WORD})", re.IGNORECASE)
_WORDS_AFTER = re.compile(
    r"[ ,，]{0,2}(?:[-(（/]? ?(?:office|fax|mobile|home|work|cell|desk)\b"
    r"|(?:is|was) (?:my|his|her|their|our|the) (?:\w{1,12} )?(?:phone|mobile|cell|number)|是(?:我"
    r"|他|她)的?(?:手机|电话|号码))",
    re.IGNORECASE,
)
_DENIAL_AFTER = re.compile(
    r"[^.。\n]{0,40}(?:(?:n't|not)(?: \w{1,8}){0,3} phone|不是个?一?个?(?:\w{0,6}，)?(?:\w{0,4})电话"
    r"|不像(?:是|个)?电话|(?:n't|not) look like a phone)",
    re.IGNORECASE,
)
# Any number is one of these: they make a telephone number of a long one only.
_VAGUE = frozenset({"号码", "number", "number is", "number:", "@", "office", "home", "work", "desk"})
_SENTENCE_END = re.compile(r"[。！？\n]|[.!?] ")
_BEFORE_WIDTH = 60
_CLOSE = 24
_DATE = re.compile(
    r"\(?(?:(?:1[89]|20)\d\d([-./ ])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])"
    r"|(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|[12]\d|3[01])\2(?:1[89]|20)\d\d"
    r"|(?:1[89]|20)\d\d ?[-/] ?(?:1[89]|20)\d\d)(?![-./\d])(?: .*)?\Z",
    re.DOTALL,
)
_COMPACT_DATE = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4}|\d{6})?\Z")
_DECIMAL = re.compile(r"\(?\d{1,4}\.\d+\)?\Z")
_PLAIN_DIGITS = re.compile(r"\d+\Z")
_IPV4 = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_GROUPED_BY_THREE = re.compile(r"\d{1,3}(?:[ .]\d{3})+\Z")
# Shapes that are telephone numbers without a word beside them.
_SHAPES = tuple(
    re.compile(shape + r"(?: {0,2}(?:ext\.?|extension|x|转|分机) ?\d{1,6})?\)?\Z", re.IGNORECASE)
    for shape in (
        r"\(?\+ ?\(?\d[\d \-./()]{7,22}",
        r"(?:\(?(?:00)?86\)?[ -]?)?1[3-9]\d(?:[ \-.]?\d{4}[ \-.]?\d{4}|[ -]?\d{3}[ -]?\d{5}|\d{2}[ -]\d{3}[ -]\d{3})",
        r"(?:\(?(?:00)?86\)?[ -]?)?\(?0[1-9]\d{1,2}\)?[ \-/]?[2-9]\d{2,3}[ -]?\d{4}",
        r"[48]00[ -]\d{3}[ -]\d{4}|[48]00[ -]\d{4}[ -]\d{3}|400\d{7}",
        r"1?[ \-.]?\(?\d{3}\)[ \-.]?\d{3}[ \-.]?\d{4}",
        r"(?:1[ \-.])?\d{3}([ \-.])\d{3}\1\d{4}",
        r"[2-9]\d{2}[2-9]\d{6}|555\d{7}",
        r"\(\d{2,5}\) ?\d{3,5}[ \-]?\d{3,5}|\(?\d{2}\)? ?\d{4,5}-\d{4}|\(\d{2} \d{8}|\d{2}\) ?\d{8}",
        r"00 ?\d{2,3} ?\d[\d \-./()]{6,16}",
        r"0\d{1,4}[ \-./](?:\d{2,4}[ \-./]){0,4}\d{2,8}",
    )
)
_AREA_ONLY_OPENED = re.compile(r"\(\d{2} \d{8}\Z")
_WORDED = re.compile(
    "[一幺壹][ ，,、-]?[三四五六七八九叁肆伍陆柒捌玖](?:[ ，,、-]?[〇零一幺二两三四五六七八九壹贰叁肆伍陆柒捌玖]){9}"
    "(?![〇零一二三四五六七八九十百])"
)
_SPELLED = re.compile(
    r"\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
    r"(?:[ ,-]{1,2}(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple)\b){6,15}",
    re.IGNORECASE,
)
_LENGTHS_WITH_WORD = range(6, 17)
_LENGTHS_WITHOUT = range(8, 17)
_SHORT = 7
_SHORTEST_WITH_ZERO = 9


def find_phones(text: str) -> Iterator[Finding]:
    """Telephone numbers, extensions included."""
    for found in _RUN.finditer(text):
        weight = _weight(text, found.start(), found.end())
        if weight:
            yield Finding(found.start(), found.end(), Kind.PHONE, weight)
    for found in _WORDED.finditer(text):
        yield Finding(found.start(), found.end(), Kind.PHONE, 0.7)
    for found in _SPELLED.finditer(text):
        said = _word_before(text, found.start())
        if said is not None and said.is_phone:
            yield Finding(found.start(), found.end(), Kind.PHONE, 0.7)


def _weight(text: str, start: int, end: int) -> float:
    """How surely a run of digits is a telephone number; 0: it is none."""
    run = text[start:end]
    if run.startswith("(") and ")" not in run and not _AREA_ONLY_OPENED.match(run):
        run = run[1:]  # the bracket belongs to the sentence
    if run.endswith(")") and "(" not in run:
        run = run[:-1]
    digits = sum(map(str.isdigit, re.split(r"[ex转分]", run, maxsplit=1, flags=re.IGNORECASE)[0]))
    if _is_something_else(run) or _is_part_of_a_code(text, start, end) or _DENIAL_AFTER.match(text, end):
        return 0.0
    said = _word_before(text, start)
    if said is not None and said.is_vague and digits < _SHORTEST_WITH_ZERO and _PLAIN_DIGITS.match(run):
        return 0.0
    if _WORDS_AFTER.match(text, end):
        said = _Word(is_phone=True, is_vague=False, distance=1)
    if said is not None and not said.is_phone:
        return 0.7 if run.startswith(("+", "(+")) and digits >= _SHORTEST_WITH_ZERO else 0.0
    if said is not None and digits in _LENGTHS_WITH_WORD:
        return _with_word(run, digits, distance=said.distance)
    if digits in _LENGTHS_WITHOUT and any(shape.match(run) for shape in _SHAPES):
        return 0.0 if digits < _SHORTEST_WITH_ZERO and run.startswith("0") else 0.6
    return 0.0


def _with_word(run: str, digits: int, *, distance: int) -> float:
    if digits <= _SHORT + 1 and distance > _CLOSE:
        return 0.0
    if digits == _SHORT and run[0] in "01" and _PLAIN_DIGITS.match(run) is None and run.startswith("1"):
        return 0.0  # 112-3333: no subscriber's number begins with a 1
    if digits < _SHORT and not (_PLAIN_DIGITS.match(run) or run.startswith(("(", "+"))):
        return 0.0
    return 0.8


@dataclass(frozen=True, slots=True)
class _Word:
    """The telling word before a number: of telephones or of something else, and how many characters before it."""

    is_phone: bool
    is_vague: bool
    distance: int


def _word_before(text: str, start: int) -> _Word | None:
    """The last telling word of the sentence before; None: there is none."""
    before = text[max(0, start - _BEFORE_WIDTH) : start]
    ends = [found.end() for found in _SENTENCE_END.finditer(before)]
    before = before[ends[-1] :] if ends else before
    words = list(_WORDS_BEFORE.finditer(before))
    if not words:
        return None
    word = words[-1]
    is_vague = word[0].lower() in _VAGUE and all(other["phone"] is None for other in words[:-1])
    return _Word(is_phone=word["phone"] is not None, is_vague=is_vague, distance=len(before) - word.end())


def _is_something_else(run: str) -> bool:
    """A date, a decimal number, a price with grouped thousands."""
    return bool(
        _DATE.match(run)
        or _IPV4.fullmatch(run)
        or _COMPACT_DATE.match(run)
        or (_DECIMAL.match(run) and not run.startswith("("))
        or (_GROUPED_BY_THREE.match(run) and run[0] != "0" and "." in run)
    )


def _is_part_of_a_code(text: str, start: int, end: int) -> bool:
    """Whether letters, operators or a currency make the run part of something that is no telephone number."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if before[-1:] in tuple("*^$€£¥￥₹%"):
        return True
    if before.endswith("-") and before[:-1] in ("", " ") and "-" not in text[start:end] and " " not in text[start:end]:
        return True  # a negative number
    if re.match(r"[-=*/^%][A-Za-z0-9]|[A-Za-z]|[.:]\d|%|,\d|元|块|万|岁|年|月|个|件", after) and not re.match(
        r"[-/](?:office|fax|mobile|home|work|cell|desk)|-? [A-Za-z]", text[end : end + 8], re.IGNORECASE
    ):
        return True
    return bool(re.search(r"[A-Za-z]-\Z", before)) and "(" not in text[start:end] and " " not in text[start:end]
