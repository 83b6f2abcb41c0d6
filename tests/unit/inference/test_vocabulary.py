from __future__ import annotations

import sys

import pytest
import sentencepiece

from app.domain.errors import Unavailable
from app.inference.vocabulary import write_vocabulary
from app.inference.weights import Weights
from tests.unit.inference.tiny import PIECES, TinyNetwork


@pytest.fixture(scope="module")
def processor() -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_proto=write_vocabulary(Weights(TinyNetwork().data())))


def test_a_piece_has_the_number_of_its_row(processor: sentencepiece.SentencePieceProcessor) -> None:
    assert [processor.id_to_piece(number) for number in range(len(PIECES))] == list(PIECES)
    assert processor.encode("hello world") == [PIECES.index("▁hello"), PIECES.index("▁world")]


@pytest.mark.parametrize(
    ("written", "plain"),
    [("Ｈello".lower(), "hello"), ("  hello \t\n world ", "hello world"), ("①②", "12"), ("e\u0301", "é"), ("", "")],
)
def test_text_is_normalised_as_the_model_learned_it(
    processor: sentencepiece.SentencePieceProcessor, written: str, plain: str
) -> None:
    assert processor.encode(written) == processor.encode(plain)


def test_a_mark_that_is_written_out_is_text(processor: sentencepiece.SentencePieceProcessor) -> None:
    """A document that says `</s>` must not end the model's input."""
    marks = {PIECES.index(mark) for mark in ("<s>", "<pad>", "</s>", "<mask>")}
    assert not marks & set(processor.encode("<s> a </s> <mask> <pad>"))


def test_the_same_weights_give_the_same_bytes(network: TinyNetwork) -> None:
    weights = Weights(network.data())
    assert write_vocabulary(weights) == write_vocabulary(weights)


def test_a_missing_protobuf_says_what_to_do(network: TinyNetwork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece.sentencepiece_model_pb2", None)
    monkeypatch.delattr(sentencepiece, "sentencepiece_model_pb2", raising=False)
    with pytest.raises(Unavailable):
        write_vocabulary(Weights(network.data()))
