"""Commands about the settings; all of it comes from their declarations."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import click

from app.cli.command import TranslatedCommand, argument, command, subgroup
from app.domain.text import msg
from app.runtime.translation import translate
from app.settings.declarations import BY_NAME, DECLARATIONS, Setting
from app.settings.kinds import Choice, Flag
from app.settings.settings import declaration

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from app.cli.session import Session


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    root.add_command(settings)


class _Name(click.ParamType[str]):
    """The name of a setting, which the shell can complete."""

    name = "name"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Names that begin so."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - for the shell alone

        del ctx, param
        return [
            CompletionItem(name, help=translate(s.meaning))
            for name, s in BY_NAME.items()
            if name.startswith(incomplete)
        ]


class _Value(click.ParamType[str]):
    """A value for the setting that was named before it."""

    name = "value"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The words that the setting allows."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - for the shell alone

        del param
        setting = BY_NAME.get(ctx.params.get("name", ""))
        words: tuple[str, ...] = ()
        if setting is not None and isinstance(setting.kind, Choice):
            words = setting.kind.words
        elif setting is not None and isinstance(setting.kind, Flag):
            words = ("true", "false")
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


class _SetCommand(TranslatedCommand):
    """Its help lists every setting, from the declarations."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list."""
        del ctx
        rows = []
        for setting in DECLARATIONS:
            allowed = translate(msg("Allowed: {allowed}.", allowed=setting.kind.allowed))
            rows.append((setting.name, f"{translate(setting.meaning)} {allowed}"))
        with formatter.section(translate(msg("Settings"))):
            formatter.write_dl(rows, col_max=34)


settings = subgroup(click.Group(), "settings", msg("What you can choose."))


@command(settings, "list", msg("List all settings with their values."))
def list_settings(session: Session) -> None:
    """List settings."""
    if session.is_json:
        session.screen.json([_flat(session, setting) for setting in DECLARATIONS])
    else:
        for setting in DECLARATIONS:
            mark = "" if session.settings.is_default(setting) else "*"
            session.screen.say(f"{setting.name} = {session.settings.text(setting.name)}{mark}")
            session.screen.say(f"    {translate(setting.meaning)}")
    for problem in session.settings.problems:
        session.screen.note(problem.what)


@command(settings, "get", msg("Print the value of a setting."))
@argument("name", meaning=msg("The name of the setting."), type=_Name())
def get_setting(session: Session, name: str) -> None:
    """Get a setting."""
    value = session.settings.text(name)
    if session.is_json:
        session.screen.json(_flat(session, BY_NAME[name]))
    else:
        session.screen.say(value)


@command(settings, "set", msg("Change a setting."), cls=_SetCommand)
@argument("name", meaning=msg("The name of the setting."), type=_Name())
@argument("value", meaning=msg("Its new value."), type=_Value())
def set_setting(session: Session, name: str, value: str) -> None:
    """Set a setting: through the running Famulus if there is one, so that it takes effect at once."""
    setting = declaration(name)
    is_running = asyncio.run(_tell_owner(session, name, value))
    if is_running:
        session.settings.reload()
    else:
        session.settings.change(name, value)
    if session.is_json:
        session.screen.json(_flat(session, setting))
    if is_running and setting.needs_restart:
        session.screen.note(msg("It takes effect when Famulus starts again (famulus quit)."))


async def _tell_owner(session: Session, name: str, value: str) -> bool:
    from app.famulus.client import RemoteFamulus  # noqa: PLC0415 - to change a setting only

    remote = await RemoteFamulus.connect(session.paths)
    if remote is None:
        return False
    try:
        if not remote.is_same_version:
            return False
        await remote.api.change_setting(name, value)
    finally:
        await remote.close()
    return True


def _flat(session: Session, setting: Setting[Any]) -> dict[str, object]:
    return {
        "name": setting.name,
        "value": session.settings.get(setting),
        "default": setting.default,
        "is_default": session.settings.is_default(setting),
        "needs_restart": setting.needs_restart,
        "meaning": translate(setting.meaning),
        "allowed": translate(setting.kind.allowed),
    }
