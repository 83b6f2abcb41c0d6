from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import BadInput, Unavailable
from app.domain.readings import SpanLabel, TextSpan
from app.domain.text import msg
from app.govern.redaction import Conversation
from app.policy.redaction.finder import LONGEST_TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Names:
    """Finds one word."""

    def __init__(self, word: str) -> None:
        self._word = word

    def read(self, text: str) -> Sequence[TextSpan]:
        start = text.find(self._word)
        return [] if start < 0 else [TextSpan(start, start + len(self._word), SpanLabel.PERSON, 0.9)]


class _Broken:
    def read(self, text: str) -> Sequence[TextSpan]:
        raise Unavailable(msg("The model is gone."), next_step=msg("Install it."))


def test_rules_and_model_find_together() -> None:
    conversation = Conversation(_Names("zorblax"))
    redacted = conversation.redact("zorblax wrote to a@example.org")
    assert redacted.text == "[PERSON_1] wrote to [EMAIL_1]"
    assert conversation.restore("[PERSON_1]: [EMAIL_1]") == "zorblax: a@example.org"


def test_without_a_model_the_rules_go_on_and_say_so() -> None:
    outgoing = Conversation().outgoing("zorblax wrote to a@example.org")
    assert outgoing.text == "zorblax wrote to [EMAIL_1]"
    assert not outgoing.is_by_model


def test_a_model_that_fails_does_not_stop_redaction_and_is_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="app"):  # whatever level another test has set
        outgoing = Conversation(_Broken()).outgoing("write to a@example.org")
    assert outgoing.text == "write to [EMAIL_1]"
    assert not outgoing.is_by_model
    assert "unavailable" in caplog.text
    assert "example" not in caplog.text


def test_a_model_that_read_all_is_told() -> None:
    assert Conversation(_Names("x")).outgoing("hello").is_by_model


def test_a_long_text_is_read_in_pieces() -> None:
    text = "hello " * 1000 + "zorblax"
    redacted = Conversation(_Names("zorblax")).redact(text)
    assert redacted.text == "hello " * 1000 + "[PERSON_1]"


def test_a_model_that_takes_too_long_leaves_the_rest_to_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(100))
    monkeypatch.setattr("app.govern.redaction.monotonic_s", lambda: float(next(seconds)))
    outgoing = Conversation(_Names("zorblax")).outgoing("hello " * 1000 + "zorblax a@example.org")
    assert outgoing.text.endswith("zorblax [EMAIL_1]")
    assert not outgoing.is_by_model


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(BadInput):
        Conversation().outgoing("a" * (LONGEST_TEXT + 1))
