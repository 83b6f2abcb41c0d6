"""The early answer to `initialize`: never to a line that the library would not take."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import jsonrpc_message_adapter

from app.mcp_server import greeting


def _hello(name: str = "a", request_id: object = 1) -> str:
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": name, "version": "1"}}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "initialize", "params": params})


@pytest.mark.parametrize("name", ["a", "猎鹰", "😀", "\0"])
def test_a_plain_request_is_answered(name):
    assert greeting.answer(_hello(name).encode())["result"]["serverInfo"]["name"] == "famulus"


@pytest.mark.parametrize(
    "line",
    [
        *(_hello().encode(code) for code in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-32-be")),
        _hello("\ud800").encode(),
        _hello(request_id="\udfff").encode(),
        _hello("@").encode().replace(b"@", b"\xed\xa0\x80"),
        _hello("@").encode().replace(b"@", b"\xff"),
    ],
)
def test_what_only_python_takes_for_json_is_left_to_the_library(line):
    assert greeting.answer(line) is None


@given(st.text(st.characters()), st.one_of(st.text(st.characters()), st.integers(), st.floats(), st.none()))
def test_what_is_answered_is_what_the_library_takes(name, request_id):
    line = _hello(name, request_id).encode()
    answer = greeting.answer(line)
    if answer is not None:
        assert jsonrpc_message_adapter.validate_json(line, by_name=False).id == answer["id"]
