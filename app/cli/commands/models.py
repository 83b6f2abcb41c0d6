"""Commands about the models on this device; the embedding model finds entries by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli import passphrase
from app.cli.command import argument, command, option, subgroup
from app.cli.plain import plain
from app.cli.session import Opening
from app.domain.errors import Refused
from app.domain.text import Text, msg
from app.runtime.environment import expanded
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


@command(models, "remove", msg("Delete a model from this device."))
@argument("name", meaning=msg("Its name, as `models list` shows it."))
@option("--yes", "is_sure", meaning=msg("Do not ask."), is_flag=True)
def remove(session: Session, name: str, *, is_sure: bool) -> None:
    """Remove a model; asks where it is in use."""

    async def work(api: FamulusApi) -> None:
        in_use = any(model.model_id == name and model.is_in_use for model in await api.models())
        if in_use and not is_sure:
            _confirm(msg("Famulus searches with {name} now. Remove it, and search by words only?", name=name))
        await api.remove_model(name)

    session.run(work, opening=Opening.NEVER)
    if session.is_json:
        session.screen.json({"removed": name})
    else:
        session.screen.say(msg("Removed."))


@command(models, "build", msg("Build a model from the folder of an encoder, as its makers publish it."))
@argument("folder", meaning=msg("The folder with config.json, model.safetensors and the tokenizer."))
@option("--name", meaning=msg("What to call it; the folder's name without it."))
def build(session: Session, folder: str, name: str | None) -> None:
    """Build a pack."""

    async def work(api: FamulusApi) -> ModelInfo:
        # the process that builds stands in another folder
        place = str(expanded(folder).absolute())
        return await api.build_model(place, name=name, progress=session.progress, stop=session.stop)

    built = session.run(work, opening=Opening.NEVER)
    if session.is_json:
        session.screen.json(plain(built))
    else:
        _say(session, built)
        session.screen.say(msg("    fidelity {fidelity}", fidelity=f"{built.fidelity:.4f}"))


def _confirm(question: Text) -> None:
    """Ask; refuse where nobody can be asked."""
    if not passphrase.can_ask():
        raise Refused(msg("The model is in use, and nobody is there to confirm it."), next_step=msg("Add --yes."))
    click.confirm(translate(question), default=False, abort=True, err=True)


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
    facts = (model.task, ", ".join(model.languages), size, model.licence)
    session.screen.say("    " + " · ".join(fact for fact in facts if fact))
    if model.problem is not None:
        session.screen.say("    " + translate(model.problem))


def _state(model: ModelInfo) -> Text:
    if not model.is_installed:
        return msg("not installed")
    return msg("installed, as it should be") if model.is_verified else msg("installed, but changed or incomplete")
