"""A text that may leave the device: what was personal in it has been kept back (DESIGN 2, L5.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


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


@dataclass(frozen=True, slots=True)
class Egress:
    """One line of the egress ledger (X7.1): that something left the device, never what.

    Attributes:
        recipient: host and port.
        purpose: a word for what it was for, such as `collect:imap`.
        data_level: A5.1; 2 for what holds nothing of the person's (a request to collect their own mail).
        size_bytes: what was sent, without what came back.
        replaced: how many stretches of which kind were redacted.
    """

    recipient: str
    purpose: str
    data_level: int
    size_bytes: int
    replaced: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


class EgressLedger(Protocol):
    """Where every connection out of the device is noted."""

    def note(self, egress: Egress) -> None:
        """Take one down; blocks until it is kept. Called before the bytes leave, on a lane for blocking work."""


@dataclass(frozen=True, slots=True)
class EgressLine:
    """A line of the ledger with its time."""

    at: datetime
    egress: Egress
