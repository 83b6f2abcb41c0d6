"""Tokens: random, known by their hash alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Denied, KeychainLocked, KeychainMissing
from app.famulus.client_tokens import TokenKeeper, matching, new_token, token_hash
from app.runtime.paths import Paths
from tests.unit.store.keychains import MemoryKeychain


def test_a_token_is_found_by_its_hash():
    tokens = [new_token() for _ in range(3)]
    hashes = [token_hash(token) for token in tokens]
    assert [matching(token, [None, *hashes]) for token in tokens] == [1, 2, 3]
    assert all(token.startswith("fam_") and len(token) == 47 for token in tokens)
    assert len(set(tokens)) == 3
    assert not any(token[4:] in one for token in tokens for one in hashes)


@given(st.text())
def test_no_other_text_is_found(text):
    assert matching(text, [None, token_hash(new_token()), token_hash(""), token_hash(text)]) is None


def test_the_keychain_keeps_it(basedir):
    keeper = TokenKeeper(Paths(basedir), MemoryKeychain())
    assert keeper.keep("Desk", "fam_x")
    assert keeper.token("Desk") == "fam_x"
    keeper.forget("Desk")
    keeper.forget("Desk")
    with pytest.raises(Denied):
        keeper.token("Desk")


@pytest.mark.parametrize("refuses", [KeychainMissing, KeychainLocked])
def test_without_a_keychain_it_is_not_kept(basedir, refuses):
    keeper = TokenKeeper(Paths(basedir), MemoryKeychain(refuses=refuses))
    assert not keeper.keep("Desk", "fam_x")
    keeper.forget("Desk")
    with pytest.raises(Denied):
        keeper.token("Desk")
