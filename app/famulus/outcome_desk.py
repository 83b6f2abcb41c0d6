"""What clients report of the answers they got (G7): who used what, and whether it worked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.text import msg
from app.famulus.handouts import Ask
from app.famulus.serving_desk import no_item
from app.policy.client_requests import checked_outcome, may_be_request
from app.runtime import clock
from app.store.request_log import asker_of, put_outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.serving import Outcome
    from app.famulus.parts import Parts
    from app.famulus.serving_line import ServingLine
    from app.store.database import Database


class OutcomeDesk:
    """See the module docstring. Its method is called on the loop."""

    def __init__(self, parts: Parts, database: Database, line: ServingLine) -> None:
        self._parts = parts
        self._database = database
        self._line = line

    async def report(self, token: str, outcome: Outcome) -> None:
        """Take a report of a client down.

        Raises:
            Denied, Refused: as every request.
            BadInput: the request was not this client's, or an id is none that it was given.
        """
        ask = Ask("outcome")
        caller = self._line.admit(token, ask)
        name = caller.info.name

        def write(told: Outcome, cited: Sequence[str]) -> None:
            with self._database.write() as tx:
                if not may_be_request(told.request_id) or asker_of(tx, told.request_id) != name:
                    raise _no_request()
                put_outcome(tx, told, actor=name, cited=cited, now=clock.now())

        with self._line.noting(name, ask):
            told = checked_outcome(outcome)
            opened = [caller.seal.open(item_id) for item_id in told.cited]
            cited = [item_id for item_id in opened if item_id is not None]
            if len(cited) < len(opened):
                raise no_item()
            await self._parts.lanes.writer.run(write, told, cited)
        await self._line.keep(caller, ask)


def _no_request() -> BadInput:
    return BadInput(
        msg("There is no such request."), next_step=msg("Report with the request_id that came with the answer.")
    )
