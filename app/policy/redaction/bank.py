"""Cards, bank accounts and what opens them (L5.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.policy.redaction import checksums
from app.policy.redaction.findings import Finding, Kind
from app.policy.redaction.rules import apply, bare, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

_CARD = re.compile(r"(?<![\d.])(?<![A-Za-z0-9]-)(?<![A-Za-z_])\d(?:[ \-.]{0,2}\d){11,18}(?![\d]|\.\d|[A-Za-z_])")
_CARD_WORD = re.compile(
    r"\bcards?\b|credit|debit|visa\b|master ?card|amex|maestro|\bpan\b|银行卡|信用卡"
    r"|储蓄卡|借记卡|卡号|[工建农中招交行]行?卡|尾号|银联|账号|账户|帐号|收款|转账|汇款|还款|一卡通|存折",
    re.IGNORECASE,
)
_WORD_WIDTH = 28
# ISO/IEC 7812: the first digit of cards of banks, travel and the Chinese UnionPay.
_ISSUERS = re.compile(r"3[0-9]|4|5[0-8]|6|2[2-7]|81")
_UNIONPAY = re.compile(r"62\d{14}(?:\d{2,3})?\Z")
_SHORTEST_ALONE = 13
_GROUPS = re.compile(r"\d{3,6}(?:[ \-.]{1,2}\d{2,7}){2,5}\Z|\d+\Z")

_RULES = (
    rule(
        Kind.BANK_ACCOUNT,
        r"(?:账号|账户|帐号|帐户|户头|开户行?|收款人?|存折|支付宝|対公|対私|口座番号?|계좌)(?:号码"
        r"|号)?[^0-9A-Za-z\n。，]{0,8}(?P<v>\d[\d \-]{5,26}\d)(?!\d)",
        weight=0.6,
    ),
    rule(
        Kind.BANK_ACCOUNT,
        r"\b(?:(?:bank |checking |savings )?accounts?|acct|a/c|konto(?:nummer)?|clabe"
        r"|cuenta)(?: ?(?:number|num|no\.?|nr\.?|#))?"
        r"[ :：#=.]{1,4}(?:is |ending (?:in )?)?(?P<v>[A-Z]{0,4}\d[\d \-]{2,22}\d)(?![0-9A-Za-z])",
        weight=0.6,
    ),
    rule(
        Kind.BANK_ACCOUNT,
        r"(?:尾号|末四位|后四位|ending in|ending with|last (?:four|4)(?: digits)?)[ :：是为]{0,3}(?:are |is "
        r"|of )?(?P<v>\d{4})(?!\d)",
    ),
    rule(
        Kind.BANK_ACCOUNT,
        r"(?:routing|\baba\b|transit|sort code|\bbsb\b|ifsc|\bblz\b|联行号"
        r"|行号)[^0-9\n]{0,16}(?P<v>[A-Z]{0,4}\d[\dA-Z \-]{4,11})(?![0-9A-Za-z])",
    ),
    rule(
        Kind.BANK_ACCOUNT,
        r"(?:\bbic\b|swift)(?: ?(?:code|号"
        r"|代码))?[ :：/#是为]{1,4}(?P<v>[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)(?![0-9A-Za-z])",
        weight=0.7,
    ),
    rule(
        Kind.BANK_ACCOUNT,
        r"(?<![\w.])[\w.\-]{2,40}@(?:upi|ybl|ibl|axl|apl|paytm|okaxis|oksbi|okicici|okhdfcbank|sbi|icici"
        r"|hdfcbank)(?![\w.])",
    ),
    rule(
        Kind.BANK_ACCOUNT, r"(?<![0-9A-Za-z])(?:0x[0-9a-f]{40}|bc1[02-9ac-hj-np-z]{25,62})(?![0-9A-Za-z])", weight=0.8
    ),
    rule(
        Kind.BANK_ACCOUNT,
        r"(?:wallet|bitcoin|btc|钱包|usdt|tron|eth)[^0-9A-Za-z\n]{0,12}(?:address"
        r"|地址)?[ :：是为]{0,4}(?P<v>[13T][1-9A-HJ-NP-Za-km-z]{25,34})(?![0-9A-Za-z])",
    ),
    rule(
        Kind.SECRET,
        r"(?:\bcv[vc]2?\b|security code|安全码|校验码|有效期|\bexp(?:iry|ires"
        r"|iration)?(?: date)?\b)[ :：=是为/]{1,4}(?:is )?(?P<v>\d{3,4}|\d{2}/\d{2,4})(?![\d/])",
    ),
    rule(
        Kind.SECRET,
        r"(?:\bpin\b(?: code| number)?(?:'s)?|(?:unlock|door|gate|alarm|your|login) code"
        r"|取款密码|支付密码|交易密码|验证码|动态码|校验码|\botp\b|verification code"
        r"|one-time code|passcode|2fa code)[ :：=是为]{1,4}(?:is |was )?(?P<v>\d{3,8})(?!\d)",
        weight=0.7,
    ),
)
_IBAN = re.compile(
    r"(?<![0-9A-Za-z])[A-Z]{2}\d{2}(?:[ \-]?[A-Z0-9]{4}){2,7}(?:[ \-]?[A-Z0-9]{1,3})?(?![0-9A-Za-z])", re.IGNORECASE
)
_IBAN_WORD = re.compile(r"iban[^\n]{0,16}\Z|konto[^\n]{0,16}\Z", re.IGNORECASE)
_GREEDY_TAIL = re.compile(r"[ \-][A-Za-z0-9]{1,4}\Z")
_TAILS = 5


def find_bank_data(text: str) -> Iterator[Finding]:
    """Cards, accounts, IBAN, wallets, PINs and security codes."""
    yield from _cards(text)
    yield from _ibans(text)
    yield from apply(_RULES, text)


def _cards(text: str) -> Iterator[Finding]:
    for found in _CARD.finditer(text):
        digits = bare(found[0])
        before = text[max(0, found.start() - _WORD_WIDTH) : found.start()]
        is_said = _CARD_WORD.search(before) is not None
        if _GROUPS.match(found[0]) is None:
            continue
        is_known = _ISSUERS.match(digits) is not None
        is_right = is_known and len(digits) >= _SHORTEST_ALONE and checksums.is_luhn(digits)
        if is_said or is_right or (_UNIONPAY.match(digits) and is_known):
            yield Finding(found.start(), found.end(), Kind.BANK_CARD, 0.85 if is_right else 0.65)


def _ibans(text: str) -> Iterator[Finding]:
    """The words after an account may look like its last group: the check digits tell where it ends."""
    for found in _IBAN.finditer(text):
        value = found[0]
        for _ in range(_TAILS):
            if checksums.is_iban(bare(value).upper()):
                yield Finding(found.start(), found.start() + len(value), Kind.BANK_ACCOUNT, 0.95)
                break
            shorter = _GREEDY_TAIL.sub("", value)
            if shorter == value:
                break
            value = shorter
        else:
            continue
        if _IBAN_WORD.search(text[max(0, found.start() - _WORD_WIDTH) : found.start()]):
            yield Finding(found.start(), found.end(), Kind.BANK_ACCOUNT, 0.7)
