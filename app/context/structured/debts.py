"""Who owes money to whom, answered from the ledger, with what is settled told as settled (G3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.context.structured.debt_ledger import MYSELF, NEARLY, ledger
from app.context.structured.people import Someone, people_called
from app.context.structured.question_rules import Kind
from app.context.structured.same_name import may_be_one
from app.context.structured.scene import MOST_LINES, Draft
from app.context.structured.several import several
from app.govern.understanding.voices import without_label
from app.store.name_keys import name_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.context.structured.debt_ledger import Owing, Party
    from app.context.structured.forms import Asked
    from app.context.structured.scene import Scene

DEBTS = "debts"
_MOST_SETTLED = 4


def answer_debts(scene: Scene, asked: Asked) -> Draft | None:
    """Who owes money to whom; None where no debt of the sort is known."""
    who: Someone | None = None
    if asked.who:
        people = people_called(scene.reader, asked.who, scene.visible)
        if len(people) > 1:
            return several(scene, asked.who, people, DEBTS)
        who = people[0] if people else Someone(asked.who, (), keys=frozenset({name_key(asked.who)}))
    chosen = [one for one in ledger(scene) if _is_wanted(asked.kind, one, who)]
    if asked.about:
        fitting = scene.fitting([_whole(scene, one) for one in chosen])
        about = [one for one, fits in zip(chosen, fitting, strict=True) if fits]
        # between two people there are few debts, and each says itself what it is for
        chosen = about or (chosen if who is not None else [])
    if who is None and any(not one.is_settled for one in chosen):
        chosen = [one for one in chosen if not one.is_settled]
    if not chosen:
        return None
    draft = Draft(scene, DEBTS)
    say_debts(draft, chosen)
    return draft


def _whole(scene: Scene, one: Owing) -> str:
    """All that is said of a debt, with what paid it."""
    records = [one.record, *([one.ended] if one.ended is not None else [])]
    return " ".join(f"{scene.title_of(record.entry_id)} {record.text}" for record in records)


def debts_of(scene: Scene, kind: Kind, who: Someone | None) -> list[Owing]:
    """The debts that belong into an answer about what is owed."""
    return [one for one in ledger(scene) if _is_wanted(kind, one, who)]


def say_debts(draft: Draft, chosen: Iterable[Owing]) -> None:
    """Those that are open, then those that are settled, then the sum of several that are open."""
    some = list(chosen)
    still = [one for one in some if not one.is_settled]
    for one in [*still[:MOST_LINES], *[one for one in some if one.is_settled][-_MOST_SETTLED:]]:
        citations = [draft.cite_record(one.record), "" if one.ended is None else draft.cite_record(one.ended)]
        draft.say(_line(draft.scene, one), *citations)
    money = {one.amount.currency for one in still if one.amount is not None}
    pairs = {(one.debtor and one.debtor.key, one.creditor and one.creditor.key) for one in still}
    if len(still) > 1 and len(money) == 1 and len(pairs) == 1 and all(one.left for one in still):
        total = sum(one.left or 0.0 for one in still)
        draft.say(draft.scene.words.total.format(total=f"{_figure(total)} {money.pop()}".strip()))


def _line(scene: Scene, one: Owing) -> str:
    words = scene.words
    amount = one.amount.text if one.amount is not None else words.money
    debtor, creditor = _called(scene, one.debtor), _called(scene, one.creditor)
    if one.debtor is not None and one.debtor.key == MYSELF:
        line = words.i_owe.format(who=creditor, amount=amount)
    elif one.creditor is not None and one.creditor.key == MYSELF:
        line = words.owes_me.format(who=debtor, amount=amount)
    else:
        line = words.owes.format(debtor=debtor, creditor=creditor, amount=amount)
    texts = [one.loan.text] if one.loan is not None else []
    said = " ".join(without_label(" ".join(text.split())) for text in dict.fromkeys([*texts, one.record.text]))
    day = "" if one.said_at is None else f" ({scene.day(one.said_at)})"
    line = f"{line}: “{said}”{day}" if scene.language == "en" else f"{line}：“{said}”{day}"
    if one.is_settled:
        when = one.ended.valid_from if one.ended is not None else one.record.completed_at
        day = words.some_day if when is None else scene.day(when)
        return words.settled.format(day=day, said=line)
    if one.amount is not None and one.left is not None and abs(one.left - one.amount.value) > NEARLY:
        return f"{line} - {words.partly_paid.format(left=f'{_figure(one.left)} {one.amount.currency}'.strip())}"
    return line


def _figure(value: float) -> str:
    """A sum in full, with its cents where it has any."""
    return f"{value:.2f}".removesuffix(".00")


def _called(scene: Scene, party: Party | None) -> str:
    if party is None:
        return scene.words.somebody
    name = party.name or scene.words.you
    return f" {name} " if scene.language == "zh" and name.isascii() else name


def _is_wanted(kind: Kind, one: Owing, who: Someone | None) -> bool:
    is_mine = one.debtor is not None and one.debtor.key == MYSELF
    is_owed_to_me = one.creditor is not None and one.creditor.key == MYSELF
    if kind in {Kind.MINE, Kind.I_OWE, Kind.OVERDUE}:
        return is_mine and _is_party(one.creditor, who)
    if kind in {Kind.THEIRS, Kind.OWED, Kind.WAITING}:
        return is_owed_to_me and _is_party(one.debtor, who)
    return _is_party(one.debtor, who) or _is_party(one.creditor, who)


def _is_party(party: Party | None, who: Someone | None) -> bool:
    if who is None:
        return True
    if party is None or party.key == MYSELF:
        return False
    if party.key in {f"p{number}" for number in who.ids} or who.is_called(party.name):
        return True
    return any(may_be_one(party.name, name) for name in (who.name, *who.addresses))
