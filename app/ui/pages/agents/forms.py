"""The sheets on which a client is added by hand, granted something else, or set up in a program (G4.6).

Whoever fills one in consents by that. Enter does not: each ends with a button that is pressed on purpose.
"""

from __future__ import annotations

from itertools import chain, count
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal

from app.domain.clients import EXPIRES_IN_DAYS, ClientState, Grant, likeness
from app.domain.errors import BadInput
from app.domain.text import Text, msg
from app.runtime import clock
from app.ui.pages.agents.grant_fields import GrantFields
from app.ui.parts.buttons import button
from app.ui.parts.choice import Choice
from app.ui.parts.labels import ElidedLabel, plain, said
from app.ui.parts.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from PySide6.QtWidgets import QWidget

    from app.domain.clients import ClientInfo, ClientProgram
    from app.ui.desk import Desk

_NAME: Final = msg("A name for it, such as notes-helper")
_DAY_S: Final = 86_400


def grant_of(client: ClientInfo, now: datetime) -> Grant:
    """What a client holds, as a grant; its end in whole days from now, and anew for one whose end has come."""
    days = None
    if client.state is ClientState.EXPIRED:
        days = EXPIRES_IN_DAYS
    elif client.expires_at is not None:
        days = max(1, -int((now - client.expires_at).total_seconds() // _DAY_S))
    return Grant(
        client.scopes, client.ceiling, client.acls, client.rate_per_minute, client.items_per_day, expires_in_days=days
    )


class ClientForm(Sheet):
    """A new client, or (with `known`) what a known one may read; `wants` tells that the main button was pressed."""

    wants = Signal()

    def __init__(self, parent: QWidget, desk: Desk, scopes: Iterable[str], known: ClientInfo | None = None) -> None:
        title = msg("Add an agent") if known is None else msg("What {name} may read", name=known.name)
        about = msg("You get a token for it, which is shown once. It sees what you tick here, and nothing else.")
        super().__init__(parent, desk, title, about if known is None else msg("It holds from the next request on."))
        self._is_known = known is not None
        if known is None:
            self.name = self.field(_NAME)
        self.fields = GrantFields(desk, scopes, grant_of(known, clock.now()) if known is not None else None)
        self._effect = plain(is_wrapping=True)
        self.inside.addWidget(self.fields)
        self.inside.addWidget(self._effect)
        do = msg("Add it") if known is None else msg("Save")
        self.do_button = button(desk.wording, do, self.wants.emit, role="primary")
        self.dont_button = button(desk.wording, msg("Cancel"), self.reject)
        self.end_with(self.dont_button, self.do_button)
        self.fields.changed.connect(self._show)
        desk.wording.changed.connect(self._show)
        self._show()
        if known is None:
            self.name.setFocus()

    def _show(self) -> None:
        # a known one may be left with nothing
        self.do_button.setEnabled(self._is_known or bool(self.fields.scopes()))
        self._effect.setText(self.fields.effect())


class ConnectForm(Sheet):
    """One of the known programs is set up to ask as a client; `wants` tells whether its file is to be written.

    Args:
        taken: the names of the clients that there are; a new one gets none of them.
    """

    wants = Signal(bool)

    def __init__(
        self,
        parent: QWidget,
        desk: Desk,
        programs: Sequence[ClientProgram],
        scopes: Iterable[str],
        known: ClientInfo | None = None,
        *,
        taken: Iterable[str] = (),
    ) -> None:
        about = msg("Famulus writes itself into the program's list of servers, and keeps a copy of the file as it was.")
        super().__init__(parent, desk, msg("Connect a program"), about)
        self._known = known
        self._taken = frozenset(map(likeness, taken))
        self.programs = {program.program_id: program for program in _present_first(programs)}
        options = {program_id: _named(program) for program_id, program in self.programs.items()}
        self.program = Choice(desk.wording, desk.theme, msg("Program"), options)
        self._path = ElidedLabel("hint")
        self.ask(msg("Program"), self.program)
        self.inside.addWidget(self._path)
        self.fields = GrantFields(desk, scopes, has_limits=False)
        self._effect = plain(is_wrapping=True)
        if known is None:
            self.name = self.field(msg("The name that it will have here"))
            self.inside.addWidget(self.fields)
            self.inside.addWidget(self._effect)
        else:
            self.fields.hide()
            says = msg("It will ask as {name}, and may read what {name} may.", name=known.name)
            self.inside.addWidget(said(desk.wording, says, is_wrapping=True))
        self._end()
        self.program.chosen.connect(lambda _: self._on_program())
        self.fields.changed.connect(self._show)
        desk.wording.changed.connect(self._show)
        self._on_program()

    @property
    def client_name(self) -> str:
        """As which client the program asks."""
        return self._known.name if self._known is not None else self.name.text().strip()

    def grant(self) -> Grant | None:
        """What a new client may see; None where there is a client already.

        Raises:
            BadInput: a number that cannot be, or the name of another client, which would lose what it was granted.
        """
        if self._known is not None:
            return None
        if likeness(self.client_name) in self._taken:
            raise BadInput(
                msg("There is a client {name} already.", name=self.client_name),
                next_step=msg("Choose another name, or connect the program from the menu of that agent."),
            )
        return self.fields.grant()

    def _end(self) -> None:
        wording = self._desk.wording
        self.show_button = button(wording, msg("Only show what to write"), lambda: self.wants.emit(False), role="quiet")
        self.dont_button = button(wording, msg("Cancel"), self.reject)
        self.do_button = button(wording, msg("Connect"), lambda: self.wants.emit(True), role="primary")
        self.end_with(self.show_button, self.dont_button, self.do_button)

    def _on_program(self) -> None:
        program = self.programs[self.program.key]
        self._path.show_text(program.path)
        if self._known is None:
            numbered = (f"{program.program_id}-{number}" for number in count(2))
            free = (name for name in chain((program.program_id,), numbered) if likeness(name) not in self._taken)
            self.name.setText(next(free))
        self._show()

    def _show(self) -> None:
        is_seeing = self._known is not None or bool(self.fields.scopes())
        self.do_button.setEnabled(is_seeing)
        self.show_button.setEnabled(is_seeing)
        self._effect.setText(self.fields.effect())


def _present_first(programs: Sequence[ClientProgram]) -> list[ClientProgram]:
    return sorted(programs, key=lambda program: not program.is_present)


def _named(program: ClientProgram) -> Text:
    name = Text("{name}", {"name": program.name})
    return name if program.is_present else msg("{name} (not found here)", name=program.name)
