"""Addresses of visited pages, without what would let somebody else in: passwords, tokens, signatures (DESIGN 5.4).

What is left out is data in `resources/rules/addresses.toml`. When in doubt it is left out: an address of the history
serves to find a page again, and not to be its key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_CHARS = 4_000
_MAX_PARAMETERS = 100
_JWT = re.compile(r"eyJ[\w-]{8,}")
_OPAQUE = re.compile(r"[A-Za-z0-9_\-+/=.~%]{20,}")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[A-Za-z]")
_WORDS = re.compile(r"[a-z]{3,}(?:[-_.]+[a-z]{2,})+", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f]")
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")
_MANY_DIGITS, _LEAST_OPAQUE = 3, 20
_LONG_FRAGMENT = 120


@dataclass(frozen=True, slots=True)
class _Rules:
    secret: frozenset[str]
    tracking: frozenset[str]
    prefixes: tuple[str, ...]
    key_paths: frozenset[str]


@cache
def _rules() -> _Rules:
    values = resource_table("rules", "addresses.toml")
    return _Rules(
        secret=frozenset(values["secret_parameters"]),
        tracking=frozenset(values["tracking_parameters"]),
        prefixes=tuple(values["tracking_prefixes"]),
        key_paths=frozenset(values["key_paths"]),
    )


@dataclass(frozen=True, slots=True)
class Address:
    """A page's address as it may be stored, and its host in lower case, without `www`."""

    url: str
    host: str


def without_secrets(url: str) -> Address | None:
    """A page's address as it may be stored; None for what is no page on the web, or is a secret as a whole."""
    text = url.strip()
    if not text or len(text) > _MAX_CHARS or _CONTROL.search(text):
        return None
    try:
        parts = urlsplit(text if "//" in text else f"//{text}")
        host = parts.hostname
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    if parts.scheme not in ("http", "https", "") or not host or _is_key(parts.path):
        return None
    address = f"[{host}]" if ":" in host else host
    query = urlencode(_kept(parts.query), safe="/:,@!*()'", quote_via=quote) if parts.query else ""
    fragment = parts.fragment if _is_plain(parts.fragment) else ""
    cleaned = urlunsplit((parts.scheme, address + port, _own_path(parts.path), query, fragment))
    return Address(cleaned if parts.scheme else cleaned.removeprefix("//"), host.removeprefix("www."))


def is_excluded(host: str, excluded: Iterable[str]) -> bool:
    """Whether a host is one of these, or under one of them."""
    return any(host == one or host.endswith(f".{one}") for one in excluded)


def _kept(query: str) -> list[tuple[str, str]]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_PARAMETERS)
    except ValueError:
        return []
    return [(name, value) for name, value in pairs if _is_harmless(name, value)]


def _is_harmless(name: str, value: str) -> bool:
    rules = _rules()
    bare = _NOT_A_WORD.sub("", name.lower())
    if bare in rules.secret or bare in rules.tracking or bare.endswith(("token", "secret", "password", "signature")):
        return False
    if any(name.lower().startswith(f"{prefix}_") for prefix in rules.prefixes):
        return False
    return not _is_opaque(value) and "://" not in value and "@" not in value


def _is_opaque(text: str) -> bool:
    """Whether a text is what programs make as keys: long, of letters and digits, and no words."""
    if len(text) < _LEAST_OPAQUE:
        return False
    if _JWT.search(text):
        return True
    if not _OPAQUE.fullmatch(text) or _WORDS.fullmatch(text):
        return False
    return len(_DIGIT.findall(text)) >= _MANY_DIGITS and _LETTER.search(text) is not None


def _is_plain(fragment: str) -> bool:
    """Whether what stands after `#` names a place in the page, and carries nothing."""
    return len(fragment) <= _LONG_FRAGMENT and "=" not in fragment and not any(map(_is_opaque, fragment.split("/")))


def _own_path(path: str) -> str:
    """The path without the session ids that some servers append to it (`;jsessionid=...`)."""
    return "/".join(part.partition(";")[0] for part in path.split("/")) if ";" in path else path


def _is_key(path: str) -> bool:
    if len(path) <= _LEAST_OPAQUE:
        return False
    parts = [unquote(part) for part in path.split("/")]
    if not any(map(_is_opaque, parts)):
        return False
    words = {word for part in parts for word in _NOT_A_WORD.split(part.lower())}
    return not words.isdisjoint(_rules().key_paths)
