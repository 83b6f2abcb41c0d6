"""Redaction by rules and by a model of names: what either finds is kept back (L5.3).

The rules know exact forms, the model knows names in prose. Without a model, or when it
fails, the rules go on alone, and the result says so: nothing leaves less looked through in silence.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from app.domain.errors import Expected
from app.policy.redaction.finder import STRICT, require_readable
from app.policy.redaction.redactor import Redactor
from app.runtime.clock import monotonic_s

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.outgoing import RedactedOutgoing
    from app.domain.readings import TextSpan
    from app.policy.redaction.finder import RedactionPolicy
    from app.policy.redaction.redactor import Redacted

_log = logging.getLogger(__name__)
_PIECE, _OVERLAP = 1_500, 100
"""Characters that the model reads at once; a name at the end of a piece stands whole in the next one."""
_LONGEST_READING_S = 1.2
"""After which the rules alone read the rest of a long text."""


class NameReader(Protocol):
    """The span model, as far as redaction needs it."""

    def read(self, text: str) -> Sequence[TextSpan]:
        """The names in a text; raises `Expected` where the model cannot be used."""


class Conversation:
    """One conversation with somebody outside: what goes out is redacted, what comes back is restored.

    Args:
        names: the span model; None: the rules stand alone.
        policy: how much is kept back.
    """

    def __init__(self, names: NameReader | None = None, policy: RedactionPolicy = STRICT) -> None:
        self._names = names
        self._redactor = Redactor(policy)

    def redact(self, text: str) -> Redacted:
        """A text with placeholders; raises `BadInput` for one that is too long."""
        require_readable(text)
        return self._redactor.redact(text, self._read(text)[0])

    def outgoing(self, text: str) -> RedactedOutgoing:
        """The same as what may be sent; raises `BadInput` like `redact`."""
        require_readable(text)
        names, is_by_model = self._read(text)
        return self._redactor.outgoing(text, names, is_by_model=is_by_model)

    def restore(self, reply: str) -> str:
        """A reply with the values in the place of their placeholders; other placeholders stay."""
        return self._redactor.restore(reply)

    def _read(self, text: str) -> tuple[Sequence[TextSpan], bool]:
        """The model's names, and whether it has read the whole text."""
        if self._names is None:
            return (), False
        found: list[TextSpan] = []
        began = monotonic_s()
        for start in range(0, max(1, len(text)), _PIECE):
            if monotonic_s() - began > _LONGEST_READING_S:
                return found, False
            try:
                spans = self._names.read(text[start : start + _PIECE + _OVERLAP])
            except Expected as error:
                _log.warning("redaction goes on without the model of names: %s", error.code)
                return found, False
            found += (replace(span, start=span.start + start, end=span.end + start) for span in spans)
        return found, True
