"""What a client may see, in words: the same sentence where it is asked for and where it was granted (G4.6, G8.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.domain.clients import EXPIRES_IN_DAYS
from app.domain.text import Text, counted, msg
from app.domain.words import word
from app.ui import moments, naming

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from app.domain.clients import ClientInfo, Grant
    from app.domain.labels import Sensitivity
    from app.ui.wording import Wording

NEVER: Final = "never"
EXPIRIES: Final = {
    "1": msg("After a day"),
    "7": msg("After a week"),
    "30": msg("After 30 days"),
    "90": msg("After 90 days"),
    "365": msg("After a year"),
    NEVER: msg("Never"),
}
SESSION_EXPIRIES: Final = {
    str(EXPIRES_IN_DAYS): msg("With its program"),
    "1": EXPIRIES["1"],
    "7": EXPIRIES["7"],
    "30": EXPIRIES["30"],
}
"""For what asks without a token: nothing of it outlives the program."""


def scopes_in_words(scopes: Iterable[str], wording: Wording) -> str:
    """Scopes as a list, in the order of the alphabet."""
    return wording.listed(naming.scope_name(scope) for scope in sorted(scopes))


def effect(grant: Grant, wording: Wording) -> Text:
    """What a grant would give, before it is given."""
    if not grant.scopes:
        return msg("Nothing is chosen yet, so it would see nothing.")
    return msg(
        "It could read what belongs to {scopes}, up to {ceiling}.",
        scopes=scopes_in_words(grant.scopes, wording),
        ceiling=level_in_words(grant.ceiling, wording),
    )


def level_in_words(level: Sensitivity, wording: Wording) -> str:
    """A level of sensitivity as a word."""
    return wording.say(word(level.word))


def reach(client: ClientInfo, wording: Wording) -> Text:
    """What a client may see."""
    if not client.scopes:
        return msg("It sees nothing.")
    return msg(
        "Reads {scopes}, up to {ceiling}",
        scopes=scopes_in_words(client.scopes, wording),
        ceiling=level_in_words(client.ceiling, wording),
    )


def limits(client: ClientInfo, wording: Wording) -> Text:
    """How much a client may read."""
    rate, items = wording.number(client.rate_per_minute), wording.number(client.items_per_day)
    return msg(
        "{requests}, {items}",
        requests=counted("{count} request a minute", "{count} requests a minute", count=rate),
        items=counted("{count} item a day", "{count} items a day", count=items),
    )


def expiry(client: ClientInfo, wording: Wording, now: datetime) -> Text:
    """Until when."""
    if client.is_session:
        return msg("ends with the program that asked")
    if client.expires_at is None:
        return msg("never expires")
    day = moments.written_date(client.expires_at.astimezone(now.tzinfo).date(), wording)
    return msg("expired on {day}", day=day) if client.expires_at <= now else msg("until {day}", day=day)


def last_seen(client: ClientInfo, wording: Wording, now: datetime) -> Text:
    """When it asked last."""
    if client.last_seen_at is None:
        return msg("has not asked yet")
    return msg("asked {age}", age=wording.say(moments.age(client.last_seen_at, now)))
