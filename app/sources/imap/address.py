"""Which server, which user, and how the connection is kept from being read (RFC 5092, RFC 8314)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from app.domain.errors import BadInput
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.text import Text

_PORTS = {"imaps": 993, "imap": 143}
_PLAIN = "none"


class Security(StrEnum):
    """How the connection is encrypted: from its first byte on, after STARTTLS, or not at all."""

    TLS = "tls"
    STARTTLS = "starttls"
    NONE = _PLAIN


@dataclass(frozen=True, slots=True)
class Address:
    """Where the mail is. `user` is empty where neither the location nor the options name one."""

    host: str
    port: int
    user: str
    security: Security

    @property
    def recipient(self) -> str:
        """Host and port, for the ledger."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def canonical(location: str) -> str:
    """The location in the one way of writing it; raises `BadInput`."""
    scheme, host, port, user = _parts(location)
    shown = f"[{host}]" if ":" in host else host
    place = shown if port == _PORTS[scheme] else f"{shown}:{port}"
    return f"{scheme}://{quote(user, safe='')}@{place}" if user else f"{scheme}://{place}"


def read_address(location: str, options: Mapping[str, str]) -> Address:
    """The address that a source's location and options mean; raises `BadInput`."""
    scheme, host, port, user = _parts(location)
    security = Security.TLS if scheme == "imaps" else Security.STARTTLS
    if (wanted := options.get("security", "")) != "":
        from app.runtime.network_routes import is_this_device  # noqa: PLC0415 - a list of kinds does not load it

        check_security(wanted)
        if scheme == "imaps" or not is_this_device(host):
            raise BadInput(
                msg("Mail is not fetched unencrypted from another device."),
                next_step=msg(
                    "Leave the option `security` out, and use an address that begins with imap:// or imaps://."
                ),
            )
        security = Security.NONE
    return Address(host, port, options.get("user", "").strip() or user, security)


def check_security(value: str) -> None:
    """Raises `BadInput` for a word that means nothing."""
    if value not in ("", _PLAIN):
        raise BadInput(
            msg("The option security can only be `none`."),
            next_step=msg("Leave it out: imaps:// encrypts from the beginning, imap:// after STARTTLS."),
        )


def _parts(location: str) -> tuple[str, str, int, str]:
    """Scheme, host, port and user; raises `BadInput`."""
    try:
        parts = urlsplit(location.strip())
        port, host, user = parts.port, parts.hostname or "", unquote(parts.username or "", errors="strict")
    except ValueError:
        raise _not_understood(msg("This address cannot be understood.")) from None
    if parts.scheme not in _PORTS or not host or any(sign.isspace() for sign in host):
        raise _not_understood(msg("This is not the address of a mail server."))
    if parts.password is not None:
        raise BadInput(
            msg("A password does not belong into the address."),
            next_step=msg("Leave it out; you are asked for it, and it goes into the keychain."),
        )
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise _not_understood(msg("An address of a mail server ends with its name or port."))
    if any(ord(sign) < ord(" ") for sign in user):
        raise _not_understood(msg("This address cannot be understood."))
    return parts.scheme, host, port or _PORTS[parts.scheme], user


def _not_understood(what: Text) -> BadInput:
    return BadInput(what, next_step=msg("Write it like imaps://zhang@imap.example.com."))
