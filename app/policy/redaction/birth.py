"""Birth dates, ages, and money that is somebody's own: what is personal by the words beside it (L5.3).

Other dates, times, prices and counts stay: without them a text cannot be worked with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.policy.redaction.findings import Kind
from app.policy.redaction.rules import apply, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.policy.redaction.findings import Finding

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)\.?"
)
_DAY = (
    r"(?:\d{4}[-/.年] ?\d{1,2}[-/.月] ?\d{1,2}[日号]?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)?[ -]{_MONTH},?[ -]\d{{2,4}}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}"
    r"|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|\d{2,4}年(?:\d{1,2}月)?"
    r"|\d{1,2}月\d{1,2}[日号]?|(?:19|20)\d{2}"
    r"|[一二三四五六七八九零〇]{2,4}年[一二三四五六七八九十]{1,2}月[一二三四五六七八九十]{1,3}[日号])"
)
_NUMERAL = r"(?:\d{1,3}|[一二三四五六七八九十百]{1,4})"
_AMOUNT = (
    r"(?:[¥￥$€£₹]|rmb|cny|usd|eur|gbp|人民币)? ?(?:\d[\d,.]{0,15}|[一二两三四五六七八九十百千万几]{1,8}) ?"
    r"(?:k|m|万|千|百|亿)?(?:多|余|来)?(?:万|亿)?(?:元|块钱|块|美元|港币|人民币|欧元|英镑|dollars|euros"
    r"|pounds|yuan|rmb|usd)?"
)

_RULES = (
    rule(
        Kind.BIRTH_DATE,
        rf"(?:\bborn|\bdob\b|d\.o\.b\.?|date of birth|birth ?date|birthday|year of birth|geburtsdatum"
        rf"|geboren am|née? le|date de naissance)"
        rf"[\"']?(?:[ :=.\-/]{{0,4}}(?:on|in|is|was|am|the)?){{1,2}}[ :=\"']{{0,3}}(?P<v>{_DAY})(?!\d)",
        weight=0.9,
    ),
    rule(
        Kind.BIRTH_DATE,
        rf"(?:出生日期|出生年月日?|出生时间|出生于|出生在|生于|生日|诞辰|生年月日|誕生日|생년월일"
        rf"|出生)[ :：=是为在\"']{{0,5}}(?:农历|阳历|阴历)?(?P<v>{_DAY})(?!\d)",
        weight=0.9,
    ),
    rule(Kind.BIRTH_DATE, rf"(?P<v>{_DAY})(?:出生|生人|生的|生まれ|年生)", weight=0.85),
    rule(
        Kind.AGE,
        r"周岁(?:是|为)?\d{1,3}|(?:虚岁|实岁|年龄|年纪|芳龄|年方|高龄|享年|终年"
        r"|岁数)[ :：=是为]{0,3}(?:\d{1,3}|[一二三四五六七八九十百]{1,4})(?:岁|周岁)?",
        weight=0.7,
    ),
    rule(Kind.AGE, rf"(?:今年|刚满?|快|已经?|才|我|他|她|了)?(?P<v>{_NUMERAL}(?:多|来|几)?周?岁)(?:半)?", weight=0.7),
    rule(Kind.AGE, r"\b(?:aged?|age[ds]?(?: is| of|:)) ?\d{1,3}\b(?!%)", weight=0.7),
    rule(
        Kind.AGE,
        r"(?<![\d.])\d{1,3}(?:[ -]?(?:years?|yrs?|months?|weeks?)[ -]?olds?\b| ?y/?o\b| ?yrs?\b|-year-old"
        r"| year-old|歳|세)",
        weight=0.7,
    ),
    rule(
        Kind.AGE,
        r"\b(?:turn(?:ed|s|ing)?|just turned|will be|i'?m|i am|he'?s|she'?s|he is|she is|who is) (?:now "
        r"|about |almost |only )?(?P<v>\d{1,3})(?= ?(?:[.,;!?]|$|and\b|now\b|today\b|this year|next |in [A-Z]"
        r"|years))",
        weight=0.6,
    ),
    rule(
        Kind.AGE,
        r"\bin (?:my|his|her) (?:early |mid |late |mid-)?(?P<v>[2-9]0s|twenties|thirties|forties|fifties"
        r"|sixties|seventies|eighties)\b",
        weight=0.5,
    ),
    rule(Kind.AGE, r"[、，, ](?P<v>\d{1,3})歳", weight=0.7),
    rule(
        Kind.MONEY,
        r"(?:月薪|年薪|底薪|时薪|日薪|工资|薪资|薪水|薪酬|年收入|月收入|月入|年入|日入|身价|家庭收入|收入"
        r"|存款|积蓄|账户余额"
        r"|余额|欠债|负债|欠款|欠了|外债|债务|贷款|房贷|车贷|网贷|月供|还款|借款|年终奖|奖金"
        r"|公积金|退休金|养老金|资产|净资产|身家|信用分|芝麻分|征信|信用评分|信用额度|授信额度|额度|抚养费"
        r"|赡养费|彩礼|税前|税后|到手)"
        rf"[\u4e00-\u9fff]{{0,3}}[ :：=]{{0,2}}{_AMOUNT}(?![\d年月日点号])",
        weight=0.6,
    ),
    rule(
        Kind.MONEY,
        rf"(?:欠|借了|贷了|亏了|赔了)(?:了"
        rf"|着)?[\u4e00-\u9fff]{{0,5}}?{_AMOUNT}(?<=[元块钱万亿千百0-9])(?![\d年月日点号个件次本天])",
        weight=0.5,
    ),
    rule(
        Kind.MONEY,
        r"\b(?:salary|salaries|wages?|income|paycheck|earnings?|earns?|earned|makes|net worth|savings"
        r"|debts?|owes?|owed|mortgage|loans?|pension|alimony|child support|bonus|credit score"
        r"|account balance|balance|bankruptcy|take-home|compensation)\b"
        r"[^\n\d.!?$€£₹¥]{0,24}(?P<v>(?:[$€£₹¥] ?\d[\d,.]{0,14}\d?(?: ?(?:k|m|million|thousand|lakhs?"
        r"|crores?))?|\d[\d,]{2,14}(?:\.\d{1,2})?(?: ?(?:k|dollars|usd|eur|euros|pounds|gbp|rupees"
        r"|a year|per (?:year|month|hour)))?))(?![\d])",
        weight=0.6,
    ),
    rule(
        Kind.MONEY,
        r"(?P<v>[$€£₹¥] ?\d[\d,.]{0,14}\d?k?)(?: (?:a|per) (?:year|month|hour)| (?:salary|in (?:debt|savings"
        r"|student loans)|mortgage|loan))",
        weight=0.6,
    ),
)


def find_birth_and_money(text: str) -> Iterator[Finding]:
    """Birth dates, ages, and a person's own income and debts."""
    yield from apply(_RULES, text)
