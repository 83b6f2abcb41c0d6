"""Contrast of at least 4.5:1 wherever text stands on a ground, in light and dark (D8.6)."""

from __future__ import annotations

import pytest

from app.ui import tokens
from app.ui.tokens import DARK, LIGHT, PALETTES


@pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)
def test_every_text_can_be_read(palette):
    weak = [
        f"{what}: {tokens.contrast(ink, ground):.2f}"
        for what, ink, ground in tokens.readable_pairs(palette)
        if tokens.contrast(ink, ground) < 4.5
    ]
    assert weak == []


def test_contrast_is_that_of_wcag():
    assert tokens.contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert tokens.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_palettes_know_what_they_are():
    assert DARK.is_dark
    assert not LIGHT.is_dark


def test_a_hairline_is_eight_percent_of_the_text():
    assert LIGHT.hairline == "rgba(33, 30, 26, 20)"
