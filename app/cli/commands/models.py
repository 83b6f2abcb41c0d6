"""Commands about the embedding model, which finds entries by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import command, subgroup
from app.cli.plain import plain
from app.cli.session import Opening
from app.domain.text import Text, msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.session import Session
    from app.famulus.api import FamulusApi, ModelInfo

_REFUSED = 3
_MIB = 1 << 20


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    root.add_command(models)


models = subgroup(click.Group(), "models", msg("The models on this device."))


@command(models, "list", msg("List the models, installed and not."))
def list_models(session: Session) -> None:
    """List models."""
    _show(session, _found(session))


@command(models, "install", msg("Fetch the embedding model, check it, and build it."))
def install(session: Session) -> None:
    """Install the model."""

    async def work(api: FamulusApi) -> ModelInfo:
        return await api.install_model(progress=session.progress, stop=session.stop)

    installed = session.run(work, opening=Opening.NEVER)
    if session.is_json:
        session.screen.json(plain(installed))
    else:
        _say(session, installed)


@command(models, "verify", msg("Check the files of the installed models."))
def verify(session: Session) -> int:
    """Verify models."""
    found = _found(session)
    _show(session, found)
    installed = [model for model in found if model.is_installed]
    if not installed:
        session.screen.note(msg("No model is installed. Install it with: famulus models install"))
    return 0 if installed and all(model.is_verified for model in installed) else _REFUSED


def _found(session: Session) -> Sequence[ModelInfo]:
    async def work(api: FamulusApi) -> Sequence[ModelInfo]:
        return await api.models()

    return session.run(work, opening=Opening.NEVER)


def _show(session: Session, found: Sequence[ModelInfo]) -> None:
    if session.is_json:
        session.screen.json(plain(found))
        return
    for model in found:
        _say(session, model)


def _say(session: Session, model: ModelInfo) -> None:
    session.screen.say(f"{model.model_id} {model.version}  {translate(_state(model))}")
    size = f"{model.size_bytes / _MIB:.0f} MiB"
    session.screen.say(f"    {model.task} · {', '.join(model.languages)} · {size} · {model.licence}")


def _state(model: ModelInfo) -> Text:
    if not model.is_installed:
        return msg("not installed")
    return msg("installed, as it should be") if model.is_verified else msg("installed, but changed or incomplete")
