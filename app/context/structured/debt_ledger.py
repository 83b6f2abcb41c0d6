"""The ledger of debts of money, as texts tell them: who owes whom how much, and what was paid back (G2.4).

A debt is a task of whoever owes it; a payment is one that is done. Both are read again from their sentences, so that
parties and sums need no rows of their own, and are told as the viewer's entries tell them (G4.3). What was said of the
same sum between the same two twice is one debt; a payment ends what was owed before it, a part of the sum a part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.context.structured.people import people_called
from app.context.structured.same_name import may_be_one
from app.context.structured.standing import standing_records
from app.domain.labels import Status
from app.domain.records import RecordKind, Subject
from app.govern.understanding.debts import ME, YOU, find_debts
from app.govern.understanding.voices import OWN, Talk, without_label
from app.store.change_rows import Which, changes
from app.store.exact import stated_ids
from app.store.name_keys import name_key
from app.store.reading import entry_passages, people_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.context.structured.scene import Scene
    from app.govern.understanding.debts import Debt, Sum
    from app.store.records import StoredRecord

MYSELF = "#me"
NEARLY = 0.005
"""Sums that differ by less are one."""
_GONE = frozenset({Status.CANCELED, Status.SUPERSEDED})
_SHORTEST_WORD = 3


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a debt. `key`: the same for the same person; `name`: as they are called, "" for the person."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Owing:
    """A debt, or a payment.

    Attributes:
        debtor, creditor: None for somebody whom nothing names.
        left: what is still owed of it, in its currency; None where no sum is told.
        ended: the payment that settled it, or a part of it. loan: where its sum is told.
    """

    record: StoredRecord
    debtor: Party | None
    creditor: Party | None
    amount: Sum | None
    left: float | None
    is_payment: bool = False
    is_mutual: bool = False
    is_settled: bool = False
    ended: StoredRecord | None = None
    loan: StoredRecord | None = None

    @property
    def said_at(self) -> datetime | None:
        """When it was said."""
        return self.record.valid_from


def ledger(scene: Scene) -> list[Owing]:
    """Every debt of visible entries, in the order in which they were said, with what of it is settled."""
    ids = stated_ids(scene.reader, scene.seen, {RecordKind.TASK})
    told: list[Owing] = []
    resolver = _Resolver(scene)
    for record in reversed(standing_records(scene, ids)):
        told += resolver.owings(record)
    debts: list[Owing] = []
    for one in _with_loans(sorted(told, key=_moment)):
        if one.is_payment:
            debts = _paid(debts, one)
        elif (known := _same(debts, one)) is None:
            debts.append(one)
        elif one.record.entry_id != debts[known].record.entry_id and one.is_settled and not debts[known].is_settled:
            debts[known] = replace(debts[known], is_settled=True, ended=one.record)
    return debts


def _moment(one: Owing) -> tuple[float, int]:
    return (0.0 if one.said_at is None else one.said_at.timestamp(), one.record.ordinal)


def _with_loans(told: Sequence[Owing]) -> list[Owing]:
    """Who got a sum and says in the same text that they will pay it back, borrowed it."""
    found = list(told)
    for one in told:
        if one.is_payment or one.amount is not None:
            continue
        loan = next((other for other in told if _is_loan(other, one)), None)
        if loan is not None:
            found.remove(loan)
            found[found.index(one)] = replace(one, amount=loan.amount, left=loan.left, loan=loan.record)
    return found


def _is_loan(other: Owing, one: Owing) -> bool:
    """Whether a payment is what a promise to pay back in the same text speaks of."""
    if not other.is_payment or other.amount is None or other.record.entry_id != one.record.entry_id:
        return False
    return _fits(other.debtor, one.creditor) and _fits(other.creditor, one.debtor)


def is_debt(record: StoredRecord) -> bool:
    """Whether a task is a debt of money, or a payment."""
    return record.kind is RecordKind.TASK and bool(find_debts(without_label(record.text)))


class _Resolver:
    """Says who the parties of a debt are; reads each entry once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._talks: dict[int, Talk] = {}
        self._parties: dict[str, Party] = {}

    def owings(self, record: StoredRecord) -> list[Owing]:
        found = find_debts(without_label(record.text))
        chosen = [one for one in found if one.is_settled == (record.status is Status.DONE)] or found
        # of several in one sentence that which the record is of
        exact = [one for one in chosen if _says(record, without_label(record.text), one)]
        debt = next(iter(exact or chosen), None)
        if debt is None or record.superseded_by is not None or record.status in _GONE:
            return []
        voice = self._talk(record.entry_id)
        place = max(voice.text.find(record.title[:40]), 0)
        said = voice.at(place)
        names = {ME: said.speaker, YOU: said.addressee}
        debtor, creditor = (self._party(names.get(one, one or None)) for one in (debt.debtor, debt.creditor))
        if debt.debtor == "" and record.owner:
            debtor = self._party(record.owner)
        is_done = record.status is Status.DONE and not debt.is_settled and self._is_marked(record)
        left = debt.amount.value if debt.amount is not None and debt.amount.value else None
        return [
            Owing(
                record,
                debtor,
                creditor,
                debt.amount,
                left,
                is_payment=debt.is_settled,
                is_mutual=debt.is_mutual,
                is_settled=is_done,
            )
        ]

    def _is_marked(self, record: StoredRecord) -> bool:
        """Whether a person marked it done: what ends a debt is a payment, and no other word of something done."""
        which = Which(subject=Subject.RECORD, subject_ids=(record.record_id,), is_standing=True, is_suggestion=False)
        return any(one.cause_id is None for one in changes(self._scene.reader, which))

    def _talk(self, entry_id: int) -> Talk:
        if entry_id not in self._talks:
            scene = self._scene
            text = "\n\n".join(one.text for one in entry_passages(scene.reader, entry_id, scene.seen))
            people = people_of(scene.reader, entry_id, is_owner=False)
            authors = [name for name, role in people if role == "author" and name]
            others = [name for name, role in people if role != "author" and name]
            kind = scene.kind_of(entry_id)
            assert kind is not None  # noqa: S101 - the record was read from it
            self._talks[entry_id] = Talk(kind, text, authors, others)
        return self._talks[entry_id]

    def _party(self, name: str | None) -> Party | None:
        if name is None:
            return None
        if name == OWN or self._scene.is_me(name):
            return Party(MYSELF, "")
        if name not in self._parties:
            people = people_called(self._scene.reader, name, self._scene.visible)
            one = people[0] if len(people) == 1 else None
            is_me = one is not None and self._scene.me is not None and bool(set(one.ids) & set(self._scene.me.ids))
            key = name_key(name) if one is None or not one.ids else f"p{one.ids[0]}"
            self._parties[name] = Party(MYSELF, "") if is_me else Party(key, name if one is None else one.name)
        return self._parties[name]


def _says(record: StoredRecord, sentence: str, debt: Debt) -> bool:
    return " ".join(sentence[debt.start : debt.end].split())[:30] in record.title


def _same(debts: Sequence[Owing], one: Owing) -> int | None:
    """The debt that is told once more: of the same two, of the same sum, and not settled before."""
    for at, other in enumerate(debts):
        if other.is_settled or not _between(other, one) or other.amount is None or one.amount is None:
            continue
        if abs((other.left or 0.0) - one.amount.value) < NEARLY and not _differ(other, one):
            return at
    return None


def _differ(one: Owing, other: Owing) -> bool:
    """Whether two are said to be for different things."""
    first, second = _purpose(one), _purpose(other)
    return bool(first) and bool(second) and not first & second


def _purpose(one: Owing) -> set[str]:
    """The words behind the sum: "for the tickets"."""
    text = without_label(one.record.text)
    at = text.find(one.amount.text) if one.amount is not None else -1
    behind = text[at + len(one.amount.text) :] if at >= 0 and one.amount is not None else ""
    head, gap, rest = behind.partition(" for ")
    del head
    return {word.strip(".,;!").casefold() for word in rest.split()[:6] if gap and len(word) > _SHORTEST_WORD}


def _between(one: Owing, other: Owing) -> bool:
    """Whether two are of the same debtor and creditor; who is not named may be anybody."""
    return _fits(one.debtor, other.debtor) and _fits(one.creditor, other.creditor)


def _fits(one: Party | None, other: Party | None) -> bool:
    if one is None or other is None or one.key == other.key:
        return True
    return MYSELF not in {one.key, other.key} and may_be_one(one.name, other.name)


def _paid(debts: list[Owing], payment: Owing) -> list[Owing]:
    """The debts behind a payment."""
    found = list(debts)
    open_ones = [at for at, one in enumerate(found) if not one.is_settled and _is_for(one, payment)]
    value = payment.amount.value if payment.amount is not None else None
    if not value:
        settled = open_ones
    else:
        alike = [at for at in open_ones if _is_same_money(found[at], payment)]
        settled = [at for at in alike if abs((found[at].left or 0.0) - value) < NEARLY][:1]
        if not settled and alike and abs(sum(found[at].left or 0.0 for at in alike) - value) < NEARLY:
            settled = alike
        if not settled and len(alike) == 1 and 0 < value < (found[alike[0]].left or 0.0):
            found[alike[0]] = replace(found[alike[0]], left=(found[alike[0]].left or 0.0) - value, ended=payment.record)
    for at in settled:
        found[at] = replace(found[at], is_settled=True, left=0.0, ended=payment.record)
    return found


def _is_for(one: Owing, payment: Owing) -> bool:
    return _between(one, payment) or (
        payment.is_mutual and _fits(one.debtor, payment.creditor) and _fits(one.creditor, payment.debtor)
    )


def _is_same_money(one: Owing, payment: Owing) -> bool:
    if one.amount is None or payment.amount is None:
        return False
    return one.amount.currency == payment.amount.currency or not (one.amount.currency and payment.amount.currency)
