"""What a client may ask at once: lengths and ranges, beyond which a request makes no sense (G8.1). Pure."""

from __future__ import annotations

import re

from app.domain.errors import BadInput
from app.domain.serving import ContextQuery, Outcome, Suggestion
from app.domain.text import msg

LONGEST_QUERY = 4_000
LONGEST_SUGGESTION = 20_000
LONGEST_TITLE = 300
LONGEST_REASON = 2_000
MOST_ITEMS = 50
LEAST_TOKENS, MOST_TOKENS = 50, 32_000
MOST_CITED = 200
MOST_FIELDS = 100_000
_MOST_KINDS = 20
_REQUEST = re.compile(r"[0-9A-Za-z_-]{1,64}", re.ASCII)


def checked_query(query: ContextQuery | None = None, *, budget_tokens: int | None = None) -> ContextQuery:
    """A query within the limits, or a budget alone; raises `BadInput`."""
    asked = ContextQuery("-", budget_tokens=budget_tokens) if query is None else query
    checked_text(asked.text)
    _within(asked.limit, 1, MOST_ITEMS, "limit")
    if asked.budget_tokens is not None:
        _within(asked.budget_tokens, LEAST_TOKENS, MOST_TOKENS, "budget_tokens")
    if asked.scope is not None:
        checked_text(asked.scope)
    if len(asked.kinds) > _MOST_KINDS:
        raise _wrong("kinds")
    if asked.since is not None and asked.until is not None and asked.since > asked.until:
        raise _wrong("since")
    return asked


def checked_text(text: str, *, may_be_empty: bool = False) -> str:
    """Words of a client; raises `BadInput` for none, and for more than anybody asks in."""
    if len(text) > LONGEST_QUERY or not (may_be_empty or text.strip()):
        raise BadInput(
            msg("The text is empty, or longer than {count} characters.", count=LONGEST_QUERY),
            next_step=msg("Ask in a few words or sentences."),
        )
    return text


def checked_suggestion(suggestion: Suggestion) -> Suggestion:
    """What a client suggests to remember; raises `BadInput` for nothing, and for more than a note."""
    is_good = (
        suggestion.text.strip()
        and len(suggestion.text) <= LONGEST_SUGGESTION
        and len(suggestion.title) <= LONGEST_TITLE
        and len(suggestion.reason) <= LONGEST_REASON
    )
    if not is_good:
        raise BadInput(
            msg("The suggestion is empty, or longer than {count} characters.", count=LONGEST_SUGGESTION),
            next_step=msg(
                "Suggest one thing at a time, with a title of {title} and a reason of {reason} characters at most.",
                title=LONGEST_TITLE,
                reason=LONGEST_REASON,
            ),
        )
    return suggestion


def checked_outcome(outcome: Outcome) -> Outcome:
    """A report, of a client or the person, that says something and can be true; raises `BadInput`."""
    total, edited = outcome.fields_total, outcome.fields_edited
    has_numbers = total is not None or edited is not None
    is_counted = total is not None and edited is not None and 0 <= edited <= total <= MOST_FIELDS
    if (has_numbers and not is_counted) or len(outcome.cited) > MOST_CITED:
        raise no_outcome()
    if outcome.is_success is None and outcome.is_adopted is None and not has_numbers and not outcome.cited:
        raise BadInput(
            msg("Nothing was said of the answer."),
            next_step=msg("Say whether it was a success, was used, what was cited, or how many fields were edited."),
        )
    return outcome


def may_be_request(request_id: str) -> bool:
    """Whether a request may have such an id, so that it can be looked for."""
    return _REQUEST.fullmatch(request_id) is not None


def no_outcome() -> BadInput:
    """What somebody gets for a report that cannot be true."""
    return BadInput(
        msg("What became of this answer cannot be understood."),
        next_step=msg(
            "Give both numbers of fields, the edited ones being no more than all, and items by the ids that they"
            " came with."
        ),
    )


def as_logged(text: str | None) -> str | None:
    """Words as the log keeps them: no longer than could be asked in."""
    return None if text is None else text[:LONGEST_QUERY]


def _within(number: int, least: int, most: int, name: str) -> None:
    if not least <= number <= most:
        raise BadInput(
            msg("{name} is to be from {least} to {most}.", name=name, least=least, most=most),
            next_step=msg("Ask again with such a number, or leave it out."),
        )


def _wrong(name: str) -> BadInput:
    return BadInput(msg("{name} makes no sense.", name=name), next_step=msg("Ask again without it, or with less."))
