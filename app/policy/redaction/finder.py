"""Everything personal in a text, from the rules and from the names that a model found (L5.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.text import msg
from app.policy.redaction.accounts import find_accounts
from app.policy.redaction.bank import find_bank_data
from app.policy.redaction.birth import find_birth_and_money
from app.policy.redaction.chinese_jobs import find_chinese_jobs
from app.policy.redaction.chinese_organisations import (
    find_chinese_organisations,
    find_known_organisations,
    is_about_work,
)
from app.policy.redaction.chinese_people import find_chinese_people
from app.policy.redaction.chinese_places import find_chinese_addresses, find_chinese_cities
from app.policy.redaction.contacts import find_contacts
from app.policy.redaction.findings import Finding, Kind, join_addresses, merge
from app.policy.redaction.folding import fold
from app.policy.redaction.identity_numbers import find_identity_numbers
from app.policy.redaction.letters import find_letter_blocks
from app.policy.redaction.model_names import find_names_of_model
from app.policy.redaction.phones import find_phones
from app.policy.redaction.secrets import find_secrets
from app.policy.redaction.self_references import find_self_references
from app.policy.redaction.terms import find_terms
from app.policy.redaction.western_people import find_western_names
from app.policy.redaction.western_places import find_western_addresses, find_western_places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.readings import TextSpan

LONGEST_TEXT = 50_000
"""Characters that are looked through at once; a longer text is refused rather than let out unseen."""

_HAN = re.compile("[\u4e00-\u9fff]")
_IDENTIFYING = frozenset(
    {
        Kind.SELF,
        Kind.PERSON,
        Kind.ORGANISATION,
        Kind.PLACE,
        Kind.NAME,
        Kind.JOB,
        Kind.AGE,
        Kind.GENDER,
        Kind.MONEY,
        Kind.ETHNICITY,
        Kind.URL,
    }
)


@dataclass(frozen=True, slots=True)
class RedactionPolicy:
    """How much is kept back.

    Attributes:
        kinds: what is redacted; the others stay.
        least_confidence: from which confidence a model's name counts, 0..1.
    """

    kinds: frozenset[Kind]
    least_confidence: float = 0.6


STRICT = RedactionPolicy(frozenset(Kind))
"""All that tells of a person, names of any kind and words of belonging included: what leaves is unrecognisable."""

NUMBERS_AND_SECRETS = RedactionPolicy(frozenset(Kind) - _IDENTIFYING)
"""What exposes somebody by itself: numbers, addresses, secrets, health and beliefs. Names stay."""


def find_personal(text: str, names: Sequence[TextSpan] = (), policy: RedactionPolicy = STRICT) -> tuple[Finding, ...]:
    """All that is personal in a text, in order and apart from each other.

    Args:
        text: at most `LONGEST_TEXT` characters.
        names: what a model of names found in it; the rules work without.
        policy: what counts.

    Raises:
        BadInput: the text is too long to be looked through.
    """
    require_readable(text)
    folded = fold(text)
    found = [Finding(*folded.original(one.start, one.end), one.kind, one.weight) for one in _by_rules(folded.text)]
    found += find_names_of_model(text, names, found, least_confidence=policy.least_confidence)
    return join_addresses(merge(one for one in found if one.kind in policy.kinds), text)


def require_readable(text: str) -> None:
    """Raise `BadInput` for a text that is too long to be looked through."""
    if len(text) > LONGEST_TEXT:
        raise BadInput(
            msg("The text is too long to be looked through for personal data."),
            next_step=msg("Send it in parts of at most {characters} characters.", characters=LONGEST_TEXT),
        )


def _by_rules(text: str) -> list[Finding]:
    found = [
        *find_contacts(text),
        *find_secrets(text),
        *find_phones(text),
        *find_identity_numbers(text),
        *find_bank_data(text),
        *find_accounts(text),
        *find_birth_and_money(text),
        *find_terms(text),
        *find_self_references(text),
        *find_western_addresses(text),
        *find_letter_blocks(text),
        *find_western_places(text),
        *find_western_names(text),
    ]
    if _HAN.search(text):
        found += find_chinese_addresses(text)
        found += find_chinese_people(text)
        found += find_chinese_jobs(text)
        found += find_chinese_organisations(text)
        has_person = any(one.kind is Kind.PERSON for one in found)
        if has_person:
            found += find_chinese_cities(text)
        if has_person or is_about_work(text):
            found += find_known_organisations(text)
    return found
