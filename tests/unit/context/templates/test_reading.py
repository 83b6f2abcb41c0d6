"""Files of templates: what is read of them, and what is refused (G4.5)."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.templates.declaration import LANGUAGES, Origin
from app.context.templates.reading import LONGEST_FILE, read_template
from app.domain.errors import BadInput
from app.domain.labels import EntryKind
from app.runtime.paths import resource

PLAIN = """
version = "own-1"
scope = "work"
candidates = 9
[en]
title = "Ask a friend"
meaning = "What to tell."
instructions = "Write."
[[field]]
name = "friend"
required = true
en = "Who."
[[part]]
from = "search"
kinds = ["chat"]
heading = "Said"
query = "{friend} said"
"""


def read(text: str, name: str = "own"):
    return read_template(name, text.encode(), is_own=True)


def test_a_template_is_read() -> None:
    template = read(PLAIN)
    assert (template.scope, template.candidates, template.fields[0].name) == ("work", 9, "friend")
    assert template.parts[0].kinds == (EntryKind.CHAT,)
    assert template.parts[0].query == {"en": "{friend} said"}


@pytest.mark.parametrize("path", sorted(resource("templates").glob("*.toml")), ids=lambda path: path.stem)
def test_the_shipped_ones_speak_both_languages(path) -> None:
    template = read_template(path.stem, path.read_bytes(), is_own=False)
    assert 8 <= template.candidates <= 12
    for words in (template.title, template.meaning, template.instructions):
        assert set(words) == set(LANGUAGES)
    for field in template.fields:
        assert set(field.meaning) == set(LANGUAGES)
    for part in template.parts:
        assert set(part.heading) == set(LANGUAGES)
        assert not part.query or set(part.query) == set(LANGUAGES)
        if part.origin is Origin.SEARCH:
            assert part.query


def test_there_are_the_six_of_them() -> None:
    names = {path.stem for path in resource("templates").glob("*.toml")}
    assert names == {"weekly-report", "meeting-preparation", "reply-to-mail", "plan-a-day", "hand-over", "trip"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("candidates = 9", "candidates = 7"),
        ("candidates = 9", "candidates = 13"),
        ("candidates = 9", "candidates = true"),
        ("candidates = 9", 'candidates = "9"'),
        ('kinds = ["chat"]', 'kinds = ["secret"]'),
        ('kinds = ["chat"]', 'kinds = "chat"'),
        ('kinds = ["chat"]', "kinds = [1]"),
        ('from = "search"', 'from = "everything"'),
        ('from = "search"', ""),
        ('query = "{friend} said"', 'query = "{enemy} said"'),
        ('query = "{friend} said"', ""),
        ('query = "{friend} said"', "query = 5"),
        ('query = "{friend} said"', 'query = { fr = "dit" }'),
        ('name = "friend"', 'name = "Friend!"'),
        ('name = "friend"', 'name = "agenda"'),
        ('title = "Ask a friend"', 'title = ""'),
        ('title = "Ask a friend"', 'title = "Ask"\ncommand = "rm"'),
        ('scope = "work"', "scope = 5"),
        ('version = "own-1"', 'run = "rm"'),
        ("[[part]]", "[part]"),
        ("[en]", "[fr]"),
        ('query = "{friend} said"', 'query = "{friend} said"\nneeds = "nobody"'),
        ('query = "{friend} said"', 'query = "{friend} said"\nwindow = "{week}"'),
    ],
)
def test_a_wrong_one_is_refused(before: str, after: str) -> None:
    assert before in PLAIN
    with pytest.raises(BadInput):
        read(PLAIN.replace(before, after))


@pytest.mark.parametrize(
    "name", ["", "a/b", "..", "a.b", "x" * 61, "-a", " a", "a  b", "a\tb", "a\u202eb", "周\u3164报", "\udce9", "\0"]
)
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(BadInput):
        read(PLAIN, name)


@pytest.mark.parametrize("name", ["周报", "Own", "a_b", "站会 2026", "réunion", "ежедневник", "हिन्दी", "x" * 60])
def test_a_name_is_of_any_script(name: str) -> None:
    assert read(PLAIN, name).name == name


def test_a_blank_is_of_any_script() -> None:
    made = read(PLAIN.replace('name = "friend"', 'name = "朋友"').replace("{friend}", "{朋友}"))
    assert [field.name for field in made.fields] == ["朋友"]


def test_a_file_that_is_too_big_is_refused() -> None:
    with pytest.raises(BadInput):
        read(PLAIN + "#" * LONGEST_FILE)


@given(st.binary(max_size=300))
def test_anything_at_all_is_refused_or_read(data: bytes) -> None:
    with contextlib.suppress(BadInput):
        assert read_template("own", data, is_own=True).parts
