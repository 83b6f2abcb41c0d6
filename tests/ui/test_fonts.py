from __future__ import annotations

from app.ui import fonts

CJK = ["Noto Sans CJK SC", "DejaVu Sans"]


def test_the_systems_face_comes_first_with_a_chinese_one_behind_it():
    assert fonts.families("Segoe UI", ["Segoe UI", "Microsoft YaHei"]) == ["Segoe UI", "Microsoft YaHei"]


def test_a_face_that_nobody_chose_gives_way_to_a_good_one():
    assert fonts.families("DejaVu Sans", ["Inter", *CJK]) == ["Inter", "Noto Sans CJK SC"]
    assert fonts.families("Sans Serif", CJK) == ["Noto Sans CJK SC"]


def test_with_nothing_better_the_systems_face_stays():
    assert fonts.families("DejaVu Sans", ["DejaVu Sans"]) == ["DejaVu Sans"]


def test_keys_are_shown_in_a_fixed_face():
    assert fonts.fixed_families(["DejaVu Sans Mono", "Inter"]) == ["DejaVu Sans Mono"]
    assert fonts.fixed_families([]) == ["monospace"]


def test_the_interface_font_has_the_size_of_the_tokens(qapp):
    assert fonts.interface_font().pixelSize() == 13
