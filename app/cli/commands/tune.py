"""Tuning: new weights of ranking from what was marked, shown first, put in force on consent (G7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli import passphrase
from app.cli.command import command, option
from app.cli.commands.metrics_lines import figure
from app.cli.plain import plain
from app.domain.errors import Refused
from app.domain.text import msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from app.cli.session import Session
    from app.domain.metrics import TuningProposal
    from app.famulus.api import FamulusApi


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()


@command(_here, "tune", msg("Propose new weights of ranking from what you marked, and show what they would do."))
@option("--apply", "is_applying", is_flag=True, meaning=msg("Put them in force, after asking."))
@option("--yes", "is_sure", is_flag=True, meaning=msg("Do not ask."))
@option("--reset", "is_resetting", is_flag=True, meaning=msg("Take back what tuning changed."))
def tune(session: Session, *, is_applying: bool, is_sure: bool, is_resetting: bool) -> None:
    """Tune."""
    if is_applying and is_resetting:
        raise click.UsageError(translate(msg("Give either --apply or --reset.")))
    if is_resetting:
        _reset(session)
        return

    async def propose(api: FamulusApi) -> TuningProposal:
        return await api.propose_tuning(progress=session.progress, stop=session.stop)

    proposal, version = session.run(propose), None
    if not session.is_json:
        _say(session, proposal)
        if proposal.is_better and not is_applying:
            session.screen.note(msg("`famulus tune --apply` puts them in force."))
    if is_applying:
        _consent(proposal, is_sure=is_sure)

        async def apply(api: FamulusApi) -> str:
            return await api.apply_tuning(proposal.proposal_id)

        version = session.run(apply)
    if session.is_json:
        session.screen.json(plain(proposal) | {"applied": version})
    elif version is not None:
        session.screen.say(msg("In force: {version}", version=version))


def _reset(session: Session) -> None:
    async def work(api: FamulusApi) -> str:
        return await api.reset_tuning()

    version = session.run(work)
    if session.is_json:
        session.screen.json({"ranking": version})
        return
    session.screen.say(msg("In force: {version}", version=version))


def _say(session: Session, proposal: TuningProposal) -> None:
    for one in proposal.changes:
        session.screen.say(f"  {one.name}: {one.before:g} -> {one.after:g}")
    if proposal.order_before is not None and proposal.order_after is not None:
        session.screen.say(
            msg(
                "Learned from {learned} marked questions, measured on {held_out} others.",
                learned=proposal.learned_from,
                held_out=proposal.held_out,
            )
        )
        before, after = figure(proposal.hit_before), figure(proposal.hit_after)
        session.screen.say(
            msg("Wanted entries among the first ten: {before}, then {after}", before=before, after=after)
        )
        session.screen.say(
            msg(
                "Their order (nDCG@10): {before}, then {after}",
                before=f"{proposal.order_before:.3f}",
                after=f"{proposal.order_after:.3f}",
            )
        )
    if proposal.reason is not None:
        session.screen.say(proposal.reason)


def _consent(proposal: TuningProposal, *, is_sure: bool) -> None:
    """Raises `Refused` where there is nothing to apply, or nobody to ask."""
    if not proposal.is_better:
        raise Refused(
            proposal.reason or msg("There is nothing to put in force."),
            next_step=msg("Mark more questions: `famulus metrics mark`."),
        )
    if is_sure:
        return
    if not passphrase.can_ask():
        raise Refused(msg("Nobody is there to confirm it."), next_step=msg("Add --yes."))
    click.confirm(translate(msg("Put these weights in force?")), default=False, abort=True, err=True)
