"""What a folder in Hugging Face's layout holds, and whether it may be built: nothing of it is run or unpickled.

Refused are folders whose weights are pickled (a pickle is a program), which need code of their own, or whose
architecture is none of the plain encoders that the exporter is known to export rightly.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.errors import BadInput
from app.domain.text import msg

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.text import Text

ARCHITECTURES = ("albert", "bert", "camembert", "distilbert", "electra", "mpnet", "roberta", "xlm-roberta")
_OFFSET_POSITIONS = {"camembert", "mpnet", "roberta", "xlm-roberta"}
_MOST_TOKENS = 512
_LARGEST_JSON_BYTES = 64 << 20
_PICKLED = ("pytorch_model*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_TOKENIZERS = ("tokenizer.json", "sentencepiece.bpe.model", "spiece.model", "vocab.txt", "vocab.json")
_LICENCE = re.compile(r"^license:\s*([A-Za-z0-9.+-]{2,40})\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class EncoderFolder:
    """What the pack's manifest needs to know. `pooling` is mean or cls."""

    folder: Path
    architecture: str
    dimension: int
    max_tokens: int
    pooling: str
    query_prefix: str
    passage_prefix: str
    licence: str


def read_folder(folder: Path) -> EncoderFolder:
    """Look at a folder; raises `BadInput` with the reason where it cannot or may not be built."""
    config = _json(folder / "config.json")
    if config is None:
        raise _refused(msg("There is no config.json in {name}, so it is no model's folder.", name=folder.name))
    if "auto_map" in config or any(folder.glob("*.py")):
        raise _refused(msg("The model in {name} needs code of its own, which is not run.", name=folder.name))
    architecture = str(config.get("model_type"))
    if architecture not in ARCHITECTURES or config.get("is_decoder"):
        raise _refused(
            msg("The architecture {architecture} is none that can be built.", architecture=architecture),
            msg("These can be: {names}.", names=", ".join(ARCHITECTURES)),
        )
    _check_weights(folder)
    if not any((folder / name).is_file() for name in _TOKENIZERS):
        raise _refused(msg("There is no tokenizer in {name}.", name=folder.name))
    pooling = _json(folder / "1_Pooling" / "config.json") or {}
    prompts = (_json(folder / "config_sentence_transformers.json") or {}).get("prompts")
    prompts = prompts if isinstance(prompts, dict) else {}
    try:
        dimension = int(config.get("hidden_size", config.get("dim", 0)))
        positions = int(config["max_position_embeddings"]) - 2 * (architecture in _OFFSET_POSITIONS)
    except (KeyError, TypeError, ValueError) as error:
        raise _refused(msg("The config.json in {name} cannot be understood.", name=folder.name)) from error
    return EncoderFolder(
        folder=folder,
        architecture=architecture,
        dimension=dimension,
        max_tokens=min(positions, _MOST_TOKENS),
        pooling="cls" if pooling.get("pooling_mode_cls_token") is True else "mean",
        query_prefix=str(prompts.get("query", "")),
        passage_prefix=str(prompts.get("passage", prompts.get("document", ""))),
        licence=_licence(folder),
    )


def _check_weights(folder: Path) -> None:
    if any(folder.glob("model*.safetensors")):
        return
    if any(path for pattern in _PICKLED for path in folder.glob(pattern)):
        raise _refused(
            msg("The weights in {name} are pickled, and a pickle can run anything.", name=folder.name),
            msg("Take the same model with weights in the form safetensors."),
        )
    raise _refused(msg("There are no weights in {name}: model.safetensors is missing.", name=folder.name))


def _json(path: Path) -> dict[str, Any] | None:
    """A JSON file's object; None where there is none."""
    try:
        if path.stat().st_size > _LARGEST_JSON_BYTES:
            return None
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _licence(folder: Path) -> str:
    """As the model's card says it."""
    try:
        match = _LICENCE.search((folder / "README.md").read_text("utf-8", "replace")[:4000])
    except OSError:
        return "unknown"
    return match[1] if match is not None else "unknown"


def _refused(what: Text, next_step: Text | None = None) -> BadInput:
    return BadInput(what, next_step=next_step or msg("Give the folder of an encoder, as its makers publish it."))
