"""The style sheet takes every colour from the tokens."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from app.ui import stylesheet
from app.ui.tokens import PALETTES


@pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)
def test_no_colour_comes_from_elsewhere(palette):
    sheet = stylesheet.build(palette, faces=["Inter"], fixed=["Menlo"])
    known = {getattr(palette, field.name).lower() for field in fields(palette)}
    assert {colour.lower() for colour in re.findall(r"#[0-9a-fA-F]{6}", sheet)} <= known


def test_faces_are_named():
    sheet = stylesheet.build(PALETTES[0], faces=["Inter", "Noto Sans CJK SC"], fixed=["Menlo"])
    assert 'font-family: "Inter", "Noto Sans CJK SC"' in sheet
    assert 'font-family: "Menlo"' in sheet
