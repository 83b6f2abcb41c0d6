"""The gate into the database (X9.1, G8.2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.domain.entries import EventFacts, Occurrence, PersonRef, TaskFacts
from app.domain.errors import Bug
from app.domain.labels import EntryKind, Sensitivity, Status, Trust
from app.policy.admission import DEFAULT_RULES, Acquaintance, AdmissionRules, admit
from tests.unit.govern.makers import WHEN, entry, paragraph
from tests.unit.store.makers import source_info

SOURCE = source_info("src", trust=Trust.OWN_FILES, sensitivity=Sensitivity.INTERNAL)


def test_labels_come_from_the_source() -> None:
    admitted = admit(entry([paragraph("text")]), replace(SOURCE, scope="work", acl="team"))
    assert (admitted.scope, admitted.acl) == ("work", "team")
    assert admitted.sensitivity is Sensitivity.INTERNAL
    assert admitted.trust is Trust.OWN_FILES
    assert admitted.rule_version == DEFAULT_RULES.version


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"sensitivity": "highly_sensitive"}, Sensitivity.HIGHLY_SENSITIVE),
        ({"sensitivity": "public"}, Sensitivity.INTERNAL),
        ({"sensitivity": "nonsense"}, Sensitivity.INTERNAL),
        ({"class": "PRIVATE"}, Sensitivity.CONFIDENTIAL),
        ({"class": "PUBLIC"}, Sensitivity.INTERNAL),
    ],
)
def test_an_entry_can_raise_its_sensitivity_and_never_lower_it(metadata: dict[str, str], expected: Sensitivity) -> None:
    assert admit(entry(metadata=metadata), SOURCE).sensitivity is expected


def test_an_entry_cannot_choose_its_scope_or_its_trust() -> None:
    claims = {"scope": "work", "acl": "everyone", "trust": "user", "confidence": "1.0"}
    admitted = admit(entry(metadata=claims), SOURCE)
    assert (admitted.scope, admitted.acl, admitted.trust) == (SOURCE.scope, SOURCE.acl, SOURCE.trust)


def test_a_mail_is_not_trusted_like_ones_own_file() -> None:
    friend = Acquaintance(is_known=lambda address: address == "li@example.com", is_informed=lambda: True)
    nobody = Acquaintance(is_informed=lambda: True)
    sender = (PersonRef("Li Si", "Li@example.com", "author"),)
    assert admit(entry(kind=EntryKind.MAIL, people=sender), SOURCE, people=nobody).trust is Trust.STRANGER
    assert admit(entry(kind=EntryKind.MAIL), SOURCE).trust is Trust.STRANGER
    assert admit(entry(kind=EntryKind.MAIL, people=sender), SOURCE).trust is Trust.KNOWN_SENDER
    mail = admit(entry(kind=EntryKind.MAIL, people=sender), SOURCE, people=friend)
    own = admit(entry(kind=EntryKind.NOTE), SOURCE)
    assert mail.trust is Trust.KNOWN_SENDER
    assert mail.confidence < own.confidence


@pytest.mark.parametrize("kind", [EntryKind.EVENT, EntryKind.TASK])
@pytest.mark.parametrize(
    ("organiser", "expected"),
    [
        (None, Trust.OWN_FILES),
        ("Me@example.com", Trust.OWN_FILES),
        ("li@example.com", Trust.KNOWN_SENDER),
        ("eve@evil.example", Trust.STRANGER),
        ("", Trust.STRANGER),
    ],
)
def test_what_somebody_else_called_is_trusted_like_them(
    kind: EntryKind, organiser: str | None, expected: Trust
) -> None:
    me = Acquaintance(frozenset({"me@example.com"}), lambda address: address == "li@example.com")
    people = () if organiser is None else (PersonRef("Boss", organiser, "organizer"),)
    assert admit(entry(kind=kind, people=people), SOURCE, people=me).trust is expected


def test_what_came_from_the_web_is_trusted_least() -> None:
    assert admit(entry(metadata={"origin": "web"}), SOURCE).trust is Trust.WEB


def test_a_lower_trust_of_the_source_stays() -> None:
    stranger = replace(SOURCE, trust=Trust.STRANGER)
    assert admit(entry(kind=EntryKind.MAIL), stranger).trust is Trust.STRANGER


def test_an_entry_of_another_source_is_refused() -> None:
    with pytest.raises(Bug):
        admit(entry(source_id="other"), SOURCE)


@pytest.mark.parametrize("missing", ["native_id", "content_hash", "source_uri"])
def test_an_entry_without_provenance_is_refused(missing: str) -> None:
    with pytest.raises(Bug):
        admit(entry(**{missing: ""}), SOURCE)


def test_a_time_without_offset_is_refused_wherever_it_stands() -> None:
    naive = datetime(2025, 5, 10, 9, 0)  # noqa: DTZ001
    end = WHEN + timedelta(hours=1)
    bad = [
        entry(updated_at=naive),
        entry(event_time=naive),
        entry(task=TaskFacts(Status.ACTIVE, due_at=naive)),
        entry(event=EventFacts("", (Occurrence(naive, end, is_all_day=False),), is_recurring=False)),
    ]
    for candidate in bad:
        with pytest.raises(Bug):
            admit(candidate, SOURCE)


def test_rules_must_say_a_confidence_for_every_trust() -> None:
    with pytest.raises(ValueError, match="WEB"):
        AdmissionRules("mine", {trust: 0.5 for trust in Trust if trust is not Trust.WEB})
    with pytest.raises(ValueError, match="USER"):
        AdmissionRules("mine", dict.fromkeys(Trust, 0.5) | {Trust.USER: 1.5})
