"""The pages that a browser visited, for as many days as the person chooses: where something was read.

One entry for each address, without secrets in it (`parsing/browser_urls`). It does not watch: a browser writes its
history with every click, and once in a while is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.text import msg

if TYPE_CHECKING:
    from app.sources.contract import Source, SourceContext
    from app.sources.registry import Registry

DAYS, DEFAULT_DAYS, MOST_DAYS = "days", 90, 3_650


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.registry import SourceKind, SourceOption  # noqa: PLC0415 - a list of kinds does not load them

    registry.register(
        SourceKind(
            name="history",
            meaning=msg("The pages that a browser visited, one entry for each."),
            location=msg("The file, the browser's profile folder, or: firefox, chromium, chrome, edge."),
            canonical=canonical,
            open=open_source,
            options=(
                SourceOption(DAYS, msg("How many days to look back."), str(DEFAULT_DAYS), check_days),
                SourceOption("exclude", msg("Hosts that are left out, such as: bank.example.com, example.org")),
            ),
        )
    )


def canonical(location: str) -> str:
    """The absolute path of the file; raises `BadInput` when there is none."""
    from app.sources.browser_places import browser_file  # noqa: PLC0415 - see `register`

    return browser_file(location, "History")


def check_days(value: str) -> None:
    """Raises `BadInput` for what is no number of days."""
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:6]) <= MOST_DAYS):
        raise BadInput(
            msg("{value} is no number of days.", value=value),
            next_step=msg("Give a number from 1 to {most}.", most=MOST_DAYS),
        )


def open_source(context: SourceContext) -> Source:
    """The history in one file."""
    from app.sources.history.source import history_source  # noqa: PLC0415 - see `register`

    return history_source(context)
