"""Names, phone numbers and addresses as they are compared: what differs only in its writing has the same key (G2.4).

    张 三, 張三                         张三
    "Zhang  San", ZHANG SAN             zhang san
    +86 138-0013-8000, 13800138000      800138000

This is about writing alone; that 张三 and Zhang San may be one person is for `app.govern.people` to find out.
"""

from __future__ import annotations

import re
import unicodedata

from app.store.analyser import simplify

LONGEST_NAME = 120
"""Characters; what is longer names nobody."""
_HAN = "\u3400-\u9fff\uf900-\ufaff"
_HAN_GAP = re.compile(rf"(?<=[{_HAN}])[\s·•・]+(?=[{_HAN}])")
_EDGES = " \t\r\n'\"“”‘’<>,，;；:："
_PHONE = re.compile(r"^[+(（]?[\d\s().\-/+（）]{6,29}\d$")
_ASIDES, _LONG = frozenset('()（）[]【】<>|,，;/"“”'), 40
_LEAST_DIGITS, _COMPARED_DIGITS = 7, 9


def name_key(text: str) -> str:
    """The key of a name; empty for a text that is none."""
    if len(text) > LONGEST_NAME:
        return ""
    known, key = "", text
    # case and composition make each other possible; twice is enough for all but nonsense
    for _ in range(4):
        known, key = key, _folded(key)
        if key == known:
            break
    return key


def _folded(text: str) -> str:
    plain = _seen(text)
    plain = " ".join(plain.strip(_EDGES).split())
    return simplify(_HAN_GAP.sub("", plain)).casefold()


def preference(name: str) -> tuple[bool, bool, bool, int, str]:
    """Sorts the names of one person or thing: the one to show first, whichever came first.

    A name before an address, without asides, in letters of both cases, and rather the whole of it.
    """
    is_of_one_case = name != name.swapcase() and (name.isupper() or name.islower())
    return "@" in name, any(sign in _ASIDES for sign in name), is_of_one_case, -min(len(name), _LONG), name


def address_key(text: str) -> str:
    """The key of a mail address or of an account."""
    plain = _seen(text).replace(" ", "")
    return unicodedata.normalize("NFKC", plain[:320].casefold()).removeprefix("mailto:")


def phone_key(text: str) -> str:
    """The last nine digits of a phone number, which are the same with and without its country; empty for none."""
    plain = unicodedata.normalize("NFKC", text[:64]).strip()
    plain = "".join(sign for sign in plain.removeprefix("tel:") if _is_seen(sign))
    if _PHONE.match(plain) is None:
        return ""
    digits = "".join(sign for sign in plain if sign.isdigit()).lstrip("0")
    return digits[-_COMPARED_DIGITS:] if len(digits) >= _LEAST_DIGITS else ""


def _seen(text: str) -> str:
    """A text in its compatible form, every kind of space as one, without signs that nobody sees."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if sign.isspace() else sign for sign in unicodedata.normalize("NFKC", text) if _is_seen(sign))


def _is_seen(sign: str) -> bool:
    return sign.isspace() or unicodedata.category(sign) not in {"Cc", "Cf", "Cs", "Co", "Cn"}
