"""What a contact card says beside names: phones, mail addresses, accounts, postal addresses, the birthday."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import unquote

from app.sources.parsing.blocks import one_line
from app.sources.parsing.vcard_names import is_cjk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.sources.parsing.vcard_lines import Property

_MOST = 50
_ACCOUNT_NAMES = {
    "X-AIM": "aim",
    "X-ICQ": "icq",
    "X-JABBER": "xmpp",
    "X-MSN": "msn",
    "X-YAHOO": "yahoo",
    "X-SKYPE": "skype",
    "X-SKYPE-USERNAME": "skype",
    "X-GOOGLE-TALK": "gtalk",
    "X-GADUGADU": "gadugadu",
    "X-QQ": "qq",
    "X-WECHAT": "wechat",
    "X-WEIXIN": "wechat",
    "X-TELEGRAM": "telegram",
    "X-TWITTER": "twitter",
    "X-SIP": "sip",
}
_OF_ACCOUNTS = frozenset((*_ACCOUNT_NAMES, "IMPP", "X-IMPP", "X-SOCIALPROFILE"))
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{1,30}):(.{1,300})\Z", re.DOTALL)
_DAY = re.compile(r"(\d{4}|--)-?(\d\d)-?(\d\d)(?:[T ].{0,40})?\Z", re.ASCII | re.DOTALL)
# Apple writes this year for a birthday without one
_NO_YEAR = 1604
_LEAP_YEAR = 2000


def phones_of(properties: Iterable[Property]) -> list[tuple[str, Property]]:
    """Telephone numbers as they are written."""
    found = {one_line(_bare(one.text, "tel:"), 60): one for one in properties if one.name == "TEL"}
    return [(text, one) for text, one in found.items() if text][:_MOST]


def addresses_of(properties: Iterable[Property]) -> list[tuple[str, Property]]:
    """Mail addresses."""
    found: dict[str, tuple[str, Property]] = {}
    for one in properties:
        text = one_line(_bare(one.text, "mailto:"), 320) if one.name == "EMAIL" else ""
        if "@" in text and not any(character in text for character in " <>"):
            found.setdefault(text.casefold(), (text, one))
    return list(found.values())[:_MOST]


def accounts_of(properties: Iterable[Property]) -> tuple[str, ...]:
    """Accounts of messengers and the like, as `service:name`."""
    found: dict[str, None] = {}
    for one in properties:
        if one.name not in _OF_ACCOUNTS or not (value := one_line(one.text, 300)):
            continue
        if one.name in _ACCOUNT_NAMES:
            found[f"{_ACCOUNT_NAMES[one.name]}:{value}"] = None
        elif one.name == "X-SOCIALPROFILE":
            found[_profile(one, value)] = None
        else:
            found[_account(one, value)] = None
    return tuple(found)[:_MOST]


def _account(one: Property, value: str) -> str:
    service = next(iter(one.parameters.get("X-SERVICE-TYPE", ())), "")
    match = _SCHEME.match(value)
    scheme, name = (match[1].lower(), unquote(match[2])) if match is not None else ("", value)
    return f"{service or scheme or 'im'}:{name.lstrip('/')}"


def _profile(one: Property, value: str) -> str:
    service = next((kind for kind in one.kinds if kind != "pref"), "")
    user = next(iter(one.parameters.get("X-USER", ())), "")
    return f"{service}:{user or value}" if service else value


def places_of(properties: Iterable[Property]) -> list[tuple[str, Property]]:
    """Postal addresses in one line each: from the small to the large, in Chinese the other way round."""
    found: dict[str, Property] = {}
    for one in properties:
        if one.name == "ADR":
            parts = [part.replace("\n", " ") for part in one.parts()]
            street, city, region, code, country = [*parts, *[""] * 7][2:7]
            extra = [part for part in parts[:2] if part]
            if is_cjk("".join(parts)):
                text = "".join((country, region, city, street, *extra)) + (f" {code}" if code else "")
            else:
                text = ", ".join(filter(None, (*extra, street, city, region, code, country)))
            found.setdefault(one_line(text, 400), one)
    return [(text, one) for text, one in found.items() if text][:_MOST]


def birthday_of(properties: Iterable[Property]) -> str:
    """A day, or `--MM-DD` without a year; empty where the card has none that makes sense."""
    for one in properties:
        match = _DAY.match(one.text.strip()) if one.name == "BDAY" else None
        if match is None:
            continue
        year = 0 if match[1] == "--" else int(match[1])
        omitted = one.parameters.get("X-APPLE-OMIT-YEAR", ())
        has_year = year not in {0, _NO_YEAR} and str(year) not in omitted
        try:
            day = date(year if has_year else _LEAP_YEAR, int(match[2]), int(match[3]))
        except ValueError:
            continue
        return day.isoformat() if has_year else f"--{day:%m-%d}"
    return ""


def _bare(text: str, scheme: str) -> str:
    text = text.strip()
    return unquote(text[len(scheme) :]) if text.lower().startswith(scheme) else text
