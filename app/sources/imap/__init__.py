"""Mail on a server (IMAP4rev1, RFC 3501): the folders that a person chose, followed by what the server tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import msg

if TYPE_CHECKING:
    from app.sources.contract import Source, SourceContext
    from app.sources.registry import Registry


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.contract import Capability  # noqa: PLC0415 - a list of kinds does not load them
    from app.sources.imap.address import canonical, check_security  # noqa: PLC0415 - see above
    from app.sources.registry import SourceKind, SourceOption  # noqa: PLC0415 - see above

    registry.register(
        SourceKind(
            name="imap",
            meaning=msg("Mail on a server (IMAP)."),
            location=msg("The server with the user name, such as imaps://zhang@imap.example.com."),
            canonical=canonical,
            open=open_source,
            needs_secret=True,
            options=(
                SourceOption(
                    "folders",
                    msg("Which folders, separated by commas; left out: all but drafts, junk and trash."),
                ),
                SourceOption("user", msg("The user name, where it does not stand in the address.")),
                SourceOption(
                    "security",
                    msg("`none` speaks without encryption, with a server on this device only."),
                    check=check_security,
                ),
            ),
            capabilities=frozenset((Capability.PUSH, Capability.SEARCH, Capability.WRITE)),
        )
    )


def open_source(context: SourceContext) -> Source:
    """A mailbox on a server."""
    from app.sources.imap.source import ImapSource  # noqa: PLC0415 - see `register`

    return ImapSource(context)
