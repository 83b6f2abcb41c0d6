"""A chat export as its readers understand it, before it is cut into days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.text import Text


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes:
        sender: empty for what the program itself says ("Ann joined").
        account: the sender's number or address, where the export has it.
        message_id: the program's own; None: one is made of the message.
        is_media: whether it only says that a picture, a recording or the like stood there.
    """

    at: datetime
    sender: str
    text: str
    account: str = ""
    message_id: str | None = None
    first_line: int | None = None
    last_line: int | None = None
    is_media: bool = False


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of an export.

    Attributes:
        app: whatsapp, telegram, qq, wechat ...
        title: who or what it is with; empty where the export does not say.
        own_id: the program's id of it; empty where it has none.
        me: the name under which the user writes, where the export says so.
    """

    app: str
    title: str
    messages: Sequence[Message]
    own_id: str = ""
    me: str = ""


@dataclass(frozen=True, slots=True)
class Export:
    """All conversations of a file, and what a person should know of how it was read."""

    conversations: Sequence[Conversation]
    warnings: tuple[Text, ...] = ()
