"""The words of the closed lists, as people read them; programs get the values themselves (`--json`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.domain.text import Text, msg

if TYPE_CHECKING:
    from datetime import date

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400
_WORDS: Final = {
    # kinds of entries, their status, the scopes that are ours
    "document": msg("document"),
    "note": msg("note"),
    "mail": msg("mail"),
    "event": msg("event"),
    "task": msg("task"),
    "chat": msg("chat"),
    "contact": msg("contact"),
    "bookmark": msg("bookmark"),
    "visit": msg("visited page"),
    "picture": msg("picture"),
    "voice": msg("voice note"),
    "pending": msg("pending"),
    "draft": msg("draft"),
    "active": msg("active"),
    "done": msg("done"),
    "canceled": msg("canceled"),
    "superseded": msg("superseded"),
    "personal": msg("personal"),
    # sources
    "files": msg("files"),
    "ics": msg("calendar"),
    "bookmarks": msg("bookmarks"),
    "history": msg("browser history"),
    "todo": msg("to-do list"),
    "notes": msg("notes"),
    "clips": msg("clips"),
    "imports": msg("imported files"),
    "idle": msg("idle"),
    "syncing": msg("collecting"),
    "paused": msg("paused"),
    "failed": msg("failed"),
    "public": msg("public"),
    "internal": msg("internal"),
    "confidential": msg("confidential"),
    "highly_sensitive": msg("highly sensitive"),
    # the database and the model
    "open": msg("open"),
    "new": msg("not made yet"),
    "passphrase_needed": msg("locked by a passphrase"),
    "keychain_locked": msg("the keychain is locked"),
    "keychain_missing": msg("there is no keychain"),
    "key_missing": msg("its key is missing"),
    "absent": msg("absent"),
    "preparing": msg("being prepared"),
    "loading": msg("loading"),
    "ready": msg("ready"),
    "ok": msg("ok"),
    # what `check` counts
    "pages": msg("pages"),
    "tables": msg("tables"),
    "sources": msg("sources"),
    "entries": msg("entries"),
    "versions": msg("versions"),
    "chunks": msg("passages"),
    "words": msg("words"),
    "vectors": msg("vectors"),
    "waiting": msg("waiting for a vector"),
    "visibility": msg("visibility"),
    "index": msg("vector index"),
    "memory": msg("memory"),
    "cursors": msg("cursors"),
    "references": msg("references"),
    "records": msg("records"),
    "rules": msg("rules that run by themselves"),
}


_DAYS_OF_MONTHS: Final = (
    msg("{day} January {year}"),
    msg("{day} February {year}"),
    msg("{day} March {year}"),
    msg("{day} April {year}"),
    msg("{day} May {year}"),
    msg("{day} June {year}"),
    msg("{day} July {year}"),
    msg("{day} August {year}"),
    msg("{day} September {year}"),
    msg("{day} October {year}"),
    msg("{day} November {year}"),
    msg("{day} December {year}"),
)


def word(value: str) -> Text:
    """What people read for a value of a closed list; any other value stands for itself."""
    return _WORDS.get(value, Text(value))


def day_words(day: date) -> Text:
    """A calendar day as it is read within a sentence, in the language of whoever reads it."""
    return Text(_DAYS_OF_MONTHS[day.month - 1].template, {"day": day.day, "year": day.year})


def duration(seconds: float) -> Text:
    """A span of time in the unit that fits."""
    if seconds >= _DAY_S:
        return msg("{count} d", count=f"{seconds / _DAY_S:.1f}")
    if seconds >= _HOUR_S:
        return msg("{count} h", count=f"{seconds / _HOUR_S:.1f}")
    if seconds >= _MINUTE_S:
        return msg("{count} min", count=f"{seconds / _MINUTE_S:.1f}")
    return msg("{count} s", count=f"{seconds:.1f}")


def subject(name: str) -> tuple[Text, str]:
    """The words for a subject of `check`, and what it belongs to, such as a model's name."""
    first, _, rest = name.partition(" ")
    return word(first), rest
