"""Quotations that nothing can leave (X9.1)."""

import json

from hypothesis import given
from hypothesis import strategies as st

from app.mcp_server.quoting import LONGEST_LINE, clean, one_line, quoted, title

_ANY = st.text(st.characters(), max_size=200)


@given(_ANY)
def test_every_line_of_a_quotation_says_that_it_is_one(text):
    for line in quoted(text).split("\n"):
        assert line == ">" or line.startswith("> ")
    assert quoted(text).splitlines() == quoted(text).split("\n")


@given(_ANY)
def test_a_title_stays_within_its_marks_and_its_line(text):
    found = title(text)
    assert found[0] + found[-1] == "“”"
    assert "“" not in found[1:-1]
    assert "”" not in found[1:-1]
    assert len(found.splitlines()) == 1
    assert len(found) <= LONGEST_LINE + 2


@given(_ANY)
def test_all_text_can_travel(text):
    for made in (clean(text), quoted(text), one_line(text)):
        assert json.loads(json.dumps(made).encode("utf-8")) == made
        made.encode("utf-8")


def test_what_cannot_be_seen_is_taken_out_of_what_a_model_reads():
    assert quoted("a\u202eb\x1b[31mc\U000e0041d") == "> a b [31mc d"
    assert one_line("a\nb\r\n\tc  d") == "a b c d"
    assert quoted("") == ">"


def test_ten_megabytes_of_one_line_are_cut_at_once():
    assert len(one_line("界" * 10_000_000)) == LONGEST_LINE
