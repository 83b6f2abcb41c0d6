"""The one file of looks: colours, spacing, radii, type, motion. Style sheet, icons and paintings take them from here.

What it is not: a theme engine. There are two palettes, and every colour has a meaning rather than a place.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

# Grid of 4 px.
GAP_TINY: Final = 4
GAP_SMALL: Final = 8
GAP: Final = 12
GAP_MEDIUM: Final = 16
GAP_LARGE: Final = 24
GAP_HUGE: Final = 32

RADIUS_CONTROL: Final = 6
RADIUS_CARD: Final = 12

SIZE_CHART: Final = 11
SIZE_SECONDARY: Final = 12
SIZE_BODY: Final = 13
SIZE_ANSWER: Final = 15
SIZE_FIELD: Final = 18
SIZE_TITLE: Final = 20
WEIGHT_NORMAL: Final = 400
WEIGHT_STRONG: Final = 600
LINE_ANSWER_PERCENT: Final = 150
LINE_LIST_PERCENT: Final = 130

CONTROL_HEIGHT: Final = 32
ICON_SIZE: Final = 20
CONTENT_WIDTH: Final = 760
RAIL_WIDTH: Final = 196
PANEL_WIDTH: Final = 720
PANEL_SHADOW: Final = 32

MOTION_MS: Final = 120

_LINEAR_UP_TO: Final = 0.04045  # WCAG 2.2, relative luminance
HAIRLINE_SHARE: Final = 0.08
BORDER_SHARE: Final = 0.18


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as `#rrggbb`, named by what they mean.

    Attributes:
        paper, surface, sunken: the window, what lies on it, and what lies in it.
        hover, pressed, selected: a control or row under the pointer, pressed, chosen.
        ink, ink_soft, ink_faint: text, secondary text, hints.
        accent, on_accent, accent_strong: the one accent, text on it, and the accent while pressed.
        asks, on_asks: amber, for "asks you", and the ground that it stands on.
        final, on_final: red, only for what cannot be undone.
        left, on_left: violet, for "left this device".
    """

    name: str
    paper: str
    surface: str
    sunken: str
    hover: str
    pressed: str
    selected: str
    ink: str
    ink_soft: str
    ink_faint: str
    accent: str
    accent_strong: str
    on_accent: str
    asks: str
    on_asks: str
    final: str
    on_final: str
    left: str
    on_left: str

    @property
    def is_dark(self) -> bool:
        """Whether this is the palette for a dark desktop."""
        return luminance(self.paper) < luminance(self.ink)

    @property
    def hairline(self) -> str:
        """Lines between things: the text colour at 8 %, as Qt writes it."""
        return translucent(self.ink, HAIRLINE_SHARE)

    @property
    def border(self) -> str:
        """The edge of a field: stronger than a hairline, so that it is seen to be one."""
        return translucent(self.ink, BORDER_SHARE)


LIGHT: Final = Palette(
    name="light",
    paper="#FAF8F5",
    surface="#FFFEFC",
    sunken="#F3EFE9",
    hover="#F3EFE9",
    pressed="#E9E4DC",
    selected="#E1EFEC",
    ink="#211E1A",
    ink_soft="#5C564E",
    ink_faint="#69625A",
    accent="#0E6660",
    accent_strong="#0A4F4A",
    on_accent="#FFFFFF",
    asks="#855600",
    on_asks="#FBF0DA",
    final="#B3261E",
    on_final="#FBE9E7",
    left="#6A3FA6",
    on_left="#F1EAFA",
)

DARK: Final = Palette(
    name="dark",
    paper="#1A1816",
    surface="#221F1C",
    sunken="#151311",
    hover="#2B2824",
    pressed="#35312C",
    selected="#1D3633",
    ink="#F1EDE7",
    ink_soft="#BDB6AC",
    ink_faint="#A39C92",
    accent="#63C7BC",
    accent_strong="#8ADAD1",
    on_accent="#08211F",
    asks="#E8B75A",
    on_asks="#352A16",
    final="#FF9388",
    on_final="#3A1F1C",
    left="#C7ABF2",
    on_left="#2E2440",
)

PALETTES: Final = (LIGHT, DARK)


def readable_pairs(palette: Palette) -> list[tuple[str, str, str]]:
    """All (what, text colour, ground) that occur together; each must reach a contrast of 4.5."""
    grounds = ("paper", "surface", "sunken", "hover", "selected")
    inks = ("ink", "ink_soft", "ink_faint", "accent", "asks", "final", "left")
    colour = {field.name: getattr(palette, field.name) for field in fields(palette)}
    pairs = [(f"{ink} on {ground}", colour[ink], colour[ground]) for ink in inks for ground in grounds]
    pairs += [
        ("ink on pressed", palette.ink, palette.pressed),
        ("ink_soft on pressed", palette.ink_soft, palette.pressed),
    ]
    for name in ("asks", "final", "left"):
        ground = colour[f"on_{name}"]
        pairs += [(f"{name} on its ground", colour[name], ground), (f"ink on {name}", palette.ink, ground)]
    pairs += [
        ("on_accent on accent", palette.on_accent, palette.accent),
        ("on_accent on accent_strong", palette.on_accent, palette.accent_strong),
        ("paper on final", palette.paper, palette.final),
    ]
    return pairs


def luminance(colour: str) -> float:
    """Relative luminance 0..1 of `#rrggbb` (WCAG 2.2)."""
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [value / 12.92 if value <= _LINEAR_UP_TO else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio 1..21 of two `#rrggbb` colours (WCAG 2.2)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def translucent(colour: str, share: float) -> str:
    """`#rrggbb` at a share of its strength, as the style sheet writes it."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {round(share * 255)})"
