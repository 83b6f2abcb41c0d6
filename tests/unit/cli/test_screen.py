import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.screen import Screen, one_line, readable


def _screen(encoding="utf-8"):
    out = io.TextIOWrapper(io.BytesIO(), encoding, newline="")
    return Screen(out, io.StringIO()), out


def _written(out):
    out.flush()
    return out.buffer.getvalue()


@pytest.mark.parametrize(
    ("evil", "shown"),
    [
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\rb", "a\\x0db"),
        ("user\u202etxt.exe", "user\\u202etxt.exe"),
        ("a\u2028b", "a\\u2028b"),
        ("\x00\x08\x7f", "\\x00\\x08\\x7f"),
        ("\U000e0041", "\\ue0041"),
        ("\udcff", "\\udcff"),
        ("line\r\nnext\tcell", "line\nnext\tcell"),
        ("中文 é 👩‍💻", "中文 é 👩‍💻"),
    ],
)
def test_what_a_document_holds_is_shown_not_obeyed(evil, shown):
    assert readable(evil) == shown


@given(st.text())
def test_no_text_reaches_the_terminal_with_control_characters(text):
    screen, out = _screen()
    screen.say(text)
    written = _written(out).decode("utf-8")
    assert not [c for c in written if c not in "\n\t" and (ord(c) < 32 or 127 <= ord(c) < 160)]


@given(st.text(st.characters(exclude_categories=[])), st.sampled_from(["utf-8", "ascii", "gbk", "cp1252", "utf-16"]))
def test_json_survives_every_terminal(text, encoding):
    screen, out = _screen(encoding)
    screen.json({"x": text, text: [text]})
    written = _written(out).decode(encoding)
    assert json.loads(written) == {"x": text, text: [text]}
    assert written.count("\n") == 1
    assert "\x1b" not in written
    assert "\x9b" not in written


def test_json_is_readable_where_it_can_be():
    screen, out = _screen()
    screen.json("中文")
    assert _written(out).decode() == '"中文"\n'


def test_json_knows_no_nan():
    with pytest.raises(ValueError, match="JSON"):
        _screen()[0].json(float("nan"))


def test_one_line_is_one_line():
    assert one_line("a\n b\t c") == "a b c"
    assert one_line("x" * 300) == "x" * 199 + "…"


def test_a_stream_that_is_no_terminal():
    screen, _ = _screen()
    assert not screen.is_terminal
    screen.give_up()


def test_closed_streams_are_no_fault(monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stderr", None)
    screen = Screen()
    screen.say("x")
    screen.note("x")
    screen.json({"x": 1})
    screen.flush()
    assert not screen.is_terminal
