"""Exports an encoder from a folder in Hugging Face's layout to ONNX, by `optimum`; a program of its own.

    python -m app.inference.export_onnx FOLDER OUTPUT

It runs as a child of `building_encoder`, so that torch and transformers never enter Famulus itself and their memory is
given back. It loads weights from safetensors only, runs no code of the folder, and reaches no network. OUTPUT gets
`exported.onnx` (float32), `int8.onnx` (dynamic, per channel) and `tokenizer.json`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

EXPORTED, QUANTISED, TOKENIZER_JSON = "exported.onnx", "int8.onnx", "tokenizer.json"


def export(folder: Path, output: Path) -> None:
    """Write the three files."""
    from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: PLC0415 - the optional group
    from optimum.exporters.onnx import onnx_export_from_model  # noqa: PLC0415
    from transformers import AutoModel, AutoTokenizer  # noqa: PLC0415

    options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    model = AutoModel.from_pretrained(folder, use_safetensors=True, **options)
    onnx_export_from_model(
        model.eval(), output, task="feature-extraction", do_validation=False, no_post_process=True, opset=18
    )
    (output / "model.onnx").replace(output / EXPORTED)
    quantize_dynamic(output / EXPORTED, output / QUANTISED, per_channel=True, weight_type=QuantType.QInt8)
    if not (output / TOKENIZER_JSON).exists():
        tokenizer = AutoTokenizer.from_pretrained(folder, use_fast=True, **options)
        tokenizer.backend_tokenizer.save(str(output / TOKENIZER_JSON))


if __name__ == "__main__":
    export(Path(sys.argv[1]), Path(sys.argv[2]))
