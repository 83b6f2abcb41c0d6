"""Which typefaces the window uses: the system's own face, with faces for Chinese behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

from app.ui.tokens import SIZE_BODY

if TYPE_CHECKING:
    from collections.abc import Sequence

# Where a desktop names no face of its own, fontconfig hands out one of these. They are fit for a terminal.
_NO_CHOICE: Final = frozenset(
    {"sans serif", "sans-serif", "sans", "dejavu sans", "bitstream vera sans", "helvetica", ""}
)
_GOOD: Final = (
    "Inter",
    "Noto Sans",
    "Cantarell",
    "Ubuntu",
    "Source Sans 3",
    "Open Sans",
    "Roboto",
    "Noto Sans CJK SC",
    "Liberation Sans",
)
_CHINESE: Final = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Microsoft YaHei",
    "WenQuanYi Micro Hei",
)
_FIXED: Final = (
    "JetBrains Mono",
    "Noto Sans Mono",
    "Cascadia Mono",
    "SF Mono",
    "Menlo",
    "Consolas",
    "DejaVu Sans Mono",
)


def families(system_family: str, installed: Sequence[str]) -> list[str]:
    """The faces in order: the system's unless it is none, then a good one, then those for Chinese."""
    present = set(installed)
    chosen = [] if system_family.lower() in _NO_CHOICE else [system_family]
    chosen += [name for name in _GOOD if name in present][:1] if not chosen else []
    chosen += [name for name in _CHINESE if name in present]
    return list(dict.fromkeys(chosen or [system_family]))


def fixed_families(installed: Sequence[str]) -> list[str]:
    """Faces in which every character is equally wide, for keys that people copy by hand."""
    present = set(installed)
    return [name for name in _FIXED if name in present] or ["monospace"]


def interface_font() -> QFont:
    """The font of everything that does not ask for another size."""
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font = QFont(system)
    font.setFamilies(families(system.family(), QFontDatabase.families()))
    font.setPixelSize(SIZE_BODY)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def sized(font: QFont, pixels: int, *, weight: int = 400) -> QFont:
    """A copy in another size and weight."""
    copy = QFont(font)
    copy.setPixelSize(pixels)
    copy.setWeight(QFont.Weight(weight))
    return copy


def line_height(font: QFont, percent: int) -> int:
    """Pixels from one line to the next."""
    return round(QFontMetricsF(font).height() * percent / 100)
