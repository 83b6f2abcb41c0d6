"""Commands about how well it works: rates, reviews, outcomes, marks (G7)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import click

from app.cli.command import TranslatedGroup, TranslatedOption, argument, command, option
from app.cli.commands.metrics_lines import say_report
from app.cli.plain import plain
from app.cli.screen import one_line
from app.domain.errors import BadInput
from app.domain.instants import to_iso
from app.domain.metrics import ReviewKind
from app.domain.serving import Outcome
from app.domain.text import msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.session import Session
    from app.domain.metrics import AskedQuestion, MarkedItem, MetricsReport, Review
    from app.famulus.api import FamulusApi

_KINDS = tuple(kind.value for kind in ReviewKind)
_KIND_WORDS = {
    ReviewKind.WEEKLY: msg("weekly review"),
    ReviewKind.MONTHLY: msg("monthly rule report"),
    ReviewKind.QUARTERLY: msg("quarterly weight report"),
}
_NUMBER = msg("The number of a result, as the list has it; may be given often.")


class _Day(click.ParamType[date]):
    """A day, as ISO 8601 writes it."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:  # noqa: ANN401
        """Read it."""
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            return self.fail(translate(msg("{text} is no day such as 2025-05-31.", text=repr(value))), param, ctx)


_DAY = _Day()


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    root.add_command(metrics)


@click.pass_context
def _show(context: click.Context, *, first_day: date | None, last_day: date | None) -> None:
    """Show the figures when no command is named."""
    if context.invoked_subcommand is not None:
        return
    session: Session = context.obj
    session.speak()

    async def work(api: FamulusApi) -> MetricsReport:
        return await api.metrics(first_day=first_day, last_day=last_day)

    report = session.run(work)
    if session.is_json:
        session.screen.json(_flat(report))
        return
    say_report(session.screen, report)


metrics = TranslatedGroup(
    "metrics",
    meaning=msg("How well it works: the five rates, their reviews, and marking what should have been found."),
    callback=_show,
    params=[
        TranslatedOption(["--since", "first_day"], meaning=msg("From this day on; four weeks without it."), type=_DAY),
        TranslatedOption(["--until", "last_day"], meaning=msg("Up to this day; today without it."), type=_DAY),
    ],
    invoke_without_command=True,
    subcommand_metavar="[COMMAND]",
)


@command(metrics, "review", msg("Write the review of this week, month or quarter, or of the one that holds a day."))
@argument("kind", type=click.Choice(_KINDS), meaning=msg("Which one."))
@option("--day", type=_DAY, meaning=msg("A day of the period; today without it."))
@option("--print", "is_printing", is_flag=True, meaning=msg("Print it as Markdown."))
def write_review(session: Session, kind: str, *, day: date | None, is_printing: bool) -> None:
    """Write one."""

    async def work(api: FamulusApi) -> Review:
        return await api.write_review(ReviewKind(kind), day=day)

    _say_review(session, session.run(work), is_printing=is_printing)


@command(metrics, "reviews", msg("List the reviews that were written, or print one of them."))
@argument("review_id", type=click.IntRange(1), required=False, meaning=msg("The number of the one to print."))
def reviews(session: Session, review_id: int | None) -> None:
    """List them, or print one."""
    if review_id is not None:

        async def show(api: FamulusApi) -> Review:
            return await api.review(review_id)

        _say_review(session, session.run(show), is_printing=True)
        return

    async def work(api: FamulusApi) -> Sequence[Review]:
        return await api.reviews()

    found = session.run(work)
    if session.is_json:
        session.screen.json([_flat_review(one) for one in found])
        return
    if not found:
        session.screen.say(msg("No review was written yet."))
    for one in found:
        _say_review(session, one, is_printing=False)


@command(metrics, "outcome", msg("Say what became of an answer: of one of yours, or of one that a client got."))
@argument("request_id", meaning=msg("The number of the request; `--json` shows it, of an answer and in the audit."))
@option("--success/--failed", "is_success", default=None, meaning=msg("Whether the task succeeded."))
@option("--adopted/--discarded", "is_adopted", default=None, meaning=msg("Whether the answer was used."))
@option("--fields", "fields_total", type=click.IntRange(0), meaning=msg("How many fields the output had."))
@option("--edited", "fields_edited", type=click.IntRange(0), meaning=msg("How many of them were edited by hand."))
@option("--cited", multiple=True, meaning=msg("The id of an item that was used; may be given often."))
def outcome(session: Session, request_id: str, **said: Any) -> None:  # noqa: ANN401 - of Outcome
    """Report one."""

    async def work(api: FamulusApi) -> None:
        await api.report_outcome(Outcome(request_id, **said))

    session.run(work)
    if session.is_json:
        session.screen.json({"request_id": request_id})
        return
    session.screen.say(msg("Noted."))


@command(metrics, "questions", msg("List the questions that were asked lately, to be marked."))
@option("--limit", "-n", "limit", type=click.IntRange(1, 1000), default=30, meaning=msg("So many lines at most."))
def questions(session: Session, limit: int) -> None:
    """List them."""

    async def work(api: FamulusApi) -> Sequence[AskedQuestion]:
        return await api.asked_questions(limit=limit)

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    if not found:
        session.screen.say(msg("Nothing was asked yet."))
    for one in found:
        marked = f"  ({translate(msg('{count} marked', count=one.marked))})" if one.marked else ""
        session.screen.say(f"{one.asked_at.date().isoformat()}  {one_line(one.query)}{marked}")


@command(metrics, "mark", msg("Show what a question finds, and mark what it should find, or should not."))
@argument("query", meaning=msg("The question."))
@option("--wanted", type=click.IntRange(1), multiple=True, meaning=_NUMBER)
@option("--unwanted", type=click.IntRange(1), multiple=True, meaning=_NUMBER)
@option("--clear", type=click.IntRange(1), multiple=True, meaning=msg("The number of a result to take the mark from."))
@option("--more", meaning=msg("Show also what this text finds: for what the question did not find."))
def mark(session: Session, query: str, *, more: str | None, **numbers: tuple[int, ...]) -> None:
    """Mark results."""
    wishes = [
        (number, value)
        for name, value in (("wanted", True), ("unwanted", False), ("clear", None))
        for number in numbers[name]
    ]

    async def work(api: FamulusApi) -> Sequence[MarkedItem]:
        found = await api.items_to_mark(query, more=more)
        for number, is_wanted in wishes:
            await api.mark(query, _at(found, number).entry_id, is_wanted=is_wanted)
        return await api.items_to_mark(query, more=more) if wishes else found

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    if not found:
        session.screen.say(msg("Nothing was found."))
    for number, one in enumerate(found, 1):
        sign = {None: " ", True: "+", False: "-"}[one.is_wanted]
        session.screen.say(f"{sign} {number:>2}  {one_line(one.item.title, 60)}: {one_line(one.item.content, 100)}")


def _at(found: Sequence[MarkedItem], number: int) -> MarkedItem:
    if number > len(found):
        raise BadInput(
            msg("There is no result {number}.", number=number),
            next_step=msg("Give a number of the list: 1 to {last}.", last=len(found)),
        )
    return found[number - 1]


def _say_review(session: Session, one: Review, *, is_printing: bool) -> None:
    if session.is_json:
        session.screen.json(plain(one))
    elif is_printing:
        session.screen.say(one.text)
    else:
        span = f"{one.first_day.isoformat()} – {one.last_day.isoformat()}"
        session.screen.say(f"{one.review_id:>4}  {span}  {translate(_KIND_WORDS[one.kind])}  {to_iso(one.made_at)}")


def _flat_review(one: Review) -> dict[str, object]:
    values: dict[str, object] = plain(one)
    del values["text"]
    return values


def _flat(report: MetricsReport) -> dict[str, object]:
    """The rates of weeks by name."""
    values: dict[str, object] = plain(report)
    values["weeks"] = [
        {"first_day": week.first_day.isoformat(), "requests": week.requests, "rates": dict(week.values)}
        for week in report.weeks
    ]
    return values
