"""The step of understanding that finds out who and what an entry names, and who is who (G2.4, X9.3).

In `apply`: the card and the people of the entry are linked first, so that its conversation is known; then every name in
its text finds its entity: a participant, or the entity of the bare name; then follow jobs, roles and projects. Earlier
entries whose names may now mean somebody are decided again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.text import msg
from app.govern.people import linking
from app.govern.people.addresses import own_domain
from app.govern.people.again import look_again
from app.govern.people.jobs import Statement, find_statements
from app.govern.people.keys import organisation_key
from app.govern.people.meant import Meant, Told
from app.govern.people.mentions import Mention, find_mentions
from app.govern.people.own_names import names_of
from app.govern.people.rules import rules
from app.govern.people.settling import known_by, settle_names
from app.store import entities
from app.store.merges import RULES, Reason, merge, withdraw
from app.store.records import records_of
from app.store.rows import stamp
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.govern.understanding.contract import Understood
    from app.store.connection import Reader, Writer

_SAME_DOMAIN = msg("People of both have their addresses at the same domain")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a text names, and what it says of it."""

    mentions: Sequence[Mention] = ()
    statements: Sequence[Statement] = ()


class PeopleStep:
    """See the module docstring."""

    @property
    def version(self) -> str:
        """Of resources/rules/entities.toml."""
        return rules().version

    def look(self, reader: Reader, understood: Understood) -> Seen:  # noqa: ARG002 - as every step is called
        """Take the names out of the text; reads nothing."""
        entry, spans = understood.entry, understood.extraction.spans
        mentions = find_mentions(entry.text, spans, entry.passages)
        return Seen(mentions, find_statements(entry.text, mentions, spans))

    def apply(self, tx: Writer, understood: Understood, found: object, now: datetime) -> None:
        """Write it; what an earlier version of the rules wrote for this entry is replaced."""
        assert isinstance(found, Seen)  # noqa: S101 - made by `look`
        note_rules(tx, self.version, now=now)
        linking.begin_version(tx)
        _Writing(tx, understood, now).write(found)


class _Writing:
    """One entry's turn."""

    def __init__(self, tx: Writer, understood: Understood, now: datetime) -> None:
        self._tx = tx
        self._understood = understood
        self._entry = understood.entry
        self._now = now
        told = Told(self._entry.entry_id, self._entry.thread, self._entry.sensitivity)
        self._meant = Meant(tx, told, now)

    def write(self, seen: Seen) -> None:
        self._forget()
        changed = linking.link_card(self._tx, self._entry.entry_id, self._entry.trust, now=self._now)
        for entity_id in self._people():
            changed |= linking.link(self._tx, entity_id, now=self._now)
        self._write_card_job()
        for mention in seen.mentions:
            self._relate(self._entity_of(mention), entities.MENTIONS, mention.text, mention)
        for statement in seen.statements:
            self._state(statement)
        # who takes part in it was looked at as such already
        for entity_id in set(known_by(self._tx, self._entry.entry_id)) - changed:
            changed |= settle_names(self._tx, names_of(self._tx, entity_id), [entity_id], self._now)
        self._fill_records(seen.mentions)
        look_again(self._tx, self._entry.entry_id, changed | self._meant.changed, self._now)

    def _forget(self) -> None:
        marks = ", ".join("?" * len(entities.UNDERSTOOD))
        entry_id = self._entry.entry_id
        self._tx.run(
            f"DELETE FROM relation WHERE entry_id = ? AND predicate IN ({marks})",  # noqa: S608 - places alone
            entry_id,
            *entities.UNDERSTOOD,
        )
        rows = self._tx.rows(
            "SELECT merge_id FROM entity_merge WHERE entry_id = ? AND actor = ? AND undone_at IS NULL", entry_id, RULES
        )
        withdraw(self._tx, [row[0] for row in rows])

    def _people(self) -> list[int]:
        rows = self._tx.rows(
            "SELECT DISTINCT subject_id FROM relation JOIN entity ON entity_id = subject_id"
            " WHERE entry_id = ? AND entity_type = 'person'",
            self._entry.entry_id,
        )
        return [row[0] for row in rows]

    def _entity_of(self, mention: Mention) -> int:
        return self._meant.entity(mention.entity_type, mention.key, mention.text, mention.name)

    def _relate(
        self, subject: int, predicate: str, text: str | None, mention: Mention, target: int | None = None
    ) -> None:
        self._insert((subject, predicate, target, text), mention.chunk_id, mention.span.confidence)

    def _insert(self, what: tuple[int, str, int | None, str | None], chunk_id: int | None, confidence: float) -> None:
        self._tx.insert(
            "INSERT INTO relation (subject_id, predicate, object_id, object_text, entry_id, chunk_id, valid_from,"
            " confidence, rule_version, trust) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *what,
            self._entry.entry_id,
            chunk_id,
            stamp(self._entry.written_at),
            confidence,
            rules().version,
            int(self._entry.trust),
        )

    def _state(self, statement: Statement) -> None:
        subject = self._entity_of(statement.subject)
        target = None if statement.target is None else self._entity_of(statement.target)
        chunk_id = statement.subject.chunk_id
        self._insert((subject, statement.predicate, target, statement.text), chunk_id, statement.confidence)

    def _write_card_job(self) -> None:
        """What a contact card says of somebody's work; its domain ties the names of the organisation together."""
        rows = self._tx.rows(
            "SELECT subject_id, predicate, object_text FROM relation WHERE entry_id = ? AND predicate IN (?, ?)",
            self._entry.entry_id,
            entities.CARD_ORGANISATION,
            entities.CARD_ROLE,
        )
        confidence = rules().confidence["card_job"]
        for card, predicate, text in rows:
            key = organisation_key(text)
            if predicate == entities.CARD_ROLE:
                self._insert((card, entities.ROLE_OF, None, text), None, confidence)
            elif key:
                organisation = self._meant.bare(entities.ORGANISATION, key, text)
                self._insert((card, entities.WORKS_AT, organisation, None), None, confidence)
                self._tie_by_domain(card, organisation)

    def _tie_by_domain(self, card: int, organisation: int) -> None:
        rows = self._tx.rows(
            "SELECT object_text FROM relation WHERE entry_id = ? AND subject_id = ? AND predicate = ?",
            self._entry.entry_id,
            card,
            entities.CARD_ADDRESS,
        )
        for domain in {own_domain(row[0]) for row in rows if row[0]} - {""}:
            entities.add_alias(self._tx, organisation, "domain", domain)
            others = self._tx.rows(
                "SELECT entity_id, name FROM alias JOIN entity USING (entity_id) WHERE kind = 'domain' AND value = ?"
                " AND entity_id <> ? LIMIT 5",
                domain,
                organisation,
            )
            own = self._tx.value("SELECT name FROM entity WHERE entity_id = ?", organisation)
            # one name in each script; two in one script are two companies of one house
            if len(others) == 1 and own.isascii() != others[0][1].isascii():
                reason = Reason(
                    _SAME_DOMAIN, rules().confidence["domain"], RULES, rules().version, self._entry.entry_id
                )
                merge(self._tx, organisation, others[0][0], reason, now=self._now)

    def _fill_records(self, mentions: Sequence[Mention]) -> None:
        """Tell the records of this entry whose they are, and of which project."""
        by_place = {(mention.span.start, mention.span.end): mention for mention in mentions}
        projects = {
            record_id: by_place.get((record.project.start, record.project.end))
            for record_id, record in zip(self._understood.record_ids, self._understood.extraction.records, strict=False)
            if record.project is not None
        }
        for record in records_of(self._tx, self._entry.entry_id):
            owner_id = self._meant.owner(record.owner)
            project = projects.get(record.record_id)
            project_id = None if project is None else self._entity_of(project)
            self._tx.run(
                "UPDATE record SET owner_id = ?, project_id = ? WHERE record_id = ?",
                owner_id,
                project_id,
                record.record_id,
            )
            if owner_id is not None and project_id is not None:
                what = (owner_id, entities.MEMBER_OF, project_id, None)
                self._insert(what, record.chunk_id, rules().confidence["shared_record"])
