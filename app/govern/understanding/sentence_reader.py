"""Reads what the sentences of an entry state: tasks, debts, decisions, plans, conditions (G2.4, G2.7)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind, Status
from app.domain.readings import DateKind, SpanLabel, TextSpan
from app.domain.records import RecordKind
from app.govern.clauses import find_decisions, sentences
from app.govern.extraction import Record, without_date
from app.govern.understanding.conditionals import Conditional, find_conditionals
from app.govern.understanding.debts import ME, YOU, Debt, find_debts
from app.govern.understanding.items import Item, find_items, without_deadline
from app.govern.understanding.plans import Plan, find_plan
from app.govern.understanding.rules import understanding_rules
from app.govern.understanding.statements import Statement
from app.govern.understanding.tables import Row, find_rows
from app.govern.understanding.tasks import Due, coming, due_of, is_owner, is_task, owner_before, promised, requested
from app.govern.understanding.voices import talk_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from app.domain.readings import DateReading
    from app.govern.extraction import Extraction
    from app.govern.understanding.contract import StoredEntry

_OWN = frozenset({EntryKind.NOTE, EntryKind.MAIL, EntryKind.CHAT, EntryKind.VOICE})
_CODE = re.compile(
    r"[{}<>]\s{0,4}$|^\s{0,4}(?:#include|import |from \w+ import|def |class |return\b|const |let |var |public |"
    r"private |SELECT |\$ |>>> )"
    r"|\w\(.*\)\s{0,4};?\s{0,4}$|[=!]=|=>|->|::|</"
)
_PASSED_OVER = re.compile(r"^\s{0,40}(?:>|[-*+]?\s{0,3}\[[ xX]\]\s)")
_PASSED_OVER_FIRST = 40
_ONLY_OBJECT, _VERB_WITHIN, _STOPS = 8, 24, "，。；！？,;!?（(\n"
_EDGES = " \t\r\n,.;:!?，。；：！？、-*•"
_VALID = re.compile(
    r"\b(?:valid|good|open|available|on sale|on offer|runs?|lasts?|holds?)\s{1,4}"
    r"(?:only\s{1,4})?(?:until|till|through|to|up to)\s{0,4}$"
    r"|\b(?:expires?|ends?)\s{1,4}(?:on|at|in)?\s{0,4}$"
    r"|有效期?(?:至|到|截至|截止到?)[:：]?\s{0,4}$|(?:截止到?|截至|到期日)[:：]?\s{0,4}$",
    re.IGNORECASE,
)
_VALID_BEHIND = re.compile(r"^\s{0,4}(?:之?前)?(?:有效|到期|过期|失效)")
# who decided, or the heading of a decision: "可让你决定" and "决定于" are no decisions
_DECIDED = re.compile(
    r"\b(?:decided|agreed|resolved)\s{1,4}(?:to |that |on )?$|\bconcluded that $"
    r"|\b(?:decisions?|decided|agreed|resolved)\s{0,4}[:：]\s{0,4}$"
    r"|(?:^|[，。；：\s]|会议|会上|大家|我们|双方|团队|小组|公司|董事会|委员会|部门|一致|最终|最后|讨论|已经?)"
    r"(?:一致|共同|最终|最后|已经?|讨论后?)?(?:决定|商定|议定|拍板|一致同意|决议|结论)[:：，,]?\s{0,4}$",
    re.IGNORECASE,
)
_OPEN_QUESTION = re.compile(r"\b(?:whether|which|how|what|when|who)\b|哪|什么|如何|是否|怎么|^[是了着]", re.IGNORECASE)
_CONDITION_CONFIDENCE = 0.8
_TABLE_CONFIDENCE = 0.9
_DEBT_CONFIDENCE = 0.85
_SPOKEN = frozenset({EntryKind.MAIL, EntryKind.CHAT})
_NEAR_DATE = 40


class SentenceReader:
    """Goes through the sentences of one entry."""

    def __init__(self, entry: StoredEntry, extraction: Extraction) -> None:
        self._entry = entry
        self._text = entry.text
        self._extraction = extraction
        self._people = [span for span in extraction.spans if span.label == SpanLabel.PERSON]
        self._talk = talk_of(entry)
        self._rows = [
            row
            for passage in entry.passages
            if passage.place.is_own_words
            for row in find_rows(entry.text, passage.start, passage.end)
        ]
        self._items = [
            item
            for passage in entry.passages
            if passage.place.is_own_words
            for item in find_items(entry.text, passage.start, passage.end, passage.place.heading_path)
        ]
        self._sentences = list(self._own_sentences())

    def statements(self) -> Iterator[Statement]:
        """What its own sentences, rows of tables and items of lists state, in no order."""
        for row in self._rows:
            yield self._of_row(row)
        for item in self._items:
            yield self._of_item(item)
        for start, end in self._sentences:
            yield from self._of_sentence(start, end)

    def valid_to(self) -> datetime | None:
        """Of an entry that is short, and says of something until when it holds."""
        if len(self._text) > understanding_rules().limits.whole_entry_characters:
            return None
        ends = [end for start, last in self._sentences if (end := self._end_of_validity(start, last)) is not None]
        return max(ends, default=None)

    def _own_sentences(self) -> Iterator[tuple[int, int]]:
        taken = [(row.start, row.end) for row in self._rows] + [(item.start, item.end) for item in self._items]
        for passage in self._entry.passages:
            if not passage.place.is_own_words:
                continue
            for sentence in sentences(self._text[passage.start : passage.end]):
                start, end = passage.start + sentence.start, passage.start + sentence.end
                head = self._text[start:end]
                if any(first < end and start < last for first, last in taken):
                    continue
                if not head.strip() or _PASSED_OVER.match(head[:_PASSED_OVER_FIRST]) or _CODE.search(head.strip()):
                    continue
                yield start, end

    def _of_row(self, row: Row) -> Statement:
        """A task of a table of actions; the day in its column is its last one, also where that is over."""
        span = TextSpan(row.task[0], row.task[1], SpanLabel.TASK, _TABLE_CONFIDENCE)
        dates = [] if row.due is None else self._extraction.dates
        date = next((one for one in dates if row.due and row.due[0] <= one.start < row.due[1] and one.candidates), None)
        best = None if date is None else date.candidates[0]
        moment = None if best is None else best.end or best.start
        due = None if best is None or moment is None else Due(moment, _is_whole_days(moment, moment), best.score)
        record = Record(SpanLabel.TASK, span, due=date)
        found = self._task((row.start, row.end), record, row.owner, due)
        return replace(found, status=Status.DONE) if row.is_done else found

    def _of_item(self, item: Item) -> Statement:
        """A point of a list of things to do."""
        dates = [one for one in self._extraction.dates if item.start <= one.start < item.end and one.candidates]
        date = next((one for one in dates if one.is_deadline), dates[0] if dates else None)
        stop = without_deadline(self._text, *item.task, None if date is None else date.start)
        span = TextSpan(item.task[0], stop, SpanLabel.TASK, _TABLE_CONFIDENCE)
        due = due_of(date, self._entry.written_at, (span.end, span.end))
        return self._task((item.start, item.end), Record(SpanLabel.TASK, span, due=date), item.owner, due)

    def _of_sentence(self, start: int, end: int) -> Iterator[Statement]:
        text = self._text[start:end]
        dates = [date for date in self._extraction.dates if start <= date.start < end]
        conditionals = [_moved(one, start) for one in find_conditionals(text)]
        plan = find_plan(self._text, start, end, dates)
        debts = [self._debt((start, end), one, dates) for one in find_debts(text)]
        found: list[Statement] = debts or [*self._tasks((start, end), dates, conditionals)]
        found += self._plans((start, end), plan, conditionals)
        found += self._decisions((start, end), plan, conditionals)
        found += [self._condition((start, end), one, dates) for one in conditionals]
        valid_to = self._end_of_validity(start, end)
        yield from (replace(one, valid_to=valid_to) if valid_to is not None else one for one in found)

    def _tasks(
        self, sentence: tuple[int, int], dates: Sequence[DateReading], conditionals: Sequence[Conditional]
    ) -> Iterator[Statement]:
        if asked := self._request(sentence, dates):
            yield asked
            return
        if self._text[slice(*sentence)].rstrip()[-1:] in "?？":
            return
        has_any = False
        for record in self._records(SpanLabel.TASK, sentence):
            span = record.span
            if _is_hypothetical(span, conditionals):
                continue
            owner = self._owner(record, sentence)
            due = due_of(
                record.due, self._entry.written_at, (span.start, span.end), is_apart=self._is_apart(record.due, span)
            )
            is_owed = owner is not None or due is not None
            is_own = self._entry.kind in _OWN
            if is_task(self._text, span, self._before(record, sentence), is_owed=is_owed, is_own=is_own):
                has_any = True
                yield self._task(sentence, record, owner, due)
        if not has_any:
            yield from self._promises(sentence, dates, conditionals)

    def _request(self, sentence: tuple[int, int], dates: Sequence[DateReading]) -> Statement | None:
        """What somebody asks for in a mail or a chat, as a question or a favour."""
        found = requested(self._text, *sentence) if self._entry.kind in _SPOKEN else None
        if found is None:
            return None
        span = TextSpan(found[0], found[1], SpanLabel.TASK, understanding_rules().limits.task_confidence)
        date = next((one for one in dates if one.candidates), None)
        due = due_of(date, self._entry.written_at, (span.end, span.end))
        if due is None and not found[2]:
            return None
        near = [one for one in dates if span.start - _NEAR_DATE < one.start < span.end + _NEAR_DATE]
        record = Record(SpanLabel.TASK, without_date(self._text, span, near), due=date)
        return self._task(sentence, record, None, due)

    def _promises(
        self, sentence: tuple[int, int], dates: Sequence[DateReading], conditionals: Sequence[Conditional]
    ) -> Iterator[Statement]:
        for date in dates:
            if not date.is_deadline:
                continue
            clause = self._clause(sentence, date)
            found = promised(self._text, clause, date, self._people)
            if found is None:
                continue
            span = TextSpan(found[0], found[1], SpanLabel.TASK, understanding_rules().limits.task_confidence)
            due = due_of(date, self._entry.written_at, (span.start, span.end))
            if due is not None and not _is_hypothetical(span, conditionals):
                yield self._task(sentence, Record(SpanLabel.TASK, span, due=date), found[2], due)
                return

    def _task(self, sentence: tuple[int, int], record: Record, owner: str | None, due: Due | None) -> Statement:
        return Statement(
            kind=RecordKind.TASK,
            record=record,
            sentence=sentence,
            title=self._title(record.span),
            confidence=min(record.span.confidence, 1.0 if due is None else max(due.score, 0.5)),
            owner=owner,
            due=due,
            is_whole_day=due is not None and due.is_whole_day,
        )

    def _debt(self, sentence: tuple[int, int], debt: Debt, dates: Sequence[DateReading]) -> Statement:
        """A debt of money is a task of whoever owes it, in the words of the sentence; one that was paid is done."""
        start, stop = sentence[0] + debt.start, sentence[0] + debt.end
        stop = next((at for at in range(stop, sentence[1]) if self._text[at] in _STOPS + "."), sentence[1])
        span = TextSpan(start, stop, SpanLabel.TASK, _DEBT_CONFIDENCE)
        voice = self._talk.at(start)
        owner = {ME: voice.speaker, YOU: None}.get(debt.debtor, debt.debtor)
        date = None if debt.is_settled else next((one for one in dates if one.candidates), None)
        due = due_of(date, self._entry.written_at, (stop, stop))
        found = self._task(sentence, Record(SpanLabel.TASK, span, due=date), owner or None, due)
        return replace(found, status=Status.DONE) if debt.is_settled else found

    def _plans(
        self, sentence: tuple[int, int], plan: Plan | None, conditionals: Sequence[Conditional]
    ) -> Iterator[Statement]:
        if plan is None:
            return
        today = self._entry.written_at.replace(hour=0, minute=0, second=0, microsecond=0)
        best = coming(plan.when, today)
        span = TextSpan(plan.start, plan.end, SpanLabel.PLAN, best.score if best is not None else 0.0)
        if best is None or best.start is None or _is_hypothetical(span, conditionals):
            return
        limits = understanding_rules().limits
        ahead = (best.start - today).days
        if ahead > limits.furthest_days or (ahead > limits.unsure_days and not plan.when.is_certain):
            return
        end = best.end if best.end is not None and best.end > best.start else None
        yield Statement(
            kind=RecordKind.PLAN,
            record=Record(SpanLabel.PLAN, span, due=plan.when),
            sentence=sentence,
            title=plan.title[: limits.longest_title],
            owner=(self._talk.at(sentence[0]).speaker if plan.who == ME else plan.who) or None,
            confidence=span.confidence * (limits.tentative if plan.is_tentative else 1.0),
            event=(best.start, end),
            is_whole_day=_is_whole_days(best.start, end),
            is_tentative=plan.is_tentative,
        )

    def _decisions(
        self, sentence: tuple[int, int], plan: Plan | None, conditionals: Sequence[Conditional]
    ) -> Iterator[Statement]:
        records = list(self._records(SpanLabel.DECISION, sentence))
        told = [
            (sentence[0] + one.start, sentence[0] + one.end)
            for one in (find_decisions(self._text[slice(*sentence)]) if records else ())
        ]
        for record in records:
            span = record.span
            is_told = any(span.start < end and start < span.end for start, end in told)
            is_sure = span.confidence >= understanding_rules().limits.decision_confidence
            is_plan = plan is not None and span.start < plan.end and plan.start < span.end
            before = self._text[max(sentence[0], span.start - 30) : span.start]
            is_told = is_told and _DECIDED.search(before) is not None
            if (
                not (is_told or is_sure)
                or _OPEN_QUESTION.search(self._text[span.start : span.end])
                or is_plan
                or _is_hypothetical(span, conditionals)
            ):
                continue
            if len(self._title(span)) > 4 and self._text[slice(*sentence)].rstrip()[-1:] not in "?？":  # noqa: PLR2004
                yield Statement(RecordKind.DECISION, record, sentence, self._title(span), span.confidence)

    def _condition(self, sentence: tuple[int, int], one: Conditional, dates: Sequence[DateReading]) -> Statement:
        start, end = one.condition or one.consequence
        span = TextSpan(one.start, one.end, SpanLabel.CONDITION, _CONDITION_CONFIDENCE)
        consequence = TextSpan(*one.consequence, "consequence", _CONDITION_CONFIDENCE)
        date = None
        if one.condition is not None:
            date = next((date for date in dates if start <= date.start < end and date.candidates), None)
        due = due_of(date, self._entry.written_at, (end, end))
        told = None if one.condition is None else TextSpan(start, end, SpanLabel.CONDITION, _CONDITION_CONFIDENCE)
        return Statement(
            kind=RecordKind.CONDITION,
            record=Record(SpanLabel.CONDITION, span, due=date, condition=told, consequence=consequence),
            sentence=sentence,
            title=self._title(TextSpan(start, end, SpanLabel.CONDITION)),
            confidence=_CONDITION_CONFIDENCE,
            due=due,
            is_whole_day=due is not None and due.is_whole_day,
            conditional=one,
            condition=None if one.condition is None else self._said(one.start, one.end, one),
            consequence=self._text[slice(*one.consequence)],
        )

    def _said(self, start: int, end: int, one: Conditional) -> str:
        """A condition with its conjunction, without its consequence."""
        before, behind = self._text[start : one.consequence[0]], self._text[one.consequence[1] : end]
        return (before if before.strip(_EDGES) else behind).strip(_EDGES)

    def _records(self, kind: SpanLabel, sentence: tuple[int, int]) -> Iterator[Record]:
        for record in self._extraction.records:
            if record.kind is kind and sentence[0] <= record.span.start < sentence[1]:
                yield record

    def _owner(self, record: Record, sentence: tuple[int, int]) -> str | None:
        named = record.owner
        if named is not None and (named.start >= record.span.start or self._owes(named, record, sentence)):
            return self._text[named.start : named.end]
        before = self._before(record, sentence)
        return owner_before(before, 0, len(before))

    def _owes(self, named: TextSpan, record: Record, sentence: tuple[int, int]) -> bool:
        """Whether a name stands right before its task, or is called the owner."""
        if re.search(r"[:：]\s{0,4}$", self._text[sentence[0] : named.start]):
            return True
        return is_owner(self._before(record, (named.end, sentence[1])))

    def _is_apart(self, date: DateReading | None, span: TextSpan) -> bool:
        if date is None:
            return False
        first, last = min(date.end, span.end), max(date.start, span.start)
        return re.search("[,;:，；：。]", self._text[first:last]) is not None

    def _before(self, record: Record, sentence: tuple[int, int]) -> str:
        """What stands before a clause in its sentence, without dates."""
        parts, start = [], sentence[0]
        for date in self._extraction.dates:
            if start <= date.start and date.end <= record.span.start:
                parts.append(self._text[start : date.start])
                start = date.end
        return "".join([*parts, re.sub("^(?:之前|以前|前)", "", self._text[start : record.span.start])])

    def _clause(self, sentence: tuple[int, int], date: DateReading) -> tuple[int, int]:
        start = max((self._text.rfind(sign, sentence[0], date.start) for sign in ",;:，；："), default=-1)
        ends = [at for sign in ",;:，；：。.!！" if (at := self._text.find(sign, date.end, sentence[1])) >= 0]
        return max(start + 1, sentence[0]), min(ends, default=sentence[1])

    def _title(self, span: TextSpan) -> str:
        end = span.end
        if self._text.startswith("把", span.start) and end - span.start <= _ONLY_OBJECT:
            # what is done to the thing stands behind it
            end = next(
                (at for at in range(end, min(end + _VERB_WITHIN, len(self._text))) if self._text[at] in _STOPS), end
            )
        words = " ".join(self._text[span.start : end].strip(_EDGES).split())
        longest = understanding_rules().limits.longest_title
        return words if len(words) <= longest else words[: longest - 1] + "…"

    def _end_of_validity(self, start: int, end: int) -> datetime | None:
        for date in self._extraction.dates:
            if not start <= date.start < end or date.kind not in {DateKind.POINT, DateKind.RANGE}:
                continue
            before, behind = self._text[start : date.start], self._text[date.end : min(end, date.end + 8)]
            words = self._text[date.start : date.end]
            is_told = _VALID.search(before) or _VALID.search(before + re.split(r"\d", words, maxsplit=1)[0])
            # "until Friday" is read as one expression, open to the past
            is_told = is_told or _VALID.search(before + " " + words.split(" ")[0] + " ") or _VALID_BEHIND.match(behind)
            if not is_told:
                continue
            today = self._entry.written_at.replace(hour=0, minute=0, second=0, microsecond=0)
            best = coming(date, today)
            if best is not None and best.end is not None:
                return best.end
        return None


def _is_hypothetical(span: TextSpan, conditionals: Sequence[Conditional]) -> bool:
    """Whether it stands within a condition, or is what follows when something fails."""
    for one in conditionals:
        if one.condition is not None and one.condition[0] <= span.start < one.condition[1]:
            return True
        if one.is_failure and one.is_unsettling and one.consequence[0] <= span.start < one.consequence[1]:
            return True
    return False


def _is_whole_days(start: datetime, end: datetime | None) -> bool:
    return end is not None and (start.hour, start.minute, end.hour, end.minute) == (0, 0, 0, 0)


def _moved(one: Conditional, by: int) -> Conditional:
    condition = None if one.condition is None else (one.condition[0] + by, one.condition[1] + by)
    consequence = (one.consequence[0] + by, one.consequence[1] + by)
    return replace(one, start=one.start + by, end=one.end + by, condition=condition, consequence=consequence)
