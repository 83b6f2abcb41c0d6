from __future__ import annotations

import pytest

from app.policy.redaction import checksums


@pytest.mark.parametrize(
    ("check", "right"),
    [
        (checksums.is_luhn, "4111111111111111"),
        (checksums.is_resident_id, "11010519491231002X"),
        (checksums.is_credit_code, "91350100M000100Y43"),
        (checksums.is_iban, "GB82WEST12345698765432"),
        (checksums.is_verhoeff, "234123412346"),
        (checksums.is_nhs_number, "9434765919"),
        (checksums.is_spanish_id, "12345678Z"),
        (checksums.is_taiwan_id, "A123456789"),
    ],
)
def test_a_check_digit_fits_its_own_number_alone(check, right: str) -> None:
    assert check(right)
    last = "0" if right[-1] != "0" else "1"
    assert not check(right[:-1] + last)


def test_hong_kong() -> None:
    assert checksums.is_hong_kong_id("A", "123456", "3")
    assert not checksums.is_hong_kong_id("A", "123456", "4")
