"""A value in somebody else's JSON, with comments and all else kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.famulus.json_pieces import NotJson, read, with_value

PATH = ("mcpServers", "famulus")
SERVER = {"command": "/usr/bin/famulus", "args": ["mcp", "--client", "Desk"]}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    "text", ["", "  \n", "\ufeff", "{}", "{\n}\n", "\ufeff{ }", "{ /* nothing */ }", "{ // note\n}"]
)
def test_an_empty_file_gets_it(text):
    assert read(with_value(text, PATH, SERVER)) == {"mcpServers": {"famulus": SERVER}}


def test_comments_commas_and_the_order_stay():
    text = """// settings of mine
{
    "theme": "dark", // "mcpServers": {}
    /* servers */
    "mcpServers": {
        "other": { "command": "x", "args": ["a//b", "}"], }, // the first
    },
    "last": 1 /* really */
}
"""
    after = with_value(text, PATH, SERVER)
    added = [line for line in after.split("\n") if line not in text.split("\n")]
    assert added == [
        '        "famulus": {',
        '          "command": "/usr/bin/famulus",',
        '          "args": [',
        '            "mcp",',
        '            "--client",',
        '            "Desk"',
        "          ]",
        "        }",
    ]
    assert all(line in after for line in text.split("\n"))
    again = with_value(after, PATH, {"command": "y"})
    assert with_value(again, PATH, SERVER) == after


def test_a_comma_is_put_before_a_comment():
    after = with_value('{\r\n  "a": 1 // one\r\n}\r\n', PATH, SERVER)
    assert after.startswith('{\r\n  "a": 1, // one\r\n  "mcpServers": {\r\n')
    assert "\n" not in after.replace("\r\n", "")


@pytest.mark.parametrize(
    "text",
    [
        "nonsense", "[]", "{", '{"a" 1}', '{"mcpServers": []}', '{"mcpServers": 1}', '{"a": "unended', "{'a': 1}",
        '{"mcpServers": {}, "mcpServers": {"famulus": 1}, }x', "[" * 100_000, "/*" * 200_000, '"' + '\\"' * 200_000,
        '{"a":1}{"b":2}', "NaN",
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_refused(text):
    with pytest.raises(NotJson):
        with_value(text, PATH, SERVER)


@given(st.dictionaries(st.text(), VALUES, max_size=4), st.sampled_from([None, 1, 4, "\t"]))
def test_nothing_else_changes(before, indent):
    text = json.dumps(before, indent=indent, ensure_ascii=False)
    if not isinstance(before.get("mcpServers", {}), dict):
        return
    after = read(with_value(text, PATH, SERVER))
    assert after.pop("mcpServers") == {**before.pop("mcpServers", {}), "famulus": SERVER}
    assert after == before


@given(st.text(alphabet='{}[]",:/*\\ \n\ra1'))
def test_any_text_is_changed_rightly_or_refused(text):
    try:
        after = with_value(text, PATH, SERVER)
    except NotJson:
        return
    assert read(after)["mcpServers"]["famulus"] == SERVER
