"""A text that may leave the device: what was personal in it has been kept back (DESIGN 2, L5.3)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RedactedOutgoing:
    """A turnstile: made by `app.policy.redaction.redactor` alone, and asked for by whatever sends.

    Attributes:
        text: with placeholders for what was kept back.
        kept_back: how many stretches were.
        rule_version: of the rules that looked through it, recorded with the egress.
        is_by_model: whether a model of names took part, or the rules stood alone.
    """

    text: str
    kept_back: int
    rule_version: str
    is_by_model: bool
