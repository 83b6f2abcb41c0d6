"""How commands are declared: with click, with help that is translated when it is shown, and with the global options.

The global options may stand before or after the name of a command; the later one wins.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from app.cli.session import Session
from app.domain.instants import parse_iso
from app.domain.text import Text, msg
from app.runtime import clock
from app.runtime.translation import LANGUAGES, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    Function = Callable[..., Any]


_HEADINGS = {
    "Options": msg("Options"),
    "Commands": msg("Commands"),
    "Positional arguments": msg("Positional arguments"),
}


class _Translated:
    """Help that is a `Text`, put into the person's language at the moment of showing it."""

    text: Text

    def _in_their_language(self) -> str:
        return translate(self.text)

    def _set_by_click(self, _: str | None) -> None:
        """Click sets its own at first; ours stands."""

    help = property(_in_their_language, _set_by_click)


class TranslatedOption(_Translated, click.Option):
    """An option with its meaning."""

    def __init__(self, *args: Any, meaning: Text, **kwargs: Any) -> None:  # noqa: ANN401 - as click has them
        self.text = meaning
        super().__init__(*args, **kwargs)


class TranslatedArgument(_Translated, click.Argument):
    """An argument with its meaning."""

    def __init__(self, *args: Any, meaning: Text, **kwargs: Any) -> None:  # noqa: ANN401 - as click has them
        self.text = meaning
        super().__init__(*args, **kwargs)


class _Formatter(click.HelpFormatter):
    """Help whose headings are in the person's language."""

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        super().write_heading(translate(_HEADINGS.get(heading, heading)))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        super().write_usage(prog, args, prefix if prefix is not None else translate(msg("Usage:")) + " ")


class _Context(click.Context):
    formatter_class = _Formatter


class _Command(_Translated):
    context_class: type[click.Context] = _Context

    def __init__(self, *args: Any, meaning: Text, **kwargs: Any) -> None:  # noqa: ANN401 - as click has them
        self.text = meaning
        super().__init__(*args, **kwargs)
        cast("click.Command", self).params.extend(_global_options())

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Speak the person's language before the first word."""
        if isinstance(ctx.obj, Session):
            ctx.obj.speak()
        super().format_help(ctx, formatter)  # type: ignore[misc]  # of the click class beside this one

    def get_short_help_str(self, limit: int = 45) -> str:
        """The whole first sentence, in lists of commands."""
        del limit
        return re.split(r"\. |。", translate(self.text))[0].rstrip(".")

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Click's own option, in our words."""
        found: click.Option | None = super().get_help_option(ctx)  # type: ignore[misc]  # of the click class beside
        if found is not None:
            found.help = translate(msg("Show this message and exit."))
        return found


class TranslatedCommand(_Command, click.Command):
    """A command with its meaning."""


class TranslatedGroup(_Command, click.Group):
    """A group of commands with its meaning."""


def command(
    group: click.Group, name: str, meaning: Text, *, cls: type[TranslatedCommand] = TranslatedCommand, **options: object
) -> Callable[[Function], click.Command]:
    """Declare a function, whose first argument is the session, as a command of `group`."""

    def declare(function: Function) -> click.Command:
        def begin(context: click.Context, /, **values: Any) -> Any:  # noqa: ANN401 - as click has them
            session: Session = context.obj
            session.speak()
            return function(session, **values)

        begin.__dict__.update(function.__dict__)  # click keeps declared parameters there
        add = group.command(name, cls=cls, meaning=meaning, **options)
        made: click.Command = add(click.pass_context(begin))
        return made

    return declare


def subgroup(group: click.Group, name: str, meaning: Text) -> click.Group:
    """Declare a group of commands within `group`."""
    made = TranslatedGroup(name, meaning=meaning)
    group.add_command(made)
    return made


def option(*names: str, meaning: Text, **attributes: Any) -> Callable[[Function], Function]:  # noqa: ANN401
    """Declare an option of a command."""
    return click.option(*names, cls=TranslatedOption, meaning=meaning, **attributes)


def argument(name: str, *, meaning: Text, **attributes: Any) -> Callable[[Function], Function]:  # noqa: ANN401
    """Declare an argument of a command."""
    return click.argument(name, cls=TranslatedArgument, meaning=meaning, **attributes)


def _global_options() -> list[click.Parameter]:
    return [
        _global("--basedir", "basedir", msg("Keep everything under this folder."), type=click.Path(path_type=Path)),
        _global("--now", "now", msg("Take this ISO time for the present."), metavar="ISO", read=_read_now),
        _global("--json", "is_json", msg("Print JSON."), is_flag=True),
        _global("--lang", "language", msg("The language to speak."), type=click.Choice(("auto", *LANGUAGES))),
        _global(
            "--passphrase-fd",
            "passphrase_fd",
            msg("Read the passphrase from this file descriptor."),
            type=int,
            metavar="N",
        ),
    ]


def _global(
    name: str,
    attribute: str,
    meaning: Text,
    *,
    read: Callable[[Any], object] = lambda value: value,
    **attributes: Any,  # noqa: ANN401 - as click has them
) -> TranslatedOption:
    def keep(context: click.Context, _: click.Parameter, value: Any) -> None:  # noqa: ANN401 - of any option
        if value is not None and value is not False and isinstance(context.obj, Session):
            setattr(context.obj, attribute, read(value))

    return TranslatedOption([name], meaning=meaning, callback=keep, expose_value=False, **attributes)


def _read_now(text: str) -> object:
    try:
        return clock.checked(parse_iso(text, clock.local_zone()))
    except ValueError:
        what = msg("{text} is no ISO 8601 time between the years 1000 and 9000.", text=repr(text))
        raise click.BadParameter(translate(what)) from None
