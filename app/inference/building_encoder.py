"""Makes a pack of any plain encoder from a folder on this disk: export by `optimum`, int8, proof, manifest.

The export is done by a child process (`export_onnx`). Here its graph is given the interface of our own graphs
(`graph`: token ids in, one vector of length 1 out), and the int8 form must prove against the float32 one, on this
processor, that it is true; where it is not, the pack keeps float32.
"""

from __future__ import annotations

import base64
import importlib.util
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from app.domain.errors import BadInput, Unavailable
from app.domain.text import msg
from app.inference import packs
from app.inference.building import PROOF, compare
from app.inference.encoder import INSTALL, JsonTokenizer
from app.inference.encoder_folder import read_folder
from app.inference.export_onnx import EXPORTED, QUANTISED, TOKENIZER_JSON
from app.inference.graph import INPUT, OUTPUT
from app.inference.packs import Fidelity, Manifest, ModelPack, Probe
from app.inference.session import Session
from app.runtime import environment

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.domain.progress import StopSignal
    from app.inference.encoder_folder import EncoderFolder

VERSION = "1"
_NEEDED = ("onnx", "onnxruntime", "optimum", "tokenizers", "torch", "transformers")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{1,60}")
_LEAST_MEAN, _LEAST_WORST = 0.97, 0.9
_POLL_S = 0.2
_MASK, _TYPES = "attention_mask", "token_type_ids"


def pack_name(folder: Path) -> str:
    """The id that a pack of a folder gets; raises `BadInput` where its name gives none."""
    name = re.sub(r"[^a-z0-9._-]+", "-", folder.resolve().name.casefold()).strip("-._")
    return checked_name(name)


def checked_name(name: str) -> str:
    """A name for a pack; raises `BadInput` for one that is no plain word."""
    if _NAME.fullmatch(name) is None:
        raise BadInput(
            msg("“{name}” cannot be the name of a model.", name=name),
            next_step=msg("Give a name of small letters, digits, dots and hyphens with --name."),
        )
    return name


def build_encoder(
    source: Path, made: Path, name: str, *, step: Callable[[int], None], stop: StopSignal | None = None
) -> ModelPack:
    """Write a whole pack into the empty folder `made`, its manifest last.

    Args:
        source: the model's folder.
        made: gets the pack.
        name: of the pack.
        step: told the share done, 0..100.
        stop: the export is ended when it says so.

    Raises:
        BadInput: the folder cannot or may not be built (`encoder_folder`).
        Unavailable: an optional package is missing, or the export failed.
        Cancelled: from `stop`.
    """
    encoder = read_folder(source)
    missing = [package for package in _NEEDED if importlib.util.find_spec(package) is None]
    if missing:
        raise Unavailable(
            msg("Building a model needs packages that are not installed: {names}.", names=", ".join(missing)),
            next_step=msg("Install them with: {command}", command=INSTALL),
        )
    step(5)
    workshop = made / "export"
    workshop.mkdir()
    _export(encoder, workshop, stop)
    step(70)
    pack = _prove(encoder, workshop, made, name)
    shutil.rmtree(workshop)
    step(95)
    return pack


def _export(encoder: EncoderFolder, workshop: Path, stop: StopSignal | None) -> None:
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"} | dict.fromkeys(
        ("TMPDIR", "TEMP", "TMP"), str(workshop)
    )
    program = [sys.executable, "-W", "ignore", "-m", "app.inference.export_onnx"]
    process = subprocess.Popen(  # noqa: S603 - our own interpreter with our own module
        [*program, str(encoder.folder.resolve()), str(workshop)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=environment.for_own_process() | offline,
    )  # fmt: skip
    try:
        while process.poll() is None:
            if stop is not None:
                stop.checkpoint()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_S)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    if process.returncode or not all((workshop / name).is_file() for name in (EXPORTED, QUANTISED, TOKENIZER_JSON)):
        raise Unavailable(
            msg("The model in {name} could not be exported.", name=encoder.folder.name),
            next_step=msg("Check that its files are complete, and that it is an encoder."),
        )


def _prove(encoder: EncoderFolder, workshop: Path, made: Path, name: str) -> ModelPack:
    """Choose the form, and write the manifest."""
    tokenizer = JsonTokenizer(workshop / TOKENIZER_JSON, most=encoder.max_tokens)
    prefixes = (encoder.query_prefix, encoder.passage_prefix)
    texts = [prefixes[number % 2] + text for number, text in enumerate(PROOF)]
    inputs = [tokenizer.ids(text) for text in texts]
    vectors = {}
    for form in (EXPORTED, QUANTISED):
        give_interface(workshop / form, encoder.pooling)
        session = Session(workshop / form, threads=1)
        vectors[form] = np.array([session.vector(ids) for ids in inputs], np.float32)
    fidelity, chosen, variant = compare(vectors[EXPORTED], vectors[QUANTISED]), QUANTISED, "int8"
    if fidelity.mean < _LEAST_MEAN or fidelity.worst < _LEAST_WORST:
        fidelity, chosen, variant = Fidelity(1.0, 1.0, len(texts)), EXPORTED, "exact"
    (workshop / chosen).replace(made / packs.MODEL)
    (workshop / TOKENIZER_JSON).replace(made / packs.TOKENIZER_JSON)
    probe = Probe(texts[0], base64.b64encode(vectors[EXPORTED][0].astype("<f2").tobytes()).decode())
    manifest = Manifest(
        id=name,
        version=VERSION,
        recipe="optimum",
        task=packs.ENCODER,
        variant=variant,
        languages=(),
        dimension=vectors[EXPORTED].shape[1],
        max_tokens=encoder.max_tokens,
        pooling=encoder.pooling,
        query_prefix=encoder.query_prefix,
        passage_prefix=encoder.passage_prefix,
        licence=encoder.licence,
        source=f"a folder named {encoder.folder.resolve().name} ({encoder.architecture})",
        fidelity=fidelity,
        probe=probe,
        files={file: packs.seal_of(made / file) for file in packs.FILES_OF[packs.ENCODER]},
    )
    (made / packs.MANIFEST).write_text(manifest.to_json(), "utf-8", newline="\n")
    return ModelPack(made, manifest)


def give_interface(graph: Path, pooling: str) -> None:
    """Make an exported graph take `input_ids` alone and give one vector of length 1, in place."""
    import onnx  # noqa: PLC0415 - only the builder needs it

    model: Any = onnx.load(graph)
    helper, inputs = onnx.helper, {entry.name for entry in model.graph.input}
    nodes = [helper.make_node("Shape", [INPUT], ["famulus.shape"])]
    for name, value in ((_MASK, 1), (_TYPES, 0)):
        if name in inputs:
            filling = helper.make_tensor("value", onnx.TensorProto.INT64, [1], [value])
            nodes.append(helper.make_node("ConstantOfShape", ["famulus.shape"], [name], value=filling))
    hidden = model.graph.output[0].name
    place = onnx.numpy_helper.from_array(np.array(0 if pooling == "cls" else [1], np.int64), "famulus.place")
    model.graph.initializer.append(place)
    if pooling == "cls":
        pooled = helper.make_node("Gather", [hidden, place.name], ["famulus.pooled"], axis=1)
    else:
        pooled = helper.make_node("ReduceMean", [hidden, place.name], ["famulus.pooled"], keepdims=0)
    last = [pooled, helper.make_node("LpNormalization", ["famulus.pooled"], [OUTPUT], axis=-1, p=2)]
    body = list(model.graph.node)
    ids = next(entry for entry in model.graph.input if entry.name == INPUT)
    for part, content in (("node", [*nodes, *body, *last]), ("input", [ids])):
        kept = list(content)
        del getattr(model.graph, part)[:]
        getattr(model.graph, part).extend(kept)
    del model.graph.output[:]
    model.graph.output.append(helper.make_tensor_value_info(OUTPUT, onnx.TensorProto.FLOAT, ["batch", None]))
    onnx.save(model, graph)
