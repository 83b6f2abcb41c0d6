"""Commands about Famulus itself: status, check, selftest, quit, serve, completion."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from app.cli.command import argument, command, option
from app.cli.plain import plain
from app.cli.session import Opening
from app.cli.wiring import Outcome
from app.domain.text import counted, msg
from app.domain.words import subject, word
from app.runtime.translation import translate

if TYPE_CHECKING:
    from app.cli.session import Session
    from app.domain.checking import CheckReport, Finding
    from app.famulus.api import FamulusApi, StatusReport

_OUR_FAULT = 1
_REFUSED = 3
_SHELLS = ("bash", "zsh", "fish")


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()


@command(_here, "status", msg("Show the state of everything."))
def status(session: Session) -> None:
    """Show the status."""

    async def work(api: FamulusApi) -> StatusReport:
        return await api.status()

    report = session.run(work, opening=Opening.IF_POSSIBLE)
    if session.is_json:
        session.screen.json(plain(report))
    else:
        _say_status(session, report)
    for problem in session.settings.problems:
        session.screen.note(problem.what)


@command(_here, "check", msg("Prove that the database is whole: rows, words, vectors, references, keys."))
@option("--repair", "is_repairing", meaning=msg("Build anew what can be built from the rest."), is_flag=True)
def check(session: Session, *, is_repairing: bool) -> int:
    """Check the database."""

    async def work(api: FamulusApi) -> CheckReport:
        return await api.check(is_repairing=is_repairing, progress=session.progress)

    # a damaged database cannot be opened, and a repair is what it needs
    report = session.run(work, opening=Opening.IF_POSSIBLE if is_repairing else Opening.ALWAYS)
    if session.is_json:
        session.screen.json({"is_clean": report.is_clean, **plain(report)})
    else:
        for finding in report.findings:
            session.screen.say(f"{_subject(finding)}: {finding.count}  {_verdict(finding)}")
        session.screen.say(msg("All is well.") if report.is_clean else msg("Something is off."))
    if not report.is_clean and not is_repairing:
        session.screen.note(msg("Mend it with: famulus check --repair"))
    return 0 if report.is_clean else _REFUSED


@command(_here, "selftest", msg("Try the parts of this installation, on this machine."))
def selftest(session: Session) -> int:
    """Run the self-test."""
    has_failed = False
    for part in session.wiring.selftest(session.paths):
        has_failed = has_failed or part.outcome is Outcome.FAILED
        if session.is_json:
            session.screen.json(plain(part))
            continue
        detail = f"  {translate(part.detail)}" if part.detail is not None else ""
        session.screen.say(f"{translate(word(part.outcome)):<7} {translate(part.subject)}{detail}")
    return _OUR_FAULT if has_failed else 0


@command(_here, "quit", msg("End the running Famulus."))
def quit_(session: Session) -> None:
    """Quit."""
    from app.famulus.ownership import Ending, quit_owner  # noqa: PLC0415 - not for help

    ending = asyncio.run(quit_owner(session.paths))
    if session.is_json:
        was_running, runs_again = ending is not Ending.WAS_NOT_RUNNING, ending is Ending.RUNS_AGAIN
        session.screen.json({"was_running": was_running, "runs_again": runs_again})
        return
    told = {
        Ending.WAS_NOT_RUNNING: msg("Famulus was not running."),
        Ending.ENDED: msg("Famulus has ended."),
        Ending.RUNS_AGAIN: msg("Famulus has ended, and a program that was asking it something has started it again."),
    }
    session.screen.note(told[ending])


@command(_here, "serve", msg("Own the data without a window, for other commands."), hidden=True)
@option("--idle-exit", "idle_exit_s", meaning=msg("End after so many idle seconds."), type=click.FloatRange(min=0))
def serve(session: Session, idle_exit_s: float | None) -> int:
    """Run the process that owns the data."""
    return session.wiring.serve(session.paths, idle_exit_s=idle_exit_s)


@command(_here, "completion", msg("Print a script that lets your shell complete commands."))
@argument("shell", meaning=msg("The shell that you use."), type=click.Choice(_SHELLS))
def completion(session: Session, shell: str) -> None:
    """Print a completion script."""
    from click.shell_completion import get_completion_class  # noqa: PLC0415 - for this command alone

    root = click.get_current_context().find_root()
    kind = get_completion_class(shell)
    if kind is not None and root.info_name is not None:
        name = root.info_name
        session.screen.say(kind(root.command, {}, name, f"_{name.upper()}_COMPLETE").source())


def _say_status(session: Session, report: StatusReport) -> None:
    say = session.screen.say
    say(msg("Famulus {version}, process {id}", version=report.version, id=report.process_id))
    say(msg("Database: {state}", state=translate(word(report.lock.value))))
    for sentence in (report.lock_problem, report.lock_next_step):
        if sentence is not None:
            say(f"    {translate(sentence)}")
    say(msg("Model: {state}", state=translate(word(report.model.value))))
    if report.model_problem is not None:
        say(f"    {translate(report.model_problem)}")
    counts = report.counts
    say(
        msg(
            "{sources}, {entries}, {passages}, {waiting} of them not yet found by meaning",
            sources=counted("{count} source", "{count} sources", count=counts.sources),
            entries=counted("{count} entry", "{count} entries", count=counts.entries),
            passages=counted("{count} passage", "{count} passages", count=counts.chunks),
            waiting=counts.waiting,
        )
    )
    if not report.has_recovery_key:
        say(msg("There is no recovery key. Make one with: famulus key recovery"))
    for warning in report.warnings:
        say(warning)


def _verdict(finding: Finding) -> str:
    if finding.problem is None:
        return translate(msg("good"))
    problem = translate(finding.problem)
    repaired = translate(msg("repaired"))
    return f"{problem} ({repaired})" if finding.was_repaired else problem


def _subject(finding: Finding) -> str:
    what, of = subject(finding.subject)
    return f"{translate(what)} {of}".rstrip()
