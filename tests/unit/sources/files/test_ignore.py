from __future__ import annotations

import pytest

from app.sources.files.ignore import IgnoreRules, is_clutter, is_unread_kind


@pytest.mark.parametrize(
    "name",
    [
        ".git",
        ".DS_Store",
        ".x",
        "~$plan.docx",
        "notes.txt~",
        "#a#",
        ".a.md.swp",
        "a.tmp",
        "x.part",
        "Thumbs.db",
        "uv.lock",
    ],
)
def test_clutter(name):
    assert is_clutter(name, is_folder=False)


@pytest.mark.parametrize("name", ["node_modules", "__pycache__", ".venv", "$RECYCLE.BIN"])
def test_clutter_folders(name):
    assert is_clutter(name, is_folder=True)


@pytest.mark.parametrize("name", ["notes.md", "a~b.txt", "node_modules.md", "#1.md", "租房.md", "swp"])
def test_no_clutter(name):
    assert not is_clutter(name, is_folder=False)


def test_kinds_that_are_not_opened():
    assert is_unread_kind("holiday.JPG")
    assert not is_unread_kind("jpg")
    assert not is_unread_kind("report.docx")
    assert not is_unread_kind("backup.zip")


@pytest.mark.parametrize(
    ("pattern", "path", "is_ignored"),
    [
        ("*.log", "a.log", True),
        ("*.log", "deep/er/a.log", True),
        ("/a.log", "a.log", True),
        ("/a.log", "deep/a.log", False),
        ("deep/*.txt", "deep/a.txt", True),
        ("deep/*.txt", "deep/er/a.txt", False),
        ("deep/*.txt", "x/deep/a.txt", False),
        ("**/er/*", "deep/er/a", True),
        ("deep/**/a", "deep/a", True),
        ("deep/**/a", "deep/x/y/a", True),
        ("private/", "private", False),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("[ab].md", "a.md", True),
        ("[!ab].md", "a.md", False),
        ("[!ab].md", "c.md", True),
        ("草稿*", "草稿 1.md", True),
        ("# comment", "# comment", False),
        ("\\#1", "#1", True),
        ("a.b", "axb", False),
        ("", "a", False),
        ("[", "[", True),
        ("a*b*b.md", "axbxb.md", True),
        ("a*b?[0-9]*c", "abbbx1c", True),
        ("a*bc", "abcb", False),
        ("**/a/**/a", "x/a/a", True),
        ("**/a/**/a", "x/a/b", False),
        ("deep/**", "deep/er/a", True),
        ("deep/**", "deep", False),
        ("**", "deep/a", True),
        ("a" * 2000, "a" * 2000, False),
    ],
)
def test_patterns(pattern, path, is_ignored):
    assert IgnoreRules().below("", pattern).ignores(path, is_folder=False) is is_ignored


@pytest.mark.parametrize("pattern", ["*a" * 30 + "b", "**/" * 300 + "a", "**/a/" * 100 + "b", "*" * 900 + "b"])
def test_no_pattern_keeps_the_program_busy(pattern):
    rules = IgnoreRules().below("", pattern)
    assert not rules.ignores("/".join(["a" * 200] * 15), is_folder=False)
    assert not rules.ignores("/".join(["a"] * 200), is_folder=False) or pattern.endswith("/a")


def test_the_last_pattern_decides_and_can_take_back():
    rules = IgnoreRules().below("", "*.txt\n!keep.txt\n")
    assert rules.ignores("a.txt", is_folder=False)
    assert not rules.ignores("keep.txt", is_folder=False)
    inner = rules.below("deep", "keep.txt\n!a.txt\n")
    assert inner.ignores("deep/keep.txt", is_folder=False)
    assert not inner.ignores("deep/a.txt", is_folder=False)


def test_a_pattern_for_folders():
    rules = IgnoreRules().below("", "private/\n")
    assert rules.ignores("private", is_folder=True)
    assert rules.ignores("x/private", is_folder=True)
