from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.policy.redaction.findings import Finding, Kind, join_addresses, merge

_FINDINGS = st.lists(
    st.builds(
        lambda start, length, kind, weight: Finding(start, start + length, kind, weight),
        st.integers(0, 50),
        st.integers(0, 20),
        st.sampled_from(list(Kind)),
        st.floats(0, 1),
    )
)


def _covered(findings) -> set[int]:
    return {index for one in findings for index in range(one.start, one.end)}


@given(_FINDINGS)
def test_merging_gives_up_nothing_and_adds_nothing(findings) -> None:
    merged = merge(findings)
    assert _covered(merged) == _covered(findings)
    assert all(first.end <= second.start for first, second in pairwise(merged))


def test_the_surest_names_the_kind() -> None:
    merged = merge([Finding(0, 9, Kind.PHONE, 0.5), Finding(3, 12, Kind.BANK_CARD, 0.8)])
    assert merged == (Finding(0, 12, Kind.BANK_CARD, 0.8),)


def test_a_street_and_a_city_become_one_address() -> None:
    text = "12 Baker Street, London"
    parts = (Finding(0, 15, Kind.ADDRESS), Finding(17, 23, Kind.PLACE))
    assert join_addresses(parts, text) == (Finding(0, 23, Kind.ADDRESS),)


def test_a_name_above_an_address_stays_apart() -> None:
    text = "Anna Petrova\n12 Baker Street"
    parts = (Finding(0, 12, Kind.PERSON), Finding(13, 28, Kind.ADDRESS))
    assert join_addresses(parts, text) == parts
