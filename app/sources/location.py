"""Where a source lies, as a person names it: a path on this device, or an address on the web."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit, urlunsplit

from app.domain.errors import BadInput
from app.domain.text import msg
from app.runtime.environment import expanded


def existing_path(location: str) -> str:
    """An absolute path with all links followed; raises `BadInput` when nothing is there."""
    try:
        path = expanded(location).resolve(strict=True)
        is_usable = bool(location) and (path.is_dir() or path.is_file())  # "" would be the working folder
    except (OSError, RuntimeError, ValueError):
        is_usable = False
    if not is_usable:
        raise BadInput(
            msg("There is no folder or file at {location}.", location=location),
            next_step=msg("Look whether the path is right, and whether its disk is connected."),
        )
    return str(path)


def web_address(location: str, *, may_name_user: bool = False) -> str:
    """An http address in one spelling; `webcal` means https.

    Raises:
        BadInput: it is none, or has a password in it (addresses are shown, and passwords are not).
    """
    text = location.strip()
    scheme = text.partition(":")[0].lower()
    if scheme in {"webcal", "webcals"}:
        text = "https" + text[len(scheme) :]
    try:
        parts = urlsplit(text)
        has_place = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        has_place = False
    if not has_place or not text.isprintable() or " " in text:
        raise BadInput(
            msg("{location} is no address on the web.", location=location[:200]),
            next_step=msg("Give it as https://cloud.example.org/ or the like."),
        )
    user, at, place = parts.netloc.rpartition("@")
    if parts.password is not None or (at and not may_name_user):
        raise BadInput(
            msg("The address holds a user name or a password."),
            next_step=msg("Leave it out of the address; the password is asked for and goes into the keychain."),
        )
    return urlunsplit((parts.scheme, f"{user}{at}{place.lower()}", parts.path or "/", parts.query, ""))


def without_user(address: str) -> tuple[str, str]:
    """An address of `web_address` without its user name, and the name; empty where there is none."""
    parts = urlsplit(address)
    user, _, place = parts.netloc.rpartition("@")
    return urlunsplit((parts.scheme, place, parts.path, parts.query, "")), unquote(user)
