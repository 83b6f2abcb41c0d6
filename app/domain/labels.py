"""The closed lists: sensitivity, trust, status, kinds (G8.2, G2.5, X9.1)."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Sensitivity(IntEnum):
    """How much harm a leak would do (G8.2). Never lowered automatically."""

    PUBLIC = 0
    INTERNAL = 1
    CONFIDENTIAL = 2
    HIGHLY_SENSITIVE = 3

    @property
    def word(self) -> str:
        """The name on the command line and in JSON."""
        return self.name.lower()

    @classmethod
    def from_word(cls, word: str) -> Sensitivity:
        """Read a name; raises KeyError for an unknown one."""
        return cls[word.upper()]


class Trust(IntEnum):
    """Where a statement comes from (X9.1). A derived thing has the minimum over its lineage."""

    WEB = 0
    STRANGER = 1
    KNOWN_SENDER = 2
    OWN_FILES = 3
    USER = 4


ANYONE = "anyone"
TRUST_WORDS = {ANYONE: Trust.WEB, "known": Trust.KNOWN_SENDER, "own": Trust.OWN_FILES}
"""How far at least what is asked for has to be trusted, in words."""


class Status(StrEnum):
    """G2.5, and what the article's own rule sets ("the launch status changes to pending", G2.7)."""

    DRAFT = "draft"
    ACTIVE = "active"
    PENDING = "pending"
    DONE = "done"
    CANCELED = "canceled"
    SUPERSEDED = "superseded"


class EntryKind(StrEnum):
    """What an entry is: the `source_type` of a ContextItem."""

    DOCUMENT = "document"
    NOTE = "note"
    MAIL = "mail"
    EVENT = "event"
    TASK = "task"
    CHAT = "chat"
    CONTACT = "contact"
    BOOKMARK = "bookmark"
    VISIT = "visit"
    PICTURE = "picture"
    VOICE = "voice"


class BlockKind(StrEnum):
    """What a stretch of a document is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    QUOTE = "quote"
