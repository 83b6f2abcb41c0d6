"""Addresses: what fits to the letter, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from app.mcp_server.resources import RESOURCES, reader


def test_every_resource_has_its_reader():
    for one in RESOURCES:
        assert reader(one.uri) is one.read
    assert reader("famulus://item/abc_DEF-1") is not None


def test_tricks_lead_nowhere():
    for uri in (
        "famulus://item/",
        "famulus://item/..",
        "famulus://item/../about",
        "famulus://item/a/b",
        "famulus://item/a?x",
        "famulus://item/a#x",
        "famulus://item/%61",
        "famulus://item/a\n",
        "famulus://item/é",
        "famulus://item/" + "a" * 65,
        "Famulus://about",
        "famulus://about/",
        "file:///etc/passwd",
        "",
    ):
        assert reader(uri) is None, uri


@given(st.text(max_size=50))
def test_any_text_is_an_address_or_none(text):
    assert reader(text) is None
