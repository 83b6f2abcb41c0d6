"""Writes the tokenizer's model file: the pieces and scores of the weights, and how text is normalised.

The format is SentencePiece's own, which is what the model was trained with. Normalisation is its rule `nmt_nfkc`
(compatibility forms folded, control characters dropped, all kinds of white space made one); the exact table of
characters is taken from the library, which carries it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.errors import Unavailable
from app.domain.text import msg

if TYPE_CHECKING:
    from app.inference.weights import Weights

BEGIN, PADDING, END, UNKNOWN = 0, 1, 2, 3
_RULE = "nmt_nfkc"
_CONTROL = frozenset({"<s>", "<pad>", "</s>", "<mask>"})


def write_vocabulary(weights: Weights) -> bytes:
    """The tokenizer's model, piece n having the id n; the same weights give the same bytes.

    Raises:
        Unavailable: the `protobuf` package is not installed.
    """
    try:
        import sentencepiece  # noqa: PLC0415 - heavy, and only the builder needs the schema
        from sentencepiece import sentencepiece_model_pb2  # noqa: PLC0415
    except ImportError as error:
        raise Unavailable(
            msg("The package `protobuf`, which writes the model's vocabulary, is not installed."),
            next_step=msg("Install Famulus with its `models` extra, or copy a model folder from another machine."),
        ) from error
    schema: Any = sentencepiece_model_pb2
    normaliser = schema.ModelProto()
    normaliser.ParseFromString(sentencepiece.SentencePieceNormalizer(rule_name=_RULE).serialized_model_proto())

    model = schema.ModelProto()
    for text, score in zip(weights.pieces, weights.scores.tolist(), strict=True):
        piece = model.pieces.add(piece=text, score=score)
        if text in _CONTROL:
            piece.type = schema.ModelProto.SentencePiece.CONTROL
        elif len(model.pieces) == UNKNOWN + 1:
            piece.type = schema.ModelProto.SentencePiece.UNKNOWN
    trainer = model.trainer_spec
    trainer.model_type = schema.TrainerSpec.UNIGRAM
    trainer.vocab_size = len(weights.pieces)
    trainer.bos_id, trainer.pad_id, trainer.eos_id, trainer.unk_id = BEGIN, PADDING, END, UNKNOWN
    spec = model.normalizer_spec
    spec.name = _RULE
    spec.precompiled_charsmap = normaliser.normalizer_spec.precompiled_charsmap
    spec.add_dummy_prefix = spec.remove_extra_whitespaces = spec.escape_whitespaces = True
    serialised: bytes = model.SerializeToString(deterministic=True)
    return serialised
