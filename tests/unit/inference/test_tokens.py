from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.domain.errors import Damaged
from app.inference import tokens
from app.inference.packs import TOKENIZER, ModelPack
from app.inference.tokens import TokenCounter, Tokenizer, estimate, readable

if TYPE_CHECKING:
    from pathlib import Path

_ANY = st.text(st.one_of(st.characters(), st.sampled_from("abc 好。\n\x00\ud800")), max_size=300)
_REUSE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def exact(pack: ModelPack) -> TokenCounter:
    return TokenCounter.of(pack)


def test_counts_with_the_packs_tokenizer(exact: TokenCounter) -> None:
    assert exact.is_exact
    assert exact.count("hello world, 你好") == 5
    assert exact.ends("hello world, 你好") == [5, 11, 12, 13, 15]


def test_the_tokens_of_one_character_end_together(exact: TokenCounter) -> None:
    # ½ is written 1⁄2; the first token is the mark of a word's beginning
    assert exact.ends("a½b") == [1, 1, 2, 2, 2, 3]
    assert exact.cut("a½b", 2) == ["a", "½", "b"]


def test_an_estimate_stands_in_without_a_pack() -> None:
    counter = TokenCounter.of(None)
    assert not counter.is_exact
    assert counter.count("") == 0
    assert counter.count("a" * 330) == 100
    assert counter.count("好" * 135) == 100
    assert estimate("a" * 330 + "好" * 135) == 200


@_REUSE
@example("\x000", 1)
@given(_ANY, st.integers(1, 40))
def test_cut_parts_are_the_text_and_within_the_limit(exact: TokenCounter, text: str, limit: int) -> None:
    for counter in (exact, TokenCounter.of(None)):
        parts = counter.cut(text, limit)
        assert "".join(parts) == text
        assert all(parts)
        ends, stop = counter.ends(text), 0
        for part in parts:
            start, stop = stop, stop + len(part)
            within = [end for end in ends if start < end <= stop]
            # tokens that end together belong to one character, which cannot be cut
            assert len(within) <= limit or len(set(within)) == 1


@_REUSE
@given(_ANY)
def test_ends_rise_to_the_end_of_the_text(exact: TokenCounter, text: str) -> None:
    for counter in (exact, TokenCounter.of(None)):
        ends = counter.ends(text)
        assert len(ends) == counter.count(text)
        assert ends == sorted(ends)
        assert all(0 <= end <= len(text) for end in ends)


def test_a_cut_falls_between_words_where_it_can() -> None:
    parts = TokenCounter.of(None).cut("the quick brown fox jumps over the lazy dog " * 20, 40)
    assert len(parts) > 2
    assert all(not part[-1].isspace() and part.startswith((" the", "the", " ")) for part in parts[:-1])


def test_a_long_text_is_counted_in_stretches(exact: TokenCounter, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "hello world " * 500
    whole = exact.count(text), exact.ends(text)
    monkeypatch.setattr(tokens, "_STRETCH", 100)
    assert (exact.count(text), exact.ends(text)) == whole


def test_coverage_is_the_share_of_known_characters(pack: ModelPack) -> None:
    tokenizer = Tokenizer(pack.path(TOKENIZER))
    assert tokenizer.coverage("hello world") == 1
    assert tokenizer.coverage("hello ᚠᛇᚻ᛫ᛒ") == pytest.approx(0.5, abs=0.05)
    assert tokenizer.coverage("ᚠᛇᚻ") == 0
    assert tokenizer.coverage(" \n\x07") == 1


def test_what_has_no_utf8_form_becomes_a_space() -> None:
    assert readable("a\ud800b\x00c") == "a b c"


def test_its_memory_is_given_back_when_all_who_use_it_rest(pack: ModelPack) -> None:
    tokenizer, first, second = Tokenizer(pack.path(TOKENIZER)), TokenCounter(), TokenCounter()
    tokenizer.begin(first)
    tokenizer.begin(second)
    before = tokenizer.ids("hello").tolist()
    tokenizer.rest(first)
    assert tokenizer.is_loaded
    tokenizer.rest(second)
    assert not tokenizer.is_loaded
    assert tokenizer.ids("hello").tolist() == before


def test_packs_with_one_vocabulary_share_it_even_when_one_is_removed(pack: ModelPack, tmp_path: Path) -> None:
    first, second = (shutil.copytree(pack.folder, tmp_path / name) for name in ("first", "second"))
    tokenizer = Tokenizer.of(ModelPack.open(first))
    assert Tokenizer.of(ModelPack.open(second)) is tokenizer
    shutil.rmtree(first)
    assert len(tokenizer.ids("hello"))


def test_a_vocabulary_that_is_not_the_manifest_s_is_damage(pack: ModelPack, tmp_path: Path) -> None:
    folder = shutil.copytree(pack.folder, tmp_path / "pack")
    (folder / TOKENIZER).write_bytes(pack.path(TOKENIZER).read_bytes() + b"\n")
    seal = ModelPack.open(folder).manifest.files[TOKENIZER]
    with pytest.raises(Damaged):
        Tokenizer(folder / TOKENIZER, seal).ids("hello")


def test_a_broken_or_missing_tokenizer_is_damage(tmp_path: Path) -> None:
    (tmp_path / "broken").write_bytes(b"\xff" * 100)
    for name in ("broken", "missing"):
        with pytest.raises(Damaged):
            Tokenizer(tmp_path / name).ids("hello")
