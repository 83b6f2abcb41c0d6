"""Commands that bring things in: add, sync, import, sources."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli import passphrase
from app.cli.command import argument, command, option, subgroup
from app.cli.plain import plain
from app.domain.collecting import ImportReport, KindInfo, SourceChange, SourceDraft, SourceInfo, SyncReport
from app.domain.errors import BadInput, Refused
from app.domain.labels import Sensitivity
from app.domain.text import Text, counted, msg
from app.domain.words import word
from app.runtime.environment import expanded
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.cli.session import Session
    from app.famulus.api import FamulusApi

_REFUSED = 3
_PATHS_AT_ONCE = 500
_WORDS = [level.word for level in Sensitivity]


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()


@command(_here, "add", msg("Add a source: a folder, a mailbox, a calendar ... Then collect it with `famulus sync`."))
@argument("kind", meaning=msg("What it is, such as files, notes, ics, imap, caldav: see `famulus sources kinds`."))
@argument("location", meaning=msg("Its folder, file or address."))
@option("--scope", meaning=msg("What its entries belong to, such as work."), default="personal", show_default=True)
@option("--sensitivity", meaning=msg("How much harm a leak would do."), type=click.Choice(_WORDS))
@option("--name", meaning=msg("How you want to call it."))
@option("--set", "settings", meaning=msg("An option of its kind, as NAME=VALUE; more than once."), multiple=True)
@option("--password-fd", meaning=msg("A file descriptor to read its password from; else you are asked."), type=int)
def add(session: Session, kind: str, location: str, **given: Any) -> None:  # noqa: ANN401 - click's options
    """Add a source."""
    level = None if given["sensitivity"] is None else Sensitivity.from_word(given["sensitivity"])
    draft = SourceDraft(kind, _place(location), given["scope"], level, given["name"], _pairs(given["settings"]))

    async def work(api: FamulusApi) -> SourceInfo:
        kinds = {one.name: one for one in await api.source_kinds()}
        needs_secret = kind in kinds and kinds[kind].needs_secret
        return await api.add_source(replace(draft, secret=_secret(given["password_fd"]) if needs_secret else None))

    source = session.run(work)
    if session.is_json:
        session.screen.json(plain(source))
        return
    session.screen.say(msg("Added {name} ({id}).", name=source.name, id=source.source_id))
    session.screen.note(msg("Collect it with: famulus sync {id}", id=source.source_id))


@command(_here, "sync", msg("Collect what has changed, in one source or in all."))
@argument("source", meaning=msg("Its id, name or place; all sources without it."), required=False)
@option("--confirm-deletions", meaning=msg("Let many entries be deleted, as they are at their source."), is_flag=True)
@option("--wait", "is_waiting", meaning=msg("Return only when all is found by meaning, too."), is_flag=True)
def sync(session: Session, source: str | None, *, confirm_deletions: bool, is_waiting: bool) -> int:
    """Sync sources."""
    paused: list[SourceInfo] = []

    async def work(api: FamulusApi) -> Sequence[SyncReport]:
        source_id = None if source is None else await _resolve(api, source)
        reports = await api.sync(
            source_id, confirm_deletions=confirm_deletions, progress=session.progress, stop=session.stop
        )
        await _say_waiting(session, api)
        if is_waiting:
            await api.wait_until_indexed(progress=session.progress, stop=session.stop)
        if not reports:
            paused.extend(info for info in await api.sources() if info.is_paused)
        return reports

    reports = session.run(work)
    if session.is_json:
        session.screen.json(plain(reports))
    elif paused:
        session.screen.note(msg("All sources are paused. Resume one with: famulus sources change SOURCE --resume"))
    elif not reports:
        session.screen.note(msg("There is no source yet. Add one with: famulus add files FOLDER"))
    else:
        for report in reports:
            _say_synced(session, report)
    return _REFUSED if any(report.problem is not None for report in reports) else 0


@command(_here, "import", msg("Take files and folders in once, without following them."))
@argument("paths", meaning=msg("Files and folders."), nargs=-1, required=True)
@option("--wait", "is_waiting", meaning=msg("Return only when all is found by meaning, too."), is_flag=True)
def import_(session: Session, paths: tuple[str, ...], *, is_waiting: bool) -> int:
    """Import files."""
    there = [_place(path) for path in paths]
    gone = [_gone(path) for path in there if not _exists(path)]
    present = [path for path in there if _exists(path)]

    async def work(api: FamulusApi) -> list[ImportReport]:
        found: list[ImportReport] = []
        for start in range(0, len(present), _PATHS_AT_ONCE):
            some = present[start : start + _PATHS_AT_ONCE]
            found += await api.import_paths(some, progress=session.progress, stop=session.stop)
        await _say_waiting(session, api)
        if is_waiting:
            await api.wait_until_indexed(progress=session.progress, stop=session.stop)
        return found

    reports = gone + (session.run(work) if present else [])
    for report in reports:
        if session.is_json:
            session.screen.json(_flat(report))
        if report.refusal is not None:
            session.screen.note(f"{report.path}: {translate(report.refusal)}")
        for warning in report.warnings:
            session.screen.note(f"{report.path}: {translate(warning)}")
    refused = sum(report.refusal is not None for report in reports)
    if not session.is_json:
        _say_imported(session, reports, refused)
    return _REFUSED if reports and refused == len(reports) else 0


sources = subgroup(_here, "sources", msg("The sources that are followed."))


@command(sources, "list", msg("List the sources."))
def list_sources(session: Session) -> None:
    """List sources."""

    async def work(api: FamulusApi) -> Sequence[SourceInfo]:
        return await api.sources()

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    if not found:
        session.screen.note(msg("There is no source yet. Add one with: famulus add files FOLDER"))
    for source in found:
        _say_source(session, source)


@command(sources, "kinds", msg("List the kinds of sources that can be added, and what each can do."))
def list_kinds(session: Session) -> None:
    """List kinds."""

    async def work(api: FamulusApi) -> Sequence[KindInfo]:
        return await api.source_kinds()

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    for kind in found:
        session.screen.say(f"{kind.name}  {translate(kind.meaning)}")
        session.screen.say(f"    {translate(kind.location)}")
        for one in kind.options:
            default = f" ({one.default})" if one.default else ""
            session.screen.say(f"    --set {one.name}=  {translate(one.meaning)}{default}")


@command(sources, "change", msg("Rename a source, set it up anew, pause it or resume it."))
@argument("source", meaning=msg("Its id, name or place."))
@option("--name", meaning=msg("How you want to call it."))
@option("--scope", meaning=msg("What its entries belong to, such as work."))
@option(
    "--sensitivity", meaning=msg("How much harm a leak would do; it can only be raised."), type=click.Choice(_WORDS)
)
@option("--set", "settings", meaning=msg("An option of its kind, as NAME=VALUE; more than once."), multiple=True)
@option("--password", "has_password", meaning=msg("Ask for its password anew."), is_flag=True)
@option("--password-fd", meaning=msg("A file descriptor to read its new password from."), type=int)
@option("--pause/--resume", "is_paused", meaning=msg("Leave it alone, or collect it again."), default=None)
def change_source(session: Session, source: str, **given: Any) -> None:  # noqa: ANN401 - click's options
    """Change a source."""
    level = None if given["sensitivity"] is None else Sensitivity.from_word(given["sensitivity"])
    is_secret = given["has_password"] or given["password_fd"] is not None
    change = SourceChange(
        name=given["name"],
        scope=given["scope"],
        sensitivity=level,
        options=_pairs(given["settings"]) or None,
        secret=_secret(given["password_fd"]) if is_secret else None,
        is_paused=given["is_paused"],
    )

    async def work(api: FamulusApi) -> SourceInfo:
        return await api.change_source(await _resolve(api, source), change)

    changed = session.run(work)
    if session.is_json:
        session.screen.json(plain(changed))
    else:
        _say_source(session, changed)


@command(sources, "remove", msg("Remove a source and everything that came from it."))
@argument("source", meaning=msg("Its id, name or place."))
@option("--yes", "is_sure", meaning=msg("Do not ask."), is_flag=True)
def remove_source(session: Session, source: str, *, is_sure: bool) -> None:
    """Remove a source."""

    async def work(api: FamulusApi) -> int:
        source_id = await _resolve(api, source)
        if not is_sure:
            _confirm(msg("Remove {source} and all that came from it?", source=source))
        return await api.remove_source(source_id)

    count = session.run(work)
    if session.is_json:
        session.screen.json({"removed_entries": count})
    else:
        session.screen.say(counted("Removed, with {count} entry.", "Removed, with {count} entries.", count=count))


def _pairs(settings: Sequence[str]) -> dict[str, str]:
    """Options as NAME=VALUE; raises `BadInput` for anything else."""
    found: dict[str, str] = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise BadInput(
                msg("“{text}” is not of the form NAME=VALUE.", text=text), next_step=msg("See `famulus sources kinds`.")
            )
        found[name.strip()] = value.strip()
    return found


def _secret(descriptor: int | None) -> str | None:
    """A source's password: from a descriptor, or from the person at the terminal; never an argument."""
    if descriptor is not None:
        return passphrase.read_line(descriptor)
    return passphrase.ask(msg("Password")) if passphrase.can_ask() else None


def _place(location: str) -> str:
    """A path as the process that owns the data must see it: it stands in another folder."""
    if not location or "://" in location:
        return location  # "" is no place, though its absolute path would be the working folder
    try:
        return str(expanded(location).absolute())
    except OSError:
        return location  # the working folder itself is gone; who looks for it says what is not there


def _exists(path: str) -> bool:
    try:
        return bool(path) and Path(path).exists()
    except OSError:
        return True  # there is something, and who reads it will say what is wrong


def _gone(path: str) -> ImportReport:
    return ImportReport(path, refusal=msg("There is no such file or folder."))


async def _resolve(api: FamulusApi, word: str) -> str:
    """A source's id, from its id, name or location."""
    found = [
        source
        for source in await api.sources()
        if word in {source.source_id, source.name} or source.location == _place(word)
    ]
    if len(found) != 1:
        what = (
            msg("There is no source {word}.", word=word) if not found else msg("Several are named {word}.", word=word)
        )
        raise BadInput(what, next_step=msg("Name one by its id: famulus sources list"))
    return found[0].source_id


def _confirm(question: Text) -> None:
    """Ask before something is gone; refuse where nobody can be asked."""
    if not passphrase.can_ask():
        raise Refused(msg("This cannot be undone, and nobody is there to confirm it."), next_step=msg("Add --yes."))
    click.confirm(translate(question), default=False, abort=True, err=True)


def _flat(report: ImportReport) -> dict[str, object]:
    """One object a file: what was understood, and what became of it."""
    values: dict[str, object] = plain(report)
    del values["understood"]
    return {**plain(report.understood), **values}


def _say_synced(session: Session, report: SyncReport) -> None:
    if report.problem is not None:
        session.screen.note(f"{report.source_id}: {translate(report.problem)}")
        for more in (report.lost, report.next_step):
            if more is not None:
                session.screen.note(f"  {translate(more)}")
        return
    session.screen.say(
        msg(
            "{source}: {added} added, {changed} changed, {deleted} deleted, {unchanged} unchanged, {skipped} skipped",
            source=report.source_id,
            added=report.added,
            changed=report.changed,
            deleted=report.deleted,
            unchanged=report.unchanged,
            skipped=len(report.skipped),
        )
    )
    for item in report.skipped:
        session.screen.note(f"  {item.native_id}: {translate(item.reason)}")
    for warning in report.warnings:
        session.screen.note(f"  {translate(warning)}")


async def _say_waiting(session: Session, api: FamulusApi) -> None:
    """What is not understood yet is said, and goes on by itself."""
    count = (await api.status()).counts.understanding
    if count:
        session.screen.note(
            counted(
                "{count} entry is still being understood, in the background.",
                "{count} entries are still being understood, in the background.",
                count=count,
            )
        )


def _say_imported(session: Session, reports: Sequence[ImportReport], refused: int) -> None:
    session.screen.say(
        msg(
            "{files}: {added} added, {changed} changed, {unchanged} unchanged; {refused} refused",
            files=counted("{count} file", "{count} files", count=len(reports)),
            added=counted("{count} entry", "{count} entries", count=sum(report.added for report in reports)),
            changed=sum(report.changed for report in reports),
            unchanged=sum(report.unchanged for report in reports),
            refused=counted("{count} file", "{count} files", count=refused),
        )
    )


def _say_source(session: Session, source: SourceInfo) -> None:
    when = plain(source.last_sync_at) or translate(msg("never collected"))
    session.screen.say(f"{source.source_id}  {source.name}  {source.location}")
    facts = counted("{count} entry", "{count} entries", count=source.entry_count)
    state_word = "paused" if source.is_paused else source.state
    kind, scope, level, state = (
        translate(word(value)) for value in (source.kind, source.scope, source.sensitivity.word, state_word)
    )
    session.screen.say(f"    {kind} · {scope} · {level} · {translate(facts)} · {state} · {when}")
    if source.last_counts:
        session.screen.say(f"    {translate(_counts_text(source.last_counts))}")
    for problem in (source.problem, source.next_step):
        if problem is not None:
            session.screen.say(f"    {translate(problem)}")
    if source.next_sync_at is not None and not source.is_paused:
        session.screen.say("    " + translate(msg("Tried again at {time}.", time=str(plain(source.next_sync_at)))))


def _counts_text(counts: Mapping[str, int]) -> Text:
    """What the last sync of a source did."""
    names = ("added", "changed", "deleted", "unchanged", "skipped")
    return msg(
        "last time: {added} added, {changed} changed, {deleted} deleted, {unchanged} unchanged, {skipped} skipped",
        **{name: counts.get(name, 0) for name in names},
    )
