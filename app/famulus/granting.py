"""A grant put into a client: what it may see from now on, and until when."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.clients import ClientInfo
from app.runtime import clock

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.clients import ClientState, Grant


def new_info(name: str, grant: Grant, state: ClientState, *, program: str) -> ClientInfo:
    """A client that is registered now, which is the consent."""
    now = clock.now()
    return ClientInfo(
        name=name,
        state=state,
        scopes=grant.scopes,
        acls=grant.acls,
        ceiling=grant.ceiling,
        rate_per_minute=grant.rate_per_minute,
        items_per_day=grant.items_per_day,
        program=program,
        is_session=False,
        created_at=now,
        consented_at=now,
        expires_at=_end_of(grant, now),
        last_seen_at=None,
    )


def granted(info: ClientInfo, grant: Grant) -> ClientInfo:
    """The same client with another grant."""
    return replace(
        info,
        scopes=grant.scopes,
        acls=grant.acls,
        ceiling=grant.ceiling,
        rate_per_minute=grant.rate_per_minute,
        items_per_day=grant.items_per_day,
        expires_at=_end_of(grant, clock.now()),
    )


def _end_of(grant: Grant, now: datetime) -> datetime | None:
    return None if grant.expires_in_days is None else now + timedelta(days=grant.expires_in_days)
