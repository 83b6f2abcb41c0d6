"""Embeds the examples of intents and moods beforehand, and writes resources/models/examples.npz.

    python packaging/models/examples.py MODELS_FOLDER

To be run after every change of resources/rules/routes.toml or mood.toml; a test compares the file with the tables. A
text that is missing in the file costs 8 ms when Famulus loads the table, nothing else.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from app.inference.embedder import Embedder
from app.inference.intent.features import raw_vectors
from app.inference.intent.mood import mood_texts
from app.inference.intent.reader import IntentReader
from app.inference.intent.table import load_table
from app.inference.intent.vectors import KnownVectors, packed, space_of, table_key
from app.inference.packs import find_pack
from app.runtime.paths import resource


def write(target: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write named arrays."""
    with target.open("wb") as stream:
        np.savez(stream, **arrays)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path)
    folder: Path = parser.parse_args().models
    pack = find_pack(folder)
    if pack is None:
        parser.error(f"no model pack in {folder}")
    encoder = Embedder(pack)
    table = load_table(resource("rules", "routes.toml"))
    texts = list(dict.fromkeys([*(text for text, _ in table.examples()), *mood_texts()]))
    space = space_of(encoder.model_id, encoder.version)
    target = resource("models", "examples.npz")
    before = KnownVectors.read(target, space)
    print(f"{len(texts)} texts, of which {sum(text not in before for text in texts)} are new")
    raw = raw_vectors(encoder, texts)
    write(target, packed(texts, raw, space, (0, np.zeros((0, 0), np.float32))))
    # the head is fitted on the vectors as they are read back
    reader = IntentReader(table, encoder, KnownVectors.read(target, space))
    write(target, packed(texts, raw, space, (table_key(table.examples()), reader.coefficients)))
    print(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
