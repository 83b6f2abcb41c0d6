"""Electronic addresses: mail, web, network and device addresses, places on the map (L5.3)."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Finding, Kind
from app.policy.redaction.rules import apply, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOCAL_PART = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+\Z")
_LONGEST_LOCAL_PART = 64
_MAIL_HOST = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9_])|\[\d{1,3}(?:\.\d{1,3}){3}\]"
)
_UNSPOKEN = ".!#$%&'*+/=?^`{|}~-"
_HOST = r"(?:[A-Za-z0-9_-]{1,63}\.){1,8}[A-Za-z]{2,24}|localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9A-Fa-f:.]{2,45}\]"
_PATH = r"[^\s<>\"'`，。；、！？（）《》】」\u4e00-\u9fff]{0,2000}"
_URL = re.compile(
    rf"(?<![A-Za-z])(?:https?|ftp|sftp|wss?"
    rf"|smb)://(?:[^\s/@<>\"']{{1,100}}@)?(?:{_HOST})(?::\d{{1,5}})?(?:[/?#]{_PATH})?",
    re.IGNORECASE,
)
_WEB = re.compile(rf"(?<![A-Za-z0-9_.@/-])www\.(?:{_HOST})(?::\d{{1,5}})?(?:[/?#]{_PATH})?", re.IGNORECASE)
# Common endings alone: `main.py` and `Node.js` are no addresses.
_DOMAIN = re.compile(
    r"(?<![A-Za-z0-9_.@/\\-])(?:[a-z0-9-]{2,63}\.){1,4}"
    r"(?:com|org|net|edu|gov|cn|io|info|biz|co\.uk|de|fr|eu|jp|us|ca|au|ai|app|me|tv)(?![A-Za-z0-9_-]|\.[A-Za-z])"
    rf"(?::\d{{1,5}})?(?:/{_PATH})?"
)
_TRAILING = ".,;:!?)]}'\"*"
_IPV4 = re.compile(
    r"(?<![\w.\-])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d|-\d)|(?<=[\u4e00-\u9fff])\d{1,3}(?:\.\d{1,3}){3}(?![\d]|\.\d)"
)
_IPV6 = re.compile(r"(?<![A-Za-z0-9_:.])[0-9A-Fa-f:]{3,39}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?(?![A-Za-z0-9_:])")
_VERSION_BEFORE = re.compile(r"(?:version|ver\.?|release|build|v|版本号?|版)[ :：=]{0,3}\Z", re.IGNORECASE)
_CONTEXT_WIDTH = 16
_IPV6_COLONS = 7

_RULES = (
    rule(Kind.MAC, r"(?<![0-9A-Za-z:-])[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}(?![0-9A-Za-z:-])"),
    rule(Kind.MAC, r"(?<![0-9A-Za-z.])[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?![0-9A-Za-z.])"),
    rule(
        Kind.GUID,
        r"(?:urn:uuid:|x')?(?<![0-9a-z-])[{(]?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
        r"(?![0-9a-z-])[})']?",
    ),
    rule(Kind.GUID, r"\{[0-9a-f]{32}\}|(?:guid|uuid)[ :：=是]{0,4}(?P<v>[0-9a-f]{32})(?![0-9a-z])"),
    rule(
        Kind.LOCATION,
        r"(?<![\d.])-?\d{1,2}\.\d{4,15}[°NS]{0,2} ?[,，] ?-?\d{1,3}\.\d{4,15}(?![\d.])",
    ),
    rule(
        Kind.EMAIL,
        r"(?<![\w.])[a-z0-9][a-z0-9._+-]{1,40} ?(?:\(at\)|\[at\]|\{at\}|<at>| at ) ?[a-z0-9-]{2,40} ?"
        r"(?:\(dot\)|\[dot\]|\{dot\}|<dot>| dot ) ?[a-z]{2,10}(?![\w])",
    ),
    rule(Kind.EMAIL, r"(?<![\w.])[a-z0-9._+-]{2,40} ?(?:#|\(a\)|艾特) ?(?:qq|163|126|gmail|outlook|hotmail)\.com"),
    rule(Kind.DEVICE, r"(?:imei|meid|设备号|串号)[^0-9\n]{0,8}(?P<v>\d{2}[ -]?\d{6}[ -]?\d{6}[ -]?\d{1,2})(?!\d)"),
    rule(
        Kind.DEVICE,
        r"(?:\bvin\b|车架号|车辆识别代码|车辆识别代号)[^0-9A-Za-z\n]{0,8}(?P<v>[A-HJ-NPR-Z0-9]{17})(?![0-9A-Za-z])",
    ),
    rule(
        Kind.DEVICE,
        r"(?:serial (?:number|no\.?)|\bs/n|idfa|android[_ ]id|device[_ ]?id"
        r"|序列号)[ :：#=是为]{1,4}(?P<v>(?=[A-Za-z-]{0,20}\d)[A-Za-z0-9-]{6,40})",
    ),
)


def find_contacts(text: str) -> Iterator[Finding]:
    """Mail and web addresses, IP, MAC, GUID, device numbers, coordinates."""
    yield from _mails(text)
    yield from _web_addresses(text)
    yield from _network_addresses(text)
    yield from apply(_RULES, text)


def _mails(text: str) -> Iterator[Finding]:
    """Looks back from every @, so that a long word without one costs nothing."""
    at = text.find("@")
    while at >= 0:
        local = _LOCAL_PART.search(text, max(0, at - _LONGEST_LOCAL_PART), at) if at else None
        host = _MAIL_HOST.match(text, at + 1)
        if local is not None and host is not None:
            start = local.start() + len(local[0]) - len(local[0].lstrip(_UNSPOKEN))
            if start < at:
                yield Finding(start, host.end(), Kind.EMAIL, 0.9)
        at = text.find("@", at + 1)


def _web_addresses(text: str) -> Iterator[Finding]:
    if "." not in text and "://" not in text:
        return
    for pattern, weight in ((_URL, 0.9), (_WEB, 0.8), (_DOMAIN, 0.4)):
        for found in pattern.finditer(text):
            end = found.start() + len(found[0].rstrip(_TRAILING))
            yield Finding(found.start(), end, Kind.URL, weight)


def _network_addresses(text: str) -> Iterator[Finding]:
    for found in _IPV4.finditer(text):
        before = text[max(0, found.start() - _CONTEXT_WIDTH) : found.start()]
        if all(int(part) < 256 for part in found[0].split(".")) and _VERSION_BEFORE.search(before) is None:  # noqa: PLR2004
            yield Finding(found.start(), found.end(), Kind.IP, 0.7)
    if ":" not in text:
        return
    for found in _IPV6.finditer(text):
        value = found[0]
        if ("::" in value or value.count(":") == _IPV6_COLONS) and any(map(str.isdigit, value)) and _is_ipv6(value):
            yield Finding(found.start(), found.end(), Kind.IP, 0.7)


def _is_ipv6(value: str) -> bool:
    try:
        ipaddress.IPv6Address(value)
    except ValueError:
        return False
    return True
