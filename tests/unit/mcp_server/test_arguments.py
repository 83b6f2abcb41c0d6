"""What a tool takes: the schema and the check come from one declaration."""

import contextlib

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadInput
from app.mcp_server.arguments import Argument, Kind, read_all, schema_of
from app.mcp_server.tools import TOOLS

_ARGUMENTS = (
    Argument("query", Kind.TEXT, "", is_required=True, longest=5),
    Argument("limit", Kind.COUNT, "", least=1, most=9),
    Argument("is_new", Kind.FLAG, ""),
    Argument("since", Kind.MOMENT, ""),
    Argument("kinds", Kind.TEXTS, "", most=2, choices=("mail", "note")),
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def test_what_fits_is_read():
    found = read_all(
        _ARGUMENTS,
        {"query": "x", "limit": 3.0, "is_new": True, "since": "2025-05-12", "kinds": ["mail"]},
    )
    assert found["limit"] == 3
    assert found["since"].isoformat().startswith("2025-05-12T00:00:00")
    assert found["kinds"] == ("mail",)
    assert read_all(_ARGUMENTS, {"query": "x", "limit": None}) == {"query": "x"}


@pytest.mark.parametrize(
    "given_",
    [
        {},
        {"query": None},
        {"query": " "},
        {"query": "123456"},
        {"query": 5},
        {"query": ["x"]},
        {"query": "x", "limit": 0},
        {"query": "x", "limit": 10},
        {"query": "x", "limit": 2.5},
        {"query": "x", "limit": True},
        {"query": "x", "limit": float("inf")},
        {"query": "x", "limit": 10**400},
        {"query": "x", "is_new": "yes"},
        {"query": "x", "since": "yesterday"},
        {"query": "x", "since": "9999-12-31T23:59:59-23:59"},
        {"query": "x", "kinds": "mail"},
        {"query": "x", "kinds": ["mail", "mail", "note"]},
        {"query": "x", "kinds": ["web"]},
        {"query": "x", "other": 1},
    ],
)
def test_what_does_not_fit_is_refused_in_words(given_):
    with pytest.raises(BadInput):
        read_all(_ARGUMENTS, given_)


@given(st.dictionaries(st.sampled_from(["query", "limit", "is_new", "kinds", "x"]), _JSON))
def test_the_schema_and_the_check_agree(values):
    values = {name: value for name, value in values.items() if value is not None}
    is_fine = jsonschema.Draft202012Validator(schema_of(_ARGUMENTS)).is_valid(values)
    try:
        read_all(_ARGUMENTS, values)
    except BadInput:
        # a blank text is longer than nothing, and says nothing
        assert not is_fine or not str(values.get("query", "")).strip()
    else:
        assert is_fine


@given(_JSON, st.sampled_from(TOOLS))
def test_anything_that_a_client_sends_is_read_or_refused(value, tool):
    for argument in tool.arguments:
        with contextlib.suppress(BadInput):
            read_all(tool.arguments, {argument.name: value})
