"""Reads the text in pictures, on this device and offline (L6.5).

The models are those that come inside the rapidocr package (PP-OCRv6 small: Chinese, English and others); their paths
are given to it, so that it has no reason to fetch any. Not a decoder: what comes here is pixels that the parse process
made. One picture at a time and one thread, since it runs beside everything else.
"""

from __future__ import annotations

import logging
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from app.domain.errors import Unavailable
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_DETECTION, _RECOGNITION = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
# A finer grid finds no more text on screenshots, and takes twice the memory (docs/sources/pictures.md)
_DETECTION_SIDE = 960
_LONGEST_SIDE = 2_560
_BAND_RATIO = 1.6
_SEARCHED_ROWS = 120
_LEAST_SCORE = 0.6
_log = logging.getLogger(__name__)


def is_installed() -> bool:
    """Whether the package that reads pictures is there with its models; imports nothing."""
    folder = _models()
    return folder is not None and all((folder / name).is_file() for name in (_DETECTION, _RECOGNITION))


class PictureReader:
    """Loads with the first picture; `unload` frees its memory until the next one. Blocks; from any thread."""

    def __init__(self) -> None:
        self._engine: Any = None
        self._turn = Lock()

    @property
    def is_loaded(self) -> bool:
        """Whether the models are in memory."""
        return self._engine is not None

    def read(self, pixels: bytes, width: int, height: int) -> Sequence[str]:
        """The lines in a picture, from top to bottom, those of one row from left to right.

        Args:
            pixels: RGB, 8 bits each, row by row.

        Raises:
            Unavailable: the models are not there.
        """
        picture = np.frombuffer(pixels, np.uint8).reshape(height, width, 3)[:, :, ::-1]
        with self._turn:
            engine = self._loaded()
            return [line for band in _bands(picture) for line in _lines(engine, band)]

    def unload(self) -> None:
        """Let the models go; nothing happens while none are loaded."""
        with self._turn:
            self._engine = None

    def _loaded(self) -> Any:  # noqa: ANN401 - the package has no types
        if self._engine is None:
            folder = _models()
            if folder is None or not is_installed():
                raise Unavailable(
                    msg("What reads the text in pictures is not installed."),
                    next_step=msg("Install Famulus again; pictures are known by name and date meanwhile."),
                )
            from rapidocr import RapidOCR  # noqa: PLC0415 - 0.8 s and 100 MB: for those who have pictures

            self._engine = RapidOCR(params=_parameters(folder))
            _log.info("the models that read pictures were loaded")
        return self._engine


def _models() -> Path | None:
    spec = find_spec("rapidocr")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "models"


def _parameters(folder: Path) -> dict[str, Any]:
    return {
        "Global.log_level": "critical",
        "Global.use_cls": False,
        "Global.max_side_len": _LONGEST_SIDE,
        "Global.text_score": _LEAST_SCORE,
        "Det.model_path": str(folder / _DETECTION),
        "Det.limit_type": "max",
        "Det.limit_side_len": _DETECTION_SIDE,
        "Rec.model_path": str(folder / _RECOGNITION),
        "Rec.rec_batch_num": 1,
        "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    }


def _bands(picture: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """A long strip in pieces, cut where a row of pixels is plain, which is between two lines of text."""
    height, width = picture.shape[:2]
    step = int(width * _BAND_RATIO)
    if height <= max(step * 1.5, _LONGEST_SIDE):
        return [picture]
    bands, start = [], 0
    while height - start > step * 1.25:
        first = start + step - min(_SEARCHED_ROWS, step // 4)
        rows = picture[first : start + step].astype(np.int16)
        roughness = np.abs(np.diff(rows, axis=1)).sum(axis=(1, 2))
        cut = first + int(roughness.argmin())
        bands.append(picture[start:cut])
        start = cut
    bands.append(picture[start:])
    return bands


def _lines(engine: Any, picture: NDArray[np.uint8]) -> list[str]:  # noqa: ANN401 - see `_loaded`
    if picture.min() == picture.max():
        return []
    found = engine(np.ascontiguousarray(picture))
    if found is None or found.boxes is None or not found.txts:
        return []
    boxes = [(np.asarray(box), text.strip()) for box, text in zip(found.boxes, found.txts, strict=True)]
    return _in_rows([(box[:, 0].min(), box[:, 1].min(), box[:, 1].max(), text) for box, text in boxes if text])


def _in_rows(boxes: list[tuple[float, float, float, str]]) -> list[str]:
    """Boxes (left, top, bottom, text) as lines: those whose middles stand in one row are one line."""
    rows: list[list[tuple[float, float, float, str]]] = []
    for box in sorted(boxes, key=lambda one: one[1]):
        middle = (box[1] + box[2]) / 2
        if rows and rows[-1][0][1] <= middle <= rows[-1][0][2]:
            rows[-1].append(box)
        else:
            rows.append([box])
    return ["  ".join(box[3] for box in sorted(row)) for row in rows]
