"""An entry as a draft: a message that a person may look at, change and send themselves."""

from __future__ import annotations

from email.headerregistry import Address as Mailbox
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import TYPE_CHECKING

from app.runtime import clock
from app.sources.parsing.blocks import one_line, whole_text

if TYPE_CHECKING:
    from app.domain.entries import Entry


def draft_message(entry: Entry, sender: str) -> bytes:
    """The bytes of a draft: title, recipients and text; what names no mail address is left out."""
    message = EmailMessage(policy=SMTP)
    message["Subject"] = one_line(entry.title)
    message["Date"] = format_datetime(clock.now())
    if (own := _mailbox("", sender)) is not None:
        message["From"] = own
    found = (_mailbox(person.name, person.address) for person in entry.people if person.role == "recipient")
    if recipients := [mailbox for mailbox in found if mailbox is not None]:
        message["To"] = recipients
    message.set_content(whole_text(entry.blocks), charset="utf-8", cte="base64")
    return message.as_bytes()


def _mailbox(name: str, address: str) -> Mailbox | None:
    try:
        return Mailbox(one_line(name), addr_spec=address) if "@" in address else None
    except (ValueError, IndexError, LookupError):
        return None
