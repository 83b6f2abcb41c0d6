"""Ids that tell nothing (G4.3)."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from app.famulus.sealing import Seal, new_key

ONE, OTHER = Seal(bytes(32)), Seal(bytes([1]) * 32)
IDS = st.builds(lambda kind, number: f"{kind}{number}", st.sampled_from("cer"), st.integers(0, 10**15))
BASE32 = set(string.ascii_lowercase + "234567")


@given(IDS)
def test_a_sealed_id_opens_for_its_client_alone(item_id):
    sealed = ONE.close(item_id)
    assert len(sealed) == 26
    assert set(sealed) <= BASE32
    assert ONE.open(sealed) == item_id
    assert ONE.close(item_id) == sealed
    assert OTHER.open(sealed) is None
    assert OTHER.close(item_id) != sealed


@given(IDS, st.integers(0, 25), st.sampled_from(sorted(BASE32)))
def test_a_changed_id_is_none(item_id, place, char):
    sealed = ONE.close(item_id)
    changed = sealed[:place] + char + sealed[place + 1 :]
    assert ONE.open(changed) == (item_id if changed == sealed else None)


@given(st.text() | st.text(alphabet=sorted(BASE32), min_size=26, max_size=26))
def test_any_text_is_no_id(text):
    assert ONE.open(text) is None


def test_neighbours_look_nothing_alike():
    sealed = [ONE.close(f"c{number}") for number in range(100)]
    assert len({one[:4] for one in sealed}) > 95
    assert ONE.close("") == ""
    assert len(new_key()) == 32
    assert new_key() != new_key()
