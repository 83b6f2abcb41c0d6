"""A table in somebody else's TOML."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.famulus.toml_pieces import NotToml, with_table

PATH = ("mcp_servers", "famulus")
SERVER = {"command": "/usr/bin/famulus", "args": ["mcp", "--client", "名字"], "env": {"A": 'b"\\'}}


def test_a_table_is_added_and_replaced_and_all_else_stays():
    text = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y" # why\n'
    after = with_table(text, PATH, SERVER)
    assert after.startswith(text)
    assert tomllib.loads(after)["mcp_servers"] == {"other": {"command": "y"}, "famulus": SERVER}
    again = with_table(after + "\n[z]\na = 1\n", PATH, {"command": "new"})
    assert again.startswith(text + "\n[z]\na = 1\n")
    assert tomllib.loads(again)["mcp_servers"]["famulus"] == {"command": "new"}
    assert tomllib.loads(with_table("", PATH, SERVER)) == {"mcp_servers": {"famulus": SERVER}}


@pytest.mark.parametrize(
    "text",
    [
        "nonsense", "mcp_servers = 1", "mcp_servers = {other = {}}", '[mcp_servers]\nfamulus = {command = "x"}',
        "a = '''\n[mcp_servers.famulus]\n'''\n",
    ],
)  # fmt: skip
def test_what_would_change_more_is_refused(text):
    with pytest.raises(NotToml):
        with_table(text, PATH, SERVER)


def test_a_comment_above_the_next_table_stays():
    text = "[mcp_servers.famulus]\ncommand = 'x'\n# its own\na = 1\n\n# of the other\n[other]\nb = 1\n"
    assert with_table(text, PATH, SERVER).startswith("# of the other\n[other]\nb = 1\n")
    assert with_table("[mcp_servers.famulus]\na = 1\n# last words\n", PATH, SERVER).startswith("# last words\n")


@given(st.text(alphabet="[]mcp_servers.famulus=\"'#\n 1", max_size=60))
def test_any_text_is_changed_rightly_or_refused(text):
    try:
        before = tomllib.loads(text)
        after = tomllib.loads(with_table(text, PATH, SERVER))
    except (NotToml, tomllib.TOMLDecodeError):
        return
    assert after.pop("mcp_servers")["famulus"] == SERVER
    before.pop("mcp_servers", None)
    assert after == before
