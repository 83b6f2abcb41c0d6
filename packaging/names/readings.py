"""Make resources/names/readings.txt: how Chinese characters are read, without tones.

    python packaging/names/readings.py

Needs pypinyin, whose table of characters it takes the two commonest readings of each from. It is made once; the program
itself reads the file, since the package would cost it 56 MB of memory and a third of a second for phrases that names
are not made of.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pypinyin import Style, pinyin

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from app.govern.people.readings import folded  # noqa: E402 - of the folder above

HEAD = """\
# How Chinese characters are read, in Hanyu Pinyin without tones; v for ü. A line is a syllable, the characters of which
# it is the usual reading, and those of which it is the second one. Made by packaging/names/readings.py from pypinyin.
"""
FIRST, LAST = 0x4E00, 0x9FFF


def main() -> None:
    """Write the file."""
    table: dict[str, list[list[str]]] = {}
    for code in range(FIRST, LAST + 1):
        sign = chr(code)
        found = pinyin(sign, style=Style.NORMAL, heteronym=True, errors="ignore")
        readings = list(dict.fromkeys(folded(reading) for reading in (found[0] if found else ())))
        for place, reading in enumerate(readings[:2]):
            if reading.isascii() and reading.isalpha():
                table.setdefault(reading, [[], []])[place].append(sign)
    lines = ["\t".join((reading, *map("".join, parts))).rstrip() for reading, parts in sorted(table.items())]
    (ROOT / "resources" / "names" / "readings.txt").write_text(HEAD + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
