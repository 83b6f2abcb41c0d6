"""What was read, as rows: each request, and below it the items that it got (G4.6)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from app.domain.text import counted, msg
from app.domain.words import word
from app.runtime import clock
from app.ui import moments, naming
from app.ui.rows import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from app.domain.clients import AuditedItem, AuditLine
    from app.ui.wording import Wording

_QUERY_CHARACTERS: Final = 300
_NAME_CHARACTERS: Final = 120
_CONSENT: Final = frozenset({"ask_access", "allow", "deny", "change", "revoke", "remove", "token"})


def of_lines(
    lines: Iterable[AuditLine], fits: Callable[[Iterable[str | None]], bool], wording: Wording, *, has_client: bool
) -> dict[str, list[Row]]:
    """Rows by the day of their request, newest first; of what does not fit, nothing."""
    days: dict[str, list[Row]] = {}
    for line in lines:
        is_fit = fits((line.query, line.client, line.template))
        items = [item for item in line.items if is_fit or fits((item.title, item.source_uri, line.query))]
        if is_fit or items:
            day = moments.written_day(line.at.astimezone(clock.now().tzinfo).date(), wording)
            rows = days.setdefault(day, [])
            rows.append(_request(line, wording, has_client=has_client))
            rows += [_item(line.request_id, item, wording) for item in items]
    return days


def is_fitting(line: AuditLine, fits: Callable[[Iterable[str | None]], bool]) -> bool:
    """Whether a line, or an item of it, is what is looked for."""
    if fits((line.query, line.client, line.template)):
        return True
    return any(fits((item.title, item.source_uri, line.query)) for item in line.items)


def is_request(line: AuditLine) -> bool:
    """Whether a line is a request, and not what a person said about permissions."""
    return line.action not in _CONSENT


def _request(line: AuditLine, wording: Wording, *, has_client: bool) -> Row:
    action = wording.say(naming.action_name(line.action))
    asked = naming.in_one_line(line.query or "", _QUERY_CHARACTERS)
    # what matters most comes first: a narrow window cuts the end
    details = [moments.clock_time(line.at.astimezone(clock.now().tzinfo))]
    if line.refusal is not None:
        reason = wording.say(naming.refusal_reason(line.refusal))
        details.append(wording.say(msg("refused: {reason}", reason=reason)))
    elif line.item_count or line.items:
        count = line.item_count
        details.append(wording.say(counted("{count} item", "{count} items", count=wording.number(count))))
    details += [wording.say(naming.client_name(line.client))] if has_client else []
    details += [action] if asked else []
    details += [line.template] if line.template else []
    return Row(
        key=line.request_id,
        icon="stop" if line.refusal is not None else naming.action_icon(line.action),
        title=asked or action,
        details=naming.DOT.join(details),
        is_strong=True,
    )


def _item(request_id: str, item: AuditedItem, wording: Wording) -> Row:
    details = [wording.say(word(item.sensitivity.word))]
    if item.is_stale:
        details.append(wording.say(msg("no longer valid")))
    if item.title is None:
        return Row(
            key=f"{request_id}/{item.rank}",
            icon="trash",
            title=wording.say(msg("Deleted since")),
            details=naming.DOT.join(details),
            depth=1,
        )
    if item.source_uri:
        details.append(source_in_short(item.source_uri))
    return Row(
        key=f"{request_id}/{item.rank}",
        icon=naming.sensitivity_icon(item.sensitivity),
        title=item.title,
        details=naming.DOT.join(details),
        uri=item.source_uri or "",
        depth=1,
    )


def source_in_short(uri: str) -> str:
    """The last name in an address, which is the file's, as it is written: addresses hide all but Latin letters."""
    parts: Sequence[str] = [part for part in uri.split("#", 1)[0].split("/") if part]
    return naming.in_one_line(unquote(parts[-1] if parts else uri), _NAME_CHARACTERS)


def since_of(span: str, now: datetime) -> datetime:
    """When a span begins: today, or so many days ago."""
    if span == "today":
        return now.replace(hour=0, minute=0, second=0, microsecond=0)
    return now - timedelta(days=int(span))
