"""How well, how fast and in how much memory pictures are read: `python -m tests.bench.pictures [FONT]` (L6.5).

The pictures are drawn here, as screens look: sizes, letters, light and dark, both languages. What is counted is
characters (edit distance over length, spaces left out), since a searched word needs all of its own.
"""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import PIL.Image
import PIL.ImageDraw
import PIL.ImageFilter
import PIL.ImageFont

from app.inference.ocr import PictureReader

if TYPE_CHECKING:
    from collections.abc import Sequence

FONT = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
ENGLISH = (
    "The boat club meets on Friday, 14 March, at half past six in the evening.",
    "Carla asks three yards for prices; Ben orders the paint (2 cans, 18.90 each).",
    "Invoice no. 2025-0317, due 31/03/2025, total: 1,280.50 EUR, paid by card *4417.",
    "Please write to harbour-office@example.org or call +44 20 7946 0958.",
)
CHINESE = (
    "船会定于三月十四日（星期五）晚上六点半开会，地点在二号码头会议室。",
    "王芳负责询价，李雷负责采购油漆，韩梅梅整理上一季度的支出明细。",
    "发票号：2025-0317，截止日期：2025年3月31日，合计：￥1,280.50，已用银行卡支付。",
    "如有问题请致电港务办公室：010-6552-9988，或发邮件至 harbour@example.org。",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One kind of picture."""

    name: str
    size: tuple[int, int]
    letter_px: int
    lines: Sequence[str]
    is_dark: bool = False
    is_photo: bool = False


SAMPLES = (
    Sample("English, 1280 x 800, 16 px", (1280, 800), 16, ENGLISH),
    Sample("Chinese, 1280 x 800, 16 px", (1280, 800), 16, CHINESE),
    Sample("English, 1280 x 800, 13 px", (1280, 800), 13, ENGLISH),
    Sample("Chinese, 1280 x 800, 13 px", (1280, 800), 13, CHINESE),
    Sample("both, dark, 1920 x 1080, 20 px", (1920, 1080), 20, ENGLISH + CHINESE, is_dark=True),
    Sample("both, 2560 x 1440, 20 px", (2560, 1440), 20, ENGLISH + CHINESE),
    Sample("both, 2560 x 1440, 14 px", (2560, 1440), 14, ENGLISH + CHINESE),
    Sample("both, phone, 1080 x 2400, 30 px", (1080, 2400), 30, tuple(line[:32] for line in ENGLISH + CHINESE)),
    Sample("both, long strip, 1080 x 8000, 30 px", (1080, 8000), 30, tuple(line[:32] for line in ENGLISH + CHINESE)),
    Sample("both, like a photo: turned by 2 degrees, blurred", (1600, 1200), 26, ENGLISH + CHINESE, is_photo=True),
)


def main(font: Path) -> None:
    """Print a row for each kind of picture, and the memory that all took at most."""
    import rapidocr  # noqa: F401 - so that its own memory is not counted as the reading's

    before = _peak_mib()
    reader = PictureReader()
    for sample in SAMPLES:
        image, expected = drawn(sample, font)
        start = time.process_time()
        found = reader.read(image.tobytes(), image.width, image.height)
        seconds = time.process_time() - start
        wrong = distance("".join(expected).replace(" ", ""), "".join(found).replace(" ", ""))
        share = 1 - wrong / len("".join(expected).replace(" ", ""))
        print(f"| {sample.name} | {len(expected)} | {100 * share:.1f} % | {seconds:.1f} s |")
    print(f"memory: {before} MiB with the libraries, {_peak_mib()} MiB at most")


def drawn(sample: Sample, font: Path) -> tuple[PIL.Image.Image, list[str]]:
    """A picture full of lines, and the lines."""
    paper, ink = ("#1e1e1e", "#d4d4d4") if sample.is_dark else ("white", "#202020")
    image = PIL.Image.new("RGB", sample.size, paper)
    draw = PIL.ImageDraw.Draw(image)
    letters = PIL.ImageFont.truetype(str(font), sample.letter_px)
    step = int(sample.letter_px * 2.2)
    expected = []
    for number, top in enumerate(range(step, sample.size[1] - 2 * step, step)):
        line = sample.lines[number % len(sample.lines)]
        draw.text((40, top), line, font=letters, fill=ink)
        expected.append(line)
    if sample.is_photo:
        turned = image.rotate(2, PIL.Image.Resampling.BICUBIC, fillcolor="#c8c4bc")
        image = turned.filter(PIL.ImageFilter.GaussianBlur(0.8))
    return image, expected


def distance(one: str, other: str) -> int:
    """How many characters have to be changed, added or left out to come from one text to the other."""
    row = list(range(len(other) + 1))
    for place, character in enumerate(one, start=1):
        last, row[0] = row[0], place
        for column, wanted in enumerate(other, start=1):
            last, row[column] = row[column], min(last + (character != wanted), row[column] + 1, row[column - 1] + 1)
    return row[-1]


def _peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FONT)
