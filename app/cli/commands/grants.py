"""The options by which a person says what a client may see; shared by the commands about clients (G8.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from app.cli.command import option
from app.cli.screen import one_line
from app.domain.clients import EXPIRES_IN_DAYS, ITEMS_PER_DAY, OWN_ACL, RATE_PER_MINUTE, ClientInfo, Grant
from app.domain.labels import Sensitivity
from app.domain.text import msg
from app.runtime import clock
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from app.cli.session import Session
    from app.famulus.api import FamulusApi

_LEVELS = tuple(level.word for level in Sensitivity)
_A_DAY_S = 86_400
_MOST_DAYS = 3_650


def grant_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Declare the options; their values come as `scopes`, `ceiling`, `acls`, `rate`, `items` and `days`."""
    for one in reversed(
        (
            option("--scope", "scopes", multiple=True, meaning=msg("A scope that it may see; give it once for each.")),
            option("--ceiling", type=click.Choice(_LEVELS), meaning=msg("The highest sensitivity that it may see.")),
            option("--acl", "acls", multiple=True, meaning=msg("An access-control identifier that it holds.")),
            option("--rate", type=click.IntRange(1, 10_000), meaning=msg("Requests a minute, at most.")),
            option("--items", type=click.IntRange(1, 1_000_000), meaning=msg("Items within 24 hours, at most.")),
            option(
                "--expires",
                "days",
                type=click.IntRange(0, _MOST_DAYS),
                metavar="DAYS",
                meaning=msg("Days until its access ends; 0: never."),
            ),
        )
    ):
        function = one(function)
    return function


def new_grant(given: Mapping[str, Any]) -> Grant:
    """What was said, with the defaults for the rest; used wrongly without a scope, since nothing is granted unsaid."""
    if not given["scopes"]:
        raise click.UsageError(
            translate(msg("Name at least one scope that it may see, such as --scope work; see `famulus sources list`."))
        )
    return Grant(
        scopes=frozenset(given["scopes"]),
        ceiling=_level(given["ceiling"] or Sensitivity.INTERNAL.word),
        acls=frozenset(given["acls"]) or OWN_ACL,
        rate_per_minute=given["rate"] or RATE_PER_MINUTE,
        items_per_day=given["items"] or ITEMS_PER_DAY,
        expires_in_days=_days(given["days"], EXPIRES_IN_DAYS),
    )


def has_any(given: Mapping[str, Any]) -> bool:
    """Whether something was said at all."""
    return any(value not in (None, ()) for value in given.values())


def changed_grant(info: ClientInfo, given: Mapping[str, Any]) -> Grant:
    """What a client has, with what was said instead."""
    return Grant(
        scopes=frozenset(given["scopes"]) or info.scopes,
        ceiling=_level(given["ceiling"] or info.ceiling.word),
        acls=frozenset(given["acls"]) or info.acls,
        rate_per_minute=given["rate"] or info.rate_per_minute,
        items_per_day=given["items"] or info.items_per_day,
        expires_in_days=_days(given["days"], _left(info)),
    )


async def note_new_scopes(session: Session, api: FamulusApi, scopes: Iterable[str]) -> None:
    """Say which scopes no source has: what was mistyped, or read in another language, grants nothing."""
    if session.is_json:
        return
    known = sorted({source.scope for source in await api.sources()})
    for scope in sorted(set(scopes).difference(known)):
        session.screen.note(
            msg(
                "No source has the scope {scope}; there are: {scopes}",
                scope=one_line(scope, 60),
                scopes=one_line(", ".join(known)) or "-",
            )
        )


def _left(info: ClientInfo) -> int | None:
    """The days that are left, counting the one that has begun; 0 or less where it is over."""
    if info.expires_at is None:
        return None
    return -int(-(info.expires_at - clock.now()).total_seconds() // _A_DAY_S)


def _level(word: str) -> Sensitivity:
    return Sensitivity.from_word(word)


def _days(given: int | None, otherwise: int | None) -> int | None:
    if given is None:
        return otherwise
    return given or None
