"""Check digits of numbers that carry one, so that a number is known for what it is without a word beside it (L5.3).

Each function takes the number without separators and says whether its check digit fits. They are short and public
algorithms; a library of them would bring sixty countries' numbers that no rule here asks for.
"""

from __future__ import annotations

_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECKS = "10X98765432"
_CREDIT_CODE_ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
_VERHOEFF_TIMES = (
    "0123456789",
    "1234067895",
    "2340178956",
    "3401289567",
    "4012395678",
    "5987604321",
    "6598710432",
    "7659821043",
    "8765932104",
    "9876543210",
)
_VERHOEFF_TURNS = (
    "0123456789",
    "1576283094",
    "5803796142",
    "8916043527",
    "9453126870",
    "4286573901",
    "2793806415",
    "7046913258",
)
_IBAN_LENGTHS = range(15, 35)


def is_luhn(digits: str) -> bool:
    """ISO/IEC 7812: cards, IMEI."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit)
        if place % 2:
            value = value * 2 - 9 * (value > 4)  # noqa: PLR2004 - the sum of the digits of the double
        total += value
    return total % 10 == 0


def is_resident_id(number: str) -> bool:
    """GB 11643: the Chinese resident identity number of 18 characters."""
    total = sum(weight * int(digit) for weight, digit in zip(_ID_WEIGHTS, number[:17], strict=True))
    return _ID_CHECKS[total % 11] == number[17].upper()


def is_credit_code(code: str) -> bool:
    """GB 32100: the unified social credit code of 18 characters."""
    try:
        values = [_CREDIT_CODE_ALPHABET.index(character) for character in code.upper()]
    except ValueError:
        return False
    total = sum(value * pow(3, place, 31) for place, value in enumerate(values[:17]))
    return (31 - total % 31) % 31 == values[17]


def is_iban(number: str) -> bool:
    """ISO 13616: MOD 97-10 over the number turned round."""
    if len(number) not in _IBAN_LENGTHS:
        return False
    turned = number[4:] + number[:4]
    return int("".join(str(int(character, 36)) for character in turned)) % 97 == 1


def is_verhoeff(digits: str) -> bool:
    """Aadhaar."""
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(_VERHOEFF_TIMES[check][int(_VERHOEFF_TURNS[place % 8][int(digit)])])
    return check == 0


def is_nhs_number(digits: str) -> bool:
    """The ten digits of the British National Health Service, MOD 11."""
    total = sum((10 - place) * int(digit) for place, digit in enumerate(digits[:9]))
    return (11 - total % 11) % 11 == int(digits[9])


def is_spanish_id(number: str) -> bool:
    """DNI and NIE: the letter is the number modulo 23."""
    digits = number[:-1].upper().translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == number[-1].upper()


def is_hong_kong_id(letters: str, digits: str, check: str) -> bool:
    """The Hong Kong identity card: one or two letters, six digits, a check character."""
    values = [36] * (2 - len(letters)) + [ord(letter) - 55 for letter in letters.upper()] + [int(d) for d in digits]
    total = sum(weight * value for weight, value in zip(range(9, 1, -1), values, strict=True))
    return "0A987654321"[total % 11] == check.upper()


def is_taiwan_id(number: str) -> bool:
    """The national identification card of Taiwan: a letter and nine digits."""
    order = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0].upper()) + 10
    values = [order // 10, order % 10, *(int(digit) for digit in number[1:])]
    weights = (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)
    return sum(weight * value for weight, value in zip(weights, values, strict=True)) % 10 == 0
