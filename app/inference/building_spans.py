"""Makes the pack of the span model: the embedding model's weights with what fine-tuning changed in them (a delta).

As with the embedding model, the fast form of the network must prove on the processor at hand that it is true to the
exact one: what counts here is that it gives a token the same tag.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import numpy as np

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.inference import packs
from app.inference.building import PROOF, Recipe
from app.inference.delta import Delta
from app.inference.graph import Variant, write_token_classifier
from app.inference.packs import Fidelity, Manifest, ModelPack, Probe
from app.inference.session import Session
from app.inference.span_tokens import encode
from app.inference.spans import ENTITY, SpanReader
from app.inference.tokens import BEGIN, END, Tokenizer
from app.inference.vocabulary import write_vocabulary
from app.runtime.paths import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from app.inference.fetching import Pin
    from app.inference.weights import Weights

    Inputs = Sequence[NDArray[np.int64]]
    Scores = Sequence[NDArray[np.float32]]

MODEL_ID, VERSION = "famulus-spans", "1"
DELTA_RESOURCE = f"{MODEL_ID}.npz"
# Raised whenever this module writes other bytes than before.
_REVISION = 1
_LEAST_MEAN, _LEAST_WORST = 0.97, 0.85


def revision(pin: Pin) -> str:
    """What a pack is built from; a pack with another one is built anew."""
    delta = packs.seal_of(resource("models", DELTA_RESOURCE)).sha256
    return f"{_REVISION}:{pin.sha256[:16]}:{delta[:16]}"


def build(weights: Weights, pin: Pin, folder: Path, step: Callable[[int], None]) -> ModelPack:
    """Write a whole pack into an empty folder, its manifest last; the same input and processor give the same bytes.

    Raises:
        Damaged: the delta that Famulus carries is not what it should be.
        Unavailable: a package that the builder needs is missing, or no form of the network is true on this processor.
        OSError: the folder cannot be written.
    """
    delta = Delta.read(resource("models", DELTA_RESOURCE), weights.shape)
    (folder / packs.TOKENIZER).write_bytes(write_vocabulary(weights))
    tokenizer = Tokenizer(folder / packs.TOKENIZER)
    room = weights.shape.positions - 2
    inputs = [np.array([BEGIN, *encode(tokenizer, text).ids[:room], END], np.int64) for text in PROOF]
    exact = _scores(weights, delta, Variant.EXACT, folder, inputs)
    step(50)
    for variant, share in ((Variant.INT8, 75), (Variant.Q4, 95)):
        fidelity = compare(exact, _scores(weights, delta, variant, folder, inputs))
        step(share)
        if fidelity.mean >= _LEAST_MEAN and fidelity.worst >= _LEAST_WORST:
            probe = Probe(PROOF[0], base64.b64encode(flattened(exact[0]).astype("<f2").tobytes()).decode())
            return _seal(weights, pin, folder, (variant, fidelity, probe))
    raise Unavailable(
        msg("The model that finds names gives wrong results on this processor, so it is not used."),
        next_step=msg("Update Famulus and its packages, then run `famulus models install` again."),
    )


def compare(exact: Scores, found: Scores) -> Fidelity:
    """The share of tokens that get the same entity tag from the scores (float32[tokens, tags]) of two networks."""
    shares = [float((a.argmax(axis=1) == b.argmax(axis=1)).mean()) for a, b in zip(exact, found, strict=True)]
    return Fidelity(mean=round(float(np.mean(shares)), 5), worst=round(min(shares), 5), texts=len(shares))


def flattened(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scores as one vector of length 1."""
    vector = scores.reshape(-1)
    return vector / max(float(np.linalg.norm(vector)), 1e-12)


def check(pack: ModelPack) -> None:
    """Load the pack as it will be used; raises `Damaged` or `Unavailable`."""
    SpanReader(pack).load()


RECIPE = Recipe(MODEL_ID, VERSION, revision, build, check)
"""The span model."""


def _scores(weights: Weights, delta: Delta, variant: Variant, folder: Path, inputs: Inputs) -> Scores:
    graph, rows = write_token_classifier(weights, delta, variant, embedding_file=packs.ROWS)
    (folder / packs.ROWS).write_bytes(rows)
    (folder / packs.MODEL).write_bytes(graph)
    session = Session(folder / packs.MODEL, threads=1)
    return [session.outputs(ids)[ENTITY] for ids in inputs]


def _seal(weights: Weights, pin: Pin, folder: Path, proof: tuple[Variant, Fidelity, Probe]) -> ModelPack:
    variant, fidelity, probe = proof
    manifest = Manifest(
        id=MODEL_ID,
        version=VERSION,
        recipe=revision(pin),
        task=packs.SPANS,
        variant=variant.value,
        languages=("en", "zh"),
        dimension=weights.shape.hidden,
        max_tokens=weights.shape.positions,
        pooling="none",
        query_prefix="",
        passage_prefix="",
        licence="Apache-2.0; the encoder below it MIT",
        source=f"trained by Famulus on its own sentences, over multilingual-e5-small from {pin.name}=={pin.version}",
        fidelity=fidelity,
        probe=probe,
        files={name: packs.seal_of(folder / name) for name in packs.FILES_OF[packs.SPANS]},
    )
    (folder / packs.MANIFEST).write_text(manifest.to_json(), "utf-8", newline="\n")
    return ModelPack(folder, manifest)
