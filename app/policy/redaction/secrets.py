"""What opens a door: keys, tokens, passwords, cookies, private keys (L5.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Finding, Kind
from app.policy.redaction.rules import apply, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

_B = r"(?<![0-9A-Za-z_-])"
_E = r"(?![0-9A-Za-z_-])"
# The prefixes that vendors document for their tokens.
_VENDORS = (
    r"sk-ant-[A-Za-z0-9_-]{20,200}",
    r"sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,200}",
    r"sk-[A-Za-z0-9]{20,100}",
    r"(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[0-9A-Z]{16}",
    r"gh[pousr]_[A-Za-z0-9]{30,255}",
    r"github_pat_[A-Za-z0-9_]{22,255}",
    r"gl(?:pat|ptt|dt|rt|cbt)-[A-Za-z0-9_-]{20,64}",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,250}",
    r"xapp-\d-[A-Za-z0-9-]{20,250}",
    r"AIza[0-9A-Za-z_-]{35}",
    r"ya29\.[0-9A-Za-z_-]{20,300}",
    r"GOCSPX-[A-Za-z0-9_-]{20,40}",
    r"(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{10,120}",
    r"whsec_[A-Za-z0-9+/=]{16,80}",
    r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",
    r"hf_[A-Za-z0-9]{20,60}",
    r"npm_[A-Za-z0-9]{30,60}",
    r"pypi-[A-Za-z0-9_-]{40,250}",
    r"do[op]_v1_[a-f0-9]{40,80}",
    r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    r"(?:AC|SK)[0-9a-f]{32}",
    r"key-[0-9a-f]{32}",
    r"LTAI[A-Za-z0-9]{12,24}",
    r"AKID[A-Za-z0-9]{13,40}",
    r"gsk_[A-Za-z0-9]{30,80}",
    r"nvapi-[A-Za-z0-9_-]{30,90}",
    r"r8_[A-Za-z0-9]{30,50}",
    r"pplx-[A-Za-z0-9]{30,60}",
    r"xai-[A-Za-z0-9]{30,100}",
    r"EAA[A-Za-z0-9]{40,250}",
    r"sq0(?:atp|csp)-[0-9A-Za-z_-]{20,50}",
    r"ATATT3[A-Za-z0-9_=-]{40,250}",
    r"lin_api_[A-Za-z0-9]{30,60}",
    r"secret_[A-Za-z0-9]{40,60}",
    r"ntn_[A-Za-z0-9]{30,60}",
    r"dckr_pat_[A-Za-z0-9_-]{20,50}",
    r"AGE-SECRET-KEY-1[0-9A-Z]{50,70}",
    r"\d{8,10}:AA[A-Za-z0-9_-]{30,40}",
    r"eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{2,2000})?",
)
_KEY_WORD = (
    r"(?:[A-Za-z0-9]{0,20}[_-]?(?:password|passwd|passphrase|pwd|pw|secret|api[_ -]?key|apikey"
    r"|access[_ -]?key(?:[_ -]?id)?|private[_ -]?key|auth[_ -]?key"
    r"|client[_ -]?secret|(?:access|refresh|auth|bearer|session|api|id|csrf|xsrf)?[_ -]?token|credential"
    r"|sessionid|session[_ -]?id|phpsessid|jsessionid|sid"
    r"|encryption[_ -]?key|signing[_ -]?key|license[_ -]?key|recovery (?:key|code)|pass)"
    r"|密码|密碼|口令|密钥|密鑰|秘钥|私钥|私鑰|令牌|授权码|授權碼|激活码|恢复码)"
)
_VALUE = r"[^\s\"'，。；、,;<>（）()\u4e00-\u9fff]{4,200}"
_BEGINS = r"(?:(?<![A-Za-z0-9])|(?=[\u4e00-\u9fff]))"
_ASSIGNED = re.compile(
    rf"{_BEGINS}{_KEY_WORD}[\"']?(?: ?[=:：](?: ?|\s{{0,2}}[|>]?\r?\n[ \t]{{1,16}})|=>|>)[\"']?(?P<v>{_VALUE})",
    re.IGNORECASE,
)
_SAID = re.compile(
    rf"{_BEGINS}{_KEY_WORD}(?:(?:'s| is| was| to| are)(?: now| still)?:? |"
    rf"(?:还是老样子|[就是为為改成换換设設还還仍]{{1,4}}) ?"
    rf"| )[\"'“「]?(?P<v>{_VALUE})",
    re.IGNORECASE,
)
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"[A-Za-z0-9+/=\s:,.-]*")
_PEM_FOOTER = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_LONGEST_KEY = 12_000
_PEM_TORSO = re.compile(r"(?:\s{0,2}[A-Za-z0-9+/=]{40,80}){1,200}")
_PLAIN_WORD = re.compile(r"[A-Za-z]+[.!?]*\Z|[.\-*_]+\Z|\d{1,2}[.!?]*\Z|[\d,.]+%?\Z|https?:")
_PASSWORD_WORD = re.compile(r"pass|pwd|\bpw|密码|密碼|口令|secret", re.IGNORECASE)
_PASSWORD_DIGITS = re.compile(r"\d{4,20}\Z")
_TRAILING = ".,;:!?)]}'\""

_RULES = (
    rule(Kind.SECRET, rf"{_B}(?:{'|'.join(_VENDORS)}){_E}", weight=0.95, is_exact=True),
    rule(
        Kind.SECRET,
        r"\b(?:bearer|basic|token) (?P<v>(?=[A-Za-z+/=._~-]{0,200}\d)[A-Za-z0-9+/=._~-]{16,2000})",
        weight=0.8,
    ),
    rule(Kind.SECRET, r"\b(?:set-)?cookie: ?(?P<v>[^\s][^\n]{3,4000})", weight=0.8),
    rule(Kind.SECRET, r"\bx-[a-z-]{0,20}(?:key|token|auth)[a-z-]{0,10}: ?(?P<v>[^\s\"']{6,400})", weight=0.8),
    rule(
        Kind.SECRET,
        r"(?<![A-Za-z])[a-z][a-z0-9+.-]{1,24}://[^\s:/@\"'<>]{0,100}:[^\s/@\"'<>]{1,200}@[^\s\"'<>]{1,400}",
        weight=0.95,
    ),
    rule(
        Kind.SECRET, r"\bcurl\b[^\n]{0,200} (?:-u|--user)[ =]?[\"']?(?P<v>[^\s:\"']{1,60}:[^\s\"']{1,100})", weight=0.8
    ),
    rule(Kind.SECRET, r"\bmysql[a-z]{0,5}\b[^\n]{0,200} -p(?P<v>[^\s]{4,100})", weight=0.8, is_exact=True),
    rule(Kind.SECRET, r"\bsshpass -p ?[\"']?(?P<v>[^\s\"']{3,100})", weight=0.8, is_exact=True),
    rule(Kind.SECRET, r"\blog-?in:? [^\s/]{2,60} ?/ ?(?P<v>(?=[A-Za-z]{0,60}\d)[^\s,;]{5,60})", weight=0.7),
    rule(Kind.SECRET, r"(?:sessionid|session|sid)=(?P<v>(?=[a-z]{0,60}\d)[A-Za-z0-9%._-]{8,400})", weight=0.8),
    rule(
        Kind.SECRET,
        r"\b(?:AccountKey|SharedAccessKey|SharedAccessSignature|sig|Pwd|Password)=(?P<v>[^;\s\"'&]{4,400})",
        weight=0.9,
    ),
    rule(
        Kind.SECRET,
        r"(?:助记词|seed phrase|mnemonic|recovery phrase)[ :：是为]{1,4}(?:is )?(?P<v>[a-z]{3,8}(?: [a-z]{3,8}){5,23})",
        weight=0.9,
    ),
    rule(
        Kind.URL,
        r"https?://[^\s\"'<>]{1,400}[?&#][a-z_-]{0,20}(?:token|key|secret|sig|signature|password|auth"
        r"|code|session|credential)[a-z_-]{0,12}=[^\s\"'<>，。]{1,1500}",
        weight=0.92,
    ),
)


def find_secrets(text: str) -> Iterator[Finding]:
    """Tokens by their vendor's prefix, and values after the words that announce a secret."""
    yield from apply(_RULES, text)
    yield from _private_keys(text)
    for found in _ASSIGNED.finditer(text):
        yield from _value(found, is_assigned=True)
    for found in _SAID.finditer(text):
        yield from _value(found, is_assigned=False)


def _value(found: re.Match[str], *, is_assigned: bool) -> Iterator[Finding]:
    """A word of the language after "password" is no password, unless it is assigned to it."""
    value = found["v"].rstrip(_TRAILING) if not is_assigned else found["v"].rstrip(".,;)]}'\"")
    is_password = _PASSWORD_WORD.search(found[0][: found.start("v") - found.start()]) is not None
    if not value or value.startswith(("⟦", "${", "{{", "<")):
        return
    is_said = is_assigned and not value.isdigit()
    if (is_password and (is_said or _PASSWORD_DIGITS.match(value))) or _is_random(value):
        yield Finding(found.start("v"), found.start("v") + len(value), Kind.SECRET, 0.85)


def _is_random(value: str) -> bool:
    if _PLAIN_WORD.match(value):
        return False
    kinds = sum(
        (any(map(str.isdigit, value)), any(map(str.islower, value)), any(map(str.isupper, value)), not value.isalnum())
    )
    return kinds > 1 and any(map(str.isdigit, value))


def _private_keys(text: str) -> Iterator[Finding]:
    done = 0
    for found in _PEM.finditer(text):
        if found.start() < done:
            continue
        close = text.find("-----END", found.end(), found.end() + _LONGEST_KEY)
        footer = _PEM_FOOTER.match(text, close) if close >= 0 else None
        whole = (
            footer if footer and _PEM_BODY.fullmatch(text, found.end(), close) else _PEM_TORSO.match(text, found.end())
        )
        if whole is not None:
            done = whole.end()
            yield Finding(found.start(), done, Kind.SECRET, 1.0)
