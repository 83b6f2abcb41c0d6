"""Whatever happens to a file: it is read, or it is `Unreadable`; never another error, never without end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import Unreadable
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.wire import parsed_from_dict, parsed_to_dict
from tests.unit.sources.makers import SAMPLES, about


def survives(data: bytes, name: str) -> None:
    try:
        parsed = parse_content(data, about(name))
    except Unreadable:
        return
    assert parsed_from_dict(parsed_to_dict(parsed)) == parsed


@pytest.mark.parametrize("name", sorted(SAMPLES))
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_cut_and_flipped(name, data):
    sample = bytearray(SAMPLES[name])
    cut = data.draw(st.integers(0, len(sample)))
    for place, value in data.draw(
        st.lists(st.tuples(st.integers(0, len(sample) - 1), st.integers(0, 255)), max_size=8)
    ):
        sample[place] = value
    survives(bytes(sample[:cut] if data.draw(st.booleans()) else sample), name)


@pytest.mark.parametrize("name", sorted(SAMPLES))
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_pieces_out_of_order(name, data):
    lines = SAMPLES[name].split(b"\n")
    chosen = data.draw(st.lists(st.sampled_from(lines), max_size=2 * len(lines)))
    survives(b"\n".join(chosen), name)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(sorted(SAMPLES)))
def test_anything_under_any_name(data, name):
    survives(data, name)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300), st.sampled_from(["x.md", "x.txt", "x.html", "x.csv", "x.eml", "x.ics"]))
def test_any_text_under_any_name(text, name):
    survives(text.encode("utf-8", "surrogatepass"), name)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.md", b"[" * 8_000),
        ("a.md", b"*a " * 5_000),
        ("a.md", b"> " * 20_000),
        ("a.md", b"- " * 5_000),
        ("a.md", b"---\n" + b"[" * 1_500 + b"\n---\n"),
        ("a.md", b"---\na: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n---\n"),
        ("a.html", b"<html>" + b"<b>" * 50_000),
        ("a.html", b"<html>" + b"<table><tr><td>" * 2_000),
        ("a.html", b"<html>" + b"<" * 100_000),
        ("a.eml", b"From: a@b\nSubject: " + b"=?utf-8?q?a?= " * 1_000 + b"\n\nx"),
        ("a.eml", b"From: " + b"<a@b>, " * 5_000 + b"\nSubject: x\n\nx"),
        ("a.eml", b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(300))),
        ("a.eml", b"From: a@b\nContent-Type: text/plain; charset=" + b"x;a=b " * 80_000 + b"\n\nx"),
        ("a.eml", b"From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * 200_000),
        ("a.eml", b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 10_000),
        (
            "a.eml",
            b"".join(
                b'Content-Type: multipart/alternative; boundary="b%d"\n\n--b%d\n\nx\n--b%d\n' % (n, n, n)
                for n in range(19)
            )
            + b"Content-Type: text/html\n\nx",
        ),
        ("a.txt", b"\n".join(b"> " * 40 for _ in range(5_000))),
        ("a.csv", b'"' * 100_001),
        ("a.ics", b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\n" * 3_000),
        (
            "a.ics",
            b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20250101\nRDATE:" + b"20250101," * 5_000 + b"\nEND:VEVENT",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value[:12]!r}",
)
def test_what_costs_without_measure(name, data):
    survives(data, name)
