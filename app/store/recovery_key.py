"""The recovery key as people copy it: 34 random characters and a check character, in groups of five.

    Q7RWE-1ZBM4-9XK2H-... (35 characters of Crockford's base32, 170 random bits)

Crockford's alphabet has no I, L, O and U; who reads 1 and 0 as I, L and O is understood all the same. The check
character is a weighted sum over GF(32), which notices every single wrong character and every exchange of neighbours.
"""

from __future__ import annotations

import secrets

from app.domain.errors import BadInput
from app.domain.text import msg

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUES = {sign: value for value, sign in enumerate(_ALPHABET)} | {"O": 0, "I": 1, "L": 1}
_RANDOM_SIGNS = 34
_GROUP = 5
_BITS_A_SIGN = 5
# x^5 + x^2 + 1
_POLYNOMIAL = 0b100101


def new_recovery_key() -> str:
    """A new one, from the system's random source: 170 bits."""
    values = [secrets.randbelow(32) for _ in range(_RANDOM_SIGNS)]
    signs = "".join(_ALPHABET[value] for value in [*values, _check(values)])
    return "-".join(signs[place : place + _GROUP] for place in range(0, len(signs), _GROUP))


def secret_of(recovery_key: str) -> bytes:
    """The secret bytes of a recovery key as a person typed it.

    Raises:
        BadInput: it cannot be one: a wrong length, a wrong sign, or a typing error that the check character noticed.
    """
    signs = [sign for sign in recovery_key.upper() if not sign.isspace() and sign not in "-–—_.·"]
    if len(signs) != _RANDOM_SIGNS + 1 or any(sign not in _VALUES for sign in signs):
        raise _mistyped()
    values = [_VALUES[sign] for sign in signs]
    if _check(values[:-1]) != values[-1]:
        raise _mistyped()
    number = 0
    for value in values[:-1]:
        number = number << _BITS_A_SIGN | value
    return number.to_bytes((_RANDOM_SIGNS * _BITS_A_SIGN + 7) // 8, "big")


def _check(values: list[int]) -> int:
    """The sum of value i times 2^(i+1) in GF(32)."""
    total, weight = 0, 1
    for value in values:
        weight = _times(weight, 2)
        total ^= _times(value, weight)
    return total


def _times(first: int, second: int) -> int:
    product = 0
    while second:
        if second & 1:
            product ^= first
        second >>= 1
        first <<= 1
        if first & 32:
            first ^= _POLYNOMIAL
    return product


def _mistyped() -> BadInput:
    return BadInput(
        msg("This is not a recovery key: some character is missing or wrong."),
        next_step=msg("Compare it with your copy and type it again; hyphens and spaces do not matter."),
    )
