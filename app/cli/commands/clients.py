"""Commands about clients: the programs that may ask for a person's context, and what each may see (G4.6, G8.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from app.cli.command import TranslatedGroup, argument, command, option
from app.cli.commands.grants import changed_grant, grant_options, has_any, new_grant, note_new_scopes
from app.cli.plain import plain, plain_error
from app.cli.screen import one_line
from app.domain.clients import ClientState, likeness
from app.domain.errors import BadInput, Unreadable
from app.domain.instants import to_iso
from app.domain.text import msg
from app.domain.words import word
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from app.cli.session import Session
    from app.domain.clients import ClientInfo, ClientProgram, Connection, NewClient
    from app.famulus.api import FamulusApi

_NAME = msg("Its name.")
_REFUSED = 3
_STATES = {
    ClientState.WAITING: msg("waits for your answer"),
    ClientState.ACTIVE: msg("active"),
    ClientState.REVOKED: msg("revoked"),
    ClientState.EXPIRED: msg("expired"),
}


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    root.add_command(clients)


@click.pass_context
def _list_by_default(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        context.invoke(list_)


clients = TranslatedGroup(
    "clients",
    meaning=msg("The programs that may ask for your context, and what each of them may see."),
    callback=_list_by_default,
    invoke_without_command=True,
)


@command(clients, "list", msg("List the clients, those that wait for your answer first."))
def list_(session: Session) -> None:
    """List clients."""

    async def work(api: FamulusApi) -> tuple[Sequence[ClientInfo], datetime | None]:
        return await api.clients(), await api.time_ahead()

    found, ahead = session.run(work)
    if ahead is not None:
        _note_clock(session, ahead)
    if session.is_json:
        session.screen.json([flat(info) for info in found])
        return
    if not found:
        session.screen.say(msg("No program may ask for your context."))
    for info in found:
        _say(session, info)


@command(clients, "add", msg("Register a client, which is your consent; prints its token, this once."))
@argument("name", meaning=_NAME)
@grant_options
def add(session: Session, name: str, **given: Any) -> None:  # noqa: ANN401 - of a grant
    """Register a client."""
    grant = new_grant(given)

    async def work(api: FamulusApi) -> NewClient:
        made = await api.add_client(name, grant)
        await note_new_scopes(session, api, given["scopes"])
        return made

    _say_token(session, work)


@command(clients, "change", msg("Change what a client may see; what you do not name stays. It holds at once."))
@argument("name", meaning=_NAME)
@grant_options
def change(session: Session, name: str, **given: Any) -> None:  # noqa: ANN401 - of a grant
    """Change a client's grant."""
    if not has_any(given):
        raise click.UsageError(translate(msg("Say what is to change, such as --ceiling public.")))

    async def work(api: FamulusApi) -> ClientInfo:
        info = _called(await api.clients(), name)
        grant = changed_grant(info, given)
        if grant.expires_in_days is not None and grant.expires_in_days < 1:
            raise BadInput(
                msg("The access of {name} has ended.", name=info.name),
                next_step=msg("Say for how long it is to hold again: --expires DAYS"),
            )
        changed = await api.change_client(info.name, grant)
        await note_new_scopes(session, api, given["scopes"])
        return changed

    _say_client(session, work)


@command(clients, "allow", msg("Allow a program that waits for your answer, for as long as it runs."))
@argument("name", meaning=_NAME)
@grant_options
def allow(session: Session, name: str, **given: Any) -> None:  # noqa: ANN401 - of a grant
    """Answer with a grant."""
    grant = new_grant(given)

    async def work(api: FamulusApi) -> ClientInfo:
        allowed = await api.answer_client(name, grant)
        await note_new_scopes(session, api, given["scopes"])
        return allowed

    _say_client(session, work)


@command(clients, "deny", msg("Give a program that waits for your answer nothing."))
@argument("name", meaning=_NAME)
def deny(session: Session, name: str) -> None:
    """Answer with nothing."""
    _say_client(session, lambda api: api.answer_client(name, None))


@command(clients, "revoke", msg("Take a client's access away, at once; what it read stays in the audit."))
@argument("name", meaning=_NAME)
def revoke(session: Session, name: str) -> None:
    """Revoke a client."""
    _say_client(session, lambda api: api.revoke_client(name))


@command(clients, "remove", msg("Forget a client; what it read stays in the audit."))
@argument("name", meaning=_NAME)
def remove(session: Session, name: str) -> None:
    """Remove a client."""

    async def work(api: FamulusApi) -> None:
        await api.remove_client(name)

    session.run(work)
    if session.is_json:
        session.screen.json({"removed": name})
    else:
        session.screen.say(msg("Removed: {name}", name=one_line(name)))


@command(clients, "token", msg("Replace a client's token; the old one holds no longer. Prints it, this once."))
@argument("name", meaning=_NAME)
def token(session: Session, name: str) -> None:
    """Replace a token."""
    _say_token(session, lambda api: api.new_client_token(name))


@command(clients, "clock", msg("Show whether this computer's clock was ahead, and say that it is right now."))
@option(
    "--is-right",
    "is_right",
    is_flag=True,
    meaning=msg("The clock is right now: access that ended by a later time alone holds again."),
)
def clock(session: Session, *, is_right: bool) -> None:
    """Show what the clock was, or trust it."""

    async def work(api: FamulusApi) -> datetime | None:
        if is_right:
            await api.trust_clock()
        return await api.time_ahead()

    ahead = session.run(work)
    if session.is_json:
        session.screen.json({"ahead": None if ahead is None else to_iso(ahead)})
    elif ahead is not None:
        _note_clock(session, ahead)
    else:
        session.screen.say(msg("Access ends by this computer's clock."))


@command(clients, "programs", msg("List the programs that `clients connect` knows."))
def programs(session: Session) -> None:
    """List programs."""

    async def work(api: FamulusApi) -> Sequence[ClientProgram]:
        return await api.client_programs()

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    for program in found:
        here = translate(msg("on this device")) if program.is_present else ""
        session.screen.say(f"{program.program_id:<16} {program.name:<24} {here}".rstrip())
        session.screen.say(f"    {one_line(program.path)}")


@command(
    clients, "connect", msg("Set a program up to ask Famulus; registers the client if there is none of that name.")
)
@argument("name", meaning=_NAME)
@option("--program", required=True, meaning=msg("Which program: see `clients programs`."))
@option("--print", "is_printing", is_flag=True, meaning=msg("Print the piece of configuration; write nothing."))
@grant_options
def connect(session: Session, name: str, program: str, *, is_printing: bool, **given: Any) -> int:  # noqa: ANN401 - of a grant
    """Connect a program."""
    grant = new_grant(given) if has_any(given) else None

    async def work(api: FamulusApi) -> tuple[Connection, Unreadable | None]:
        await note_new_scopes(session, api, given["scopes"])
        try:
            return await api.connect_client(name, program, grant=grant, is_writing=not is_printing), None
        except Unreadable as problem:  # the person can still put the piece in
            return await api.connect_client(name, program, grant=grant, is_writing=False), problem

    made, problem = session.run(work)
    if session.is_json:
        told = {} if problem is None else plain_error(problem)
        session.screen.json({**plain(made), "client": flat(made.client), **told})
    else:
        _say_connection(session, made, problem)
    return 0 if problem is None else _REFUSED


def _say_connection(session: Session, made: Connection, problem: Unreadable | None) -> None:
    if problem is not None:
        session.screen.note(problem.what)
        session.screen.note(translate(problem.lost))
    if made.path is None:
        session.screen.note(msg("Put this into the configuration of {program}:", program=made.program_id))
        session.screen.say(made.text)
        if made.token is not None:
            session.screen.note(
                msg("It holds a new token, since no keychain keeps one; an older token holds no longer.")
            )
        return
    session.screen.say(msg("Written: {path}", path=made.path))
    if made.backup is not None:
        session.screen.say(msg("As it was before: {path}", path=made.backup))
    session.screen.say(msg("Start the program anew; it then asks as {name}.", name=made.client.name))


def flat(info: ClientInfo) -> dict[str, Any]:
    """A client as JSON, with its lists in order."""
    values: dict[str, Any] = plain(info)
    return {**values, "scopes": sorted(info.scopes), "acls": sorted(info.acls)}


def _called(found: Sequence[ClientInfo], name: str) -> ClientInfo:
    for info in found:
        if likeness(info.name) == likeness(name):
            return info
    raise BadInput(
        msg("There is no client {name}.", name=one_line(name, 60)),
        next_step=msg("`famulus clients list` shows them; `famulus clients add` registers one."),
    )


def _say_client(session: Session, work: Callable[[FamulusApi], Awaitable[ClientInfo]]) -> None:
    info = session.run(work)
    if session.is_json:
        session.screen.json(flat(info))
    else:
        _say(session, info)


def _note_clock(session: Session, ahead: datetime) -> None:
    """Why access may have ended before its day, and what to do."""
    session.screen.note(
        msg(
            "This computer's clock was at {later} before: access ends by that time, not to last longer.",
            later=to_iso(ahead),
        )
    )
    session.screen.note(msg("If it is right now, say so: famulus clients clock --is-right"))


def _say_token(session: Session, work: Callable[[FamulusApi], Awaitable[NewClient]]) -> None:
    """Do something that gives a token, and show it this once, alone on its line."""
    made = session.run(work)
    if session.is_json:
        session.screen.json({"token": made.token, "is_in_keychain": made.is_in_keychain, **flat(made.client)})
        return
    session.screen.note(msg("The token of {name}, which is shown this once:", name=made.client.name))
    session.screen.say(made.token)
    if made.is_in_keychain:
        session.screen.note(msg("The keychain has it too: famulus mcp --client {name}", name=repr(made.client.name)))
    else:
        session.screen.note(msg("No keychain keeps it; a program gets it in the environment as FAMULUS_CLIENT_TOKEN."))


def _say(session: Session, info: ClientInfo) -> None:
    facts = [translate(_STATES[info.state])]
    if info.scopes:
        facts.append(", ".join(one_line(translate(word(scope)), 40) for scope in sorted(info.scopes)))
        facts.append(translate(msg("up to {level}", level=word(info.ceiling.word))))
    if info.is_session:
        facts.append(translate(msg("for as long as it runs")))
    session.screen.say(f"{one_line(info.name, 60)}  ({' · '.join(facts)})")
    if info.program and info.program != info.name:
        session.screen.say("    " + translate(msg("says it is: {program}", program=one_line(info.program, 100))))
    if info.expires_at is not None:
        session.screen.say("    " + translate(msg("until {time}", time=to_iso(info.expires_at))))
    if info.last_seen_at is not None:
        session.screen.say("    " + translate(msg("last here {time}", time=to_iso(info.last_seen_at))))
