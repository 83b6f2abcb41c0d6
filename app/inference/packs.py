"""A model pack: a folder with a model, its tokenizer, its calibration, and a manifest that vouches for them.

    <models>/multilingual-e5-small-1/
        manifest.json       what it is, where it came from, what was measured, and every file's sha256
        model.onnx          the network
        embedding.bin       the network's word embedding, mapped into memory instead of read
        tokenizer.model     the vocabulary, in SentencePiece's format
        calibration.json    of an embedding model: what a cosine of it means (app.inference.calibration)

The pack of an encoder that a person built from a folder has `model.onnx` and `tokenizer.json`.

Packs whose files are the same, such as two models over one vocabulary, share them on the disk and in memory.

A pack is trusted only after `ModelPack.verify`. One that is missing is no error: Famulus then searches by words alone.
One that is damaged is an error with a remedy, and Famulus searches by words alone too.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from app.domain.errors import Damaged, FromTheFuture
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FORMAT = 1
EMBEDDING, SPANS, ENCODER = "embedding", "spans", "encoder"
MANIFEST = "manifest.json"
MODEL, ROWS, TOKENIZER, CALIBRATION = "model.onnx", "embedding.bin", "tokenizer.model", "calibration.json"
FILES = (MODEL, ROWS, TOKENIZER, CALIBRATION)
TOKENIZER_JSON = "tokenizer.json"
FILES_OF = {EMBEDDING: FILES, SPANS: (MODEL, ROWS, TOKENIZER), ENCODER: (MODEL, TOKENIZER_JSON)}
"""The files of a pack, by its task."""


@dataclass(frozen=True, slots=True)
class FileSeal:
    """What a file must be."""

    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Fidelity:
    """How true this pack's network is to its exact float32 form, measured where it was built.

    Of an embedding model the cosine of their vectors; of a span model the share of tokens with the same tag.
    """

    mean: float
    worst: float
    texts: int


@dataclass(frozen=True, slots=True)
class Probe:
    """A text and its exact vector (fp16, base64): shows at loading that this processor computes rightly.

    Of a span model the vector is made of the entity scores of the text's tokens, one after the other, at length 1.
    """

    text: str
    vector: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a pack says of itself.

    Attributes:
        version: names the vector space: vectors of one id and version may be compared, and no others.
        recipe: what it was built from and how; another recipe of one version is worth a rebuild, not a re-embedding.
        variant: how the matrices are stored (app.inference.graph).
        languages: those that the calibration was measured in; the model itself knows about a hundred.
        max_tokens: the longest input, with prefix and the two marks at its ends.
        query_prefix, passage_prefix: belong to the model, and go before every text.
    """

    id: str
    version: str
    recipe: str
    task: str
    variant: str
    languages: tuple[str, ...]
    dimension: int
    max_tokens: int
    pooling: str
    query_prefix: str
    passage_prefix: str
    licence: str
    source: str
    fidelity: Fidelity
    probe: Probe
    files: Mapping[str, FileSeal]
    format: int = FORMAT

    def to_json(self) -> str:
        """The manifest's file; the same manifest gives the same text."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=2, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """Read a manifest's file; raises `Damaged` or `FromTheFuture`."""
        try:
            fields: dict[str, Any] = json.loads(text)
            if int(fields["format"]) > FORMAT:
                raise _from_the_future()
            manifest = cls(**fields)
            return replace(
                manifest,
                languages=tuple(manifest.languages),
                fidelity=Fidelity(**fields["fidelity"]),
                probe=Probe(**fields["probe"]),
                files={name: FileSeal(**seal) for name, seal in fields["files"].items()},
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise damaged() from error


@dataclass(frozen=True, slots=True)
class ModelPack:
    """A pack on disk. Its files may be used after `verify`."""

    folder: Path
    manifest: Manifest

    @classmethod
    def open(cls, folder: Path) -> ModelPack:
        """Read a pack's manifest; raises `Damaged` or `FromTheFuture`."""
        try:
            return cls(folder, Manifest.from_json((folder / MANIFEST).read_text("utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise damaged() from error

    @property
    def size_bytes(self) -> int:
        """What it takes on disk."""
        return sum(seal.size_bytes for seal in self.manifest.files.values())

    def path(self, name: str) -> Path:
        """One of its files."""
        return self.folder / name

    def verify(self) -> None:
        """Compare every file with the manifest; raises `Damaged`. Reads about 80 MB, in about 0.1 s."""
        task = self.manifest.task
        if set(self.manifest.files) != set(FILES_OF.get(task, ())):
            raise damaged(task)
        for name, seal in self.manifest.files.items():
            if seal_of(self.path(name), task) != seal:
                raise damaged(task)


def seal_of(path: Path, task: str = EMBEDDING) -> FileSeal:
    """A file's hash and size; raises `Damaged` where it cannot be read."""
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            return FileSeal(digest, stream.tell())
    except OSError as error:
        raise damaged(task) from error


def folder_name(model_id: str, version: str) -> str:
    """Where a pack is inside the models folder."""
    return f"{model_id}-{version}"


def find_pack(models: Path, task: str = EMBEDDING) -> ModelPack | None:
    """The newest pack of a task in a models folder, or None; it is not verified yet.

    Raises:
        Damaged, FromTheFuture: there is one, and it cannot be used, and no other one can.
    """
    problem: Damaged | FromTheFuture | None = None
    found: list[ModelPack] = []
    for manifest in sorted(models.glob(f"[!.]*/{MANIFEST}")):
        try:
            pack = ModelPack.open(manifest.parent)
        except (Damaged, FromTheFuture) as error:
            problem = error
        else:
            found.append(pack)
    packs = [pack for pack in found if pack.manifest.task == task]
    if packs:
        return max(packs, key=lambda pack: (pack.manifest.version, pack.manifest.id))
    # A manifest that cannot be read does not say what it is for: only the model that is missed most asks for it.
    if problem is not None and task == EMBEDDING:
        raise problem
    return None


@dataclass(frozen=True, slots=True)
class Installed:
    """A folder that holds a pack, or something that should be one.

    Attributes:
        pack: None where the manifest cannot be read.
        problem: what is wrong with it; None for a pack that is as its manifest says.
    """

    folder: Path
    pack: ModelPack | None
    problem: Damaged | FromTheFuture | None


def installed(models: Path) -> list[Installed]:
    """Every pack of a models folder, verified, by name; a broken one does not hide the others."""
    found = []
    for manifest in sorted(models.glob(f"[!.]*/{MANIFEST}")):
        pack: ModelPack | None = None
        problem: Damaged | FromTheFuture | None = None
        try:
            pack = ModelPack.open(manifest.parent)
            pack.verify()
        except (Damaged, FromTheFuture) as error:
            problem = error
        found.append(Installed(manifest.parent, pack, problem))
    return found


def damaged(task: str = EMBEDDING) -> Damaged:
    """The error for a pack that is not what its manifest says."""
    if task == EMBEDDING:
        return Damaged(
            msg("The embedding model on this disk is damaged; until it is replaced, Famulus searches by words only."),
            next_step=msg("Run `famulus models install` to build it again."),
        )
    return Damaged(
        msg("A model on this disk is damaged; until it is replaced, Famulus does without it."),
        next_step=msg("Run `famulus models install` to build it again."),
    )


def _from_the_future() -> FromTheFuture:
    return FromTheFuture(
        msg("The embedding model on this disk was made by a newer Famulus."),
        next_step=msg("Update Famulus, or run `famulus models install` to build the model that this version uses."),
    )
