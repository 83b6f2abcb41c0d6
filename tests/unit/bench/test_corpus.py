"""The generated texts are what the budgets speak of: 240 tokens, two languages, repeatable, analysed as themselves."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from app.domain.context_item import SearchRequest
from app.inference.tokens import TokenCounter
from app.policy.disclosure import filter_for
from app.store.analyser import analyse
from app.store.connection import DatabaseKey
from app.store.store import Store
from app.store.vector_rows import EmbeddingModel
from tests.bench import corpus, search, world
from tests.model_pack import model_pack

MODEL = EmbeddingModel("generated", "1")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_passage_has_240_tokens_on_average(language):
    counter = TokenCounter.of(model_pack())
    counts = [counter.count(corpus.passage(number, language).text) for number in range(60)]
    assert np.mean(counts) == pytest.approx(240, rel=0.05)


def test_a_number_names_a_text():
    assert corpus.passage(7) == corpus.passage(7)
    assert corpus.entry_of(7) == corpus.entry_of(7)
    assert corpus.question(7) == corpus.question(7)
    assert len({corpus.passage(number).text for number in range(200)}) == 200


def test_both_languages_and_every_scope_come_up():
    entries = [corpus.entry_of(number) for number in range(200)]
    assert {info.scope for info, _, _ in entries} == {info.scope for info in corpus.SOURCES}
    assert {chunk.language for _, _, chunks in entries for chunk in chunks} == {"en", "zh"}
    assert any(entry.valid_to is not None for _, entry, _ in entries)


def test_words_follow_zipf():
    found = "".join(corpus.passage(number, "en").text for number in range(300)).split()
    frequencies = sorted(Counter(found).values(), reverse=True)
    assert frequencies[0] > 30 * frequencies[300]


def test_analysing_by_sentences_gives_the_same_terms():
    for number in range(100):
        _, _, chunks = corpus.entry_of(number)
        for chunk in chunks:
            assert world.by_sentences(chunk.embed_text) == analyse(chunk.embed_text)


def test_vectors_are_of_length_one_and_questions_are_near_theirs():
    source = corpus.Vectors()
    vectors = source.take(400)
    assert np.linalg.norm(vectors.astype(np.float32), axis=1) == pytest.approx(1, abs=1e-3)
    products = source.near(vectors) @ vectors.astype(np.float32).T
    assert (products.argmax(axis=1) == np.arange(400)).mean() > 0.9


def test_a_world_has_what_was_asked_for_and_the_filter_something_to_hide(tmp_path):
    store = Store.create(tmp_path / "famulus.db", DatabaseKey(bytes(32), bytes(16)), now=corpus.NOW)
    try:
        world.fill(store, 400)
        world.put(store, corpus.Vectors().take(400), MODEL)
        assert store.vectors(MODEL).size == 400
        view = store.visibility.view(filter_for(search.CLIENT, SearchRequest("x")), corpus.NOW)
        assert 250 < view.count < 400
    finally:
        store.close()
