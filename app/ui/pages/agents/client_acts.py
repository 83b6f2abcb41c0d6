"""What a person does with clients: add, connect, change, revoke, remove, a new token; each on its sheet (G4.6)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.domain.clients import ClientState
from app.domain.errors import Expected
from app.domain.text import msg
from app.ui.pages.agents.forms import ClientForm, ConnectForm
from app.ui.pages.agents.shown_once import ConnectionSheet, TokenSheet
from app.ui.parts.confirmation import Confirmation, confirm

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from app.domain.clients import ClientInfo
    from app.domain.text import Text
    from app.ui.desk import Desk
    from app.ui.pages.agents.clients import ClientsSection


class ClientActs:
    """Works on the section that shows the clients."""

    def __init__(self, section: ClientsSection, desk: Desk) -> None:
        self._section = section
        self._desk = desk

    def do(self, act: str, client: ClientInfo) -> None:
        """Do what a card's menu names."""
        acts: dict[str, Callable[[ClientInfo], object]] = {
            "change": self.change,
            "connect": self.connect_program,
            "token": self._ask_token,
            "revoke": self._ask_revoke,
            "remove": self._ask_remove,
        }
        acts[act](client)

    def add(self) -> ClientForm:
        """Open the sheet for a new client."""
        form = ClientForm(self._section, self._desk, self._section.scopes)
        form.wants.connect(lambda: form.send(partial(self._add, form), "add a client", form.do_button))
        form.open()
        return form

    async def _add(self, form: ClientForm) -> None:
        made = await self._desk.api.add_client(form.name.text().strip(), form.fields.grant())
        await self._section.load()
        TokenSheet(self._section, self._desk, made).open()

    def change(self, client: ClientInfo) -> ClientForm:
        """Open the sheet on which something else is granted."""
        form = ClientForm(self._section, self._desk, self._section.scopes, client)
        form.wants.connect(lambda: form.send(partial(self._change, form, client), "change a client", form.do_button))
        form.open()
        return form

    async def _change(self, form: ClientForm, client: ClientInfo) -> None:
        await self._desk.api.change_client(client.name, form.fields.grant())
        await self._section.load()

    def connect_program(self, client: ClientInfo | None) -> None:
        """Let the person choose a program, and set it up."""
        busy = (self._section.connect_button,)
        self._desk.doing(self._offer_programs(client), "offer programs", self._section.banner, busy=busy)

    async def _offer_programs(self, client: ClientInfo | None) -> None:
        programs = await self._desk.api.client_programs()
        if not programs:
            self._section.banner.show_note(
                msg("Famulus knows no program to connect on this system."),
                msg("Add an agent by hand, and set its program up with the token."),
            )
            return
        taken = [known.name for known in self._section.clients]
        form = ConnectForm(self._section, self._desk, programs, self._section.scopes, client, taken=taken)
        form.wants.connect(lambda is_writing: self._send_connect(form, is_writing=is_writing))
        form.open()

    def _send_connect(self, form: ConnectForm, *, is_writing: bool) -> None:
        work = partial(self._connect, form, is_writing=is_writing)
        form.send(work, "connect a program", form.do_button, form.show_button)

    async def _connect(self, form: ConnectForm, *, is_writing: bool) -> None:
        program = form.programs[form.program.key]
        made = await self._desk.api.connect_client(
            form.client_name, program.program_id, grant=form.grant(), is_writing=is_writing
        )
        await self._section.load()
        ConnectionSheet(self._section, self._desk, program, made).open()

    def _ask_token(self, client: ClientInfo) -> None:
        title = msg("Make a new token for {name}?", name=client.name)
        effects = (
            msg("It may read again what it was granted, from this moment on.")
            if client.state is ClientState.REVOKED
            else msg("The old token holds no longer, from this moment on."),
            msg("The program that uses it has to be given the new one."),
        )
        self._ask(title, effects, msg("Make a new one"), partial(self._new_token, client.name), is_final=False)

    async def _new_token(self, name: str) -> None:
        made = await self._desk.api.new_client_token(name)
        await self._section.load()
        TokenSheet(self._section, self._desk, made).open()

    def _ask_revoke(self, client: ClientInfo) -> None:
        title = msg("Revoke the access of {name}?", name=client.name)
        effects = (
            msg("It gets nothing any more, from this moment on."),
            msg("What it read before stays in the list of what was read."),
        )
        self._ask(title, effects, msg("Revoke"), partial(self._revoke, client.name), is_final=False)

    async def _revoke(self, name: str) -> None:
        card = self._section.cards.get(name)
        try:
            await self._desk.api.revoke_client(name)
        except Expected:
            if card is not None:
                card.is_unwritten = True
            raise
        if card is not None:
            card.is_unwritten = False
        await self._section.load()

    def _ask_remove(self, client: ClientInfo) -> None:
        title = msg("Remove {name}?", name=client.name)
        effects = (
            msg("Its token and what it was granted are forgotten."),
            msg("What it read before stays in the list of what was read."),
            msg("This cannot be undone, but it can be added again."),
        )
        self._ask(title, effects, msg("Remove"), partial(self._remove, client.name), is_final=True)

    async def _remove(self, name: str) -> None:
        await self._desk.api.remove_client(name)
        await self._section.load()

    def _ask(
        self,
        title: Text,
        effects: tuple[Text, ...],
        do: Text,
        work: Callable[[], Coroutine[Any, Any, None]],
        *,
        is_final: bool,
    ) -> None:
        question = Confirmation(self._section, self._desk, title, effects, do=do, dont=msg("Don't"))
        if not is_final:
            question.soften()
        confirm(question, lambda: self._desk.doing(work(), "change a client", self._section.banner))
