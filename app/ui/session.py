"""The desktop while it runs: tray, hotkey, quick-ask and window as one, from the first icon to a clean end."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.domain.events import SettingChanged
from app.domain.text import msg
from app.famulus.api import LockState
from app.settings.declarations import HOTKEY, LANGUAGE, THEME
from app.ui import input_method
from app.ui.coming import Coming
from app.ui.hotkey import Hotkey, load_listener
from app.ui.parts.clipboard import forget_secret
from app.ui.tray import Tray

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.errors import Expected
    from app.domain.text import Text
    from app.ui.desk import Desk
    from app.ui.main_window import MainWindow
    from app.ui.quick_ask import QuickAsk

_NO_TRAY = (
    msg("This desktop has no tray."),
    msg("Famulus stays in this window; closing it quits. The command famulus --toggle opens quick-ask."),
)
_ASKS = (
    msg("An agent asks to read from Famulus."),
    msg("It gets nothing before you answer. Click here to see who it is."),
)
_STAYS = (
    msg("Famulus stays in the tray."),
    msg("Closing the window does not end it. Quit it from the menu of its icon."),
)


class Session(QObject):
    """A `doing.Place` as well: problems of what the tray or the hotkey started are told here.

    The tray comes first; the window is made when somebody wants to see it.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._ended = asyncio.Event()
        self.tray = Tray(desk)
        self.hotkey = Hotkey()
        self.coming = Coming(desk)
        self._quick_ask: QuickAsk | None = None
        self._window: MainWindow | None = None
        self._notices: list[tuple[Text, ...]] = []
        self._applied: dict[str, str] = {}
        self._connect()
        self.tray.show()

    @property
    def quick_ask(self) -> QuickAsk:
        """The one panel; built by `start`, so that it is there at once when it is asked for."""
        if self._quick_ask is None:
            from app.ui.quick_ask import QuickAsk  # noqa: PLC0415 - see `_load`

            self._quick_ask = QuickAsk(self._desk)
            self._quick_ask.acted.connect(self.act)
            self._quick_ask.wants_window.connect(self.open_window)
        return self._quick_ask

    @property
    def window(self) -> MainWindow:
        """The one window."""
        if self._window is None:
            self._window = self._make_window()
        return self._window

    async def start(self, *, is_hidden: bool) -> None:
        """Listen for the hotkey, and show the window where the person is needed."""
        await self._desk.status.refresh()
        # importing takes a quarter of a second, in which the tray answers
        await self._desk.blocking.run(_load)
        # each piece in a turn of its own, so that the loop is not held up by all of them together
        _ = self.quick_ask
        await asyncio.sleep(0)
        self._listen(await self._desk.api.setting(HOTKEY.name))
        self.coming.start()
        if self._desk.status.is_open:
            self._desk.attention.look()
        await asyncio.sleep(0)
        if (hint := input_method.hint_here()) is not None:
            self._notices.append((hint,))
        if not self.tray.is_available():
            self._notices.append(_NO_TRAY)
            self.open_window()
        elif not is_hidden or not self._desk.status.is_open:
            self.open_window()

    async def until_end(self) -> None:
        """Return when the person has quit."""
        await self._ended.wait()

    def quit(self) -> None:
        """Come to an end."""
        self._ended.set()

    def close(self) -> None:
        """Take everything off the screen, and end what is under way."""
        self.coming.stop()
        self.hotkey.stop()
        self._desk.collecting.cancel_all()
        forget_secret()
        if self._quick_ask is not None:
            self._quick_ask.close()
        if self._window is not None:
            self._window.hide()
        self.tray.hide()

    def toggle(self) -> None:
        """Open or hide quick-ask; while nothing can be asked, open the window instead."""
        report = self._desk.status.report
        if report is not None and report.lock is LockState.NEW:
            self.open_window()
        else:
            self.quick_ask.toggle()

    def open_window(self) -> None:
        """Bring the window to the front."""
        self.window.open()

    def show_asking(self) -> None:
        """Open the window where a client waits for an answer."""
        self.window.show_asking()
        self.window.open()

    def act(self, name: str) -> None:
        """Do what a menu entry or an action of quick-ask names."""
        simple = {"ask": self.toggle, "quit": self.quit, "sync": self._sync, "consent": self.show_asking}
        if name in simple:
            simple[name]()
        elif name == "pause":
            self._desk.doing(self._toggle_pause(), "pause indexing", self)
        elif name == "lock":
            self._desk.doing(self._desk.api.lock(), "lock", self)
        else:
            self.window.show_page(name)
            self.window.open()

    def show_problem(self, error: Expected) -> None:
        """Tell it in the window, and beside the tray while the window is closed."""
        self.window.notice.show_problem(error)
        if not self.window.isVisible():
            self.tray.tell(error.what, error.next_step)

    def show_bug(self) -> None:
        """See `Banner`."""
        self.window.notice.show_bug()

    def end_problem(self) -> None:
        """See `Banner`."""
        self.window.notice.end_problem()

    def _sync(self) -> None:
        self._desk.collecting.sync_all(self)

    async def _toggle_pause(self) -> None:
        report = self._desk.status.report
        is_paused = report is not None and report.is_embedding_paused
        await self._desk.api.pause_indexing(is_paused=not is_paused)
        await self._desk.status.refresh()

    def _listen(self, keys: str) -> None:
        self.hotkey.listen(keys)
        if self._window is not None:
            self._show_hotkey(self._window)

    def _show_hotkey(self, window: MainWindow) -> None:
        window.show_hotkey(self.hotkey.keys if self.hotkey.is_active else "", self.hotkey.problem)

    def _on_setting(self, name: str, value: str) -> None:
        if self._applied.get(name) == value:
            return
        self._applied[name] = value
        if name == LANGUAGE.name:
            self._desk.wording.use(value)
        elif name == THEME.name:
            self._desk.theme.use(value)
        elif name == HOTKEY.name:
            self._listen(value)
            if self.hotkey.problem is not None:
                self.window.tell(self.hotkey.problem)

    def _on_language(self, language: str) -> None:
        self._desk.doing(self._change_language(language), "change the language", self)

    async def _change_language(self, language: str) -> None:
        self._on_setting(LANGUAGE.name, language)
        await self._desk.api.change_setting(LANGUAGE.name, language)

    def _on_closed(self) -> None:
        if not self.tray.is_available():
            self.quit()
            return
        told = self._desk.paths.cache / "told-about-tray"
        self._desk.doing(self._tell_once(told), "tell about the tray", None)

    async def _tell_once(self, mark: Path) -> None:
        if await self._desk.blocking.run(_is_first, mark):
            self.tray.tell(*_STAYS)

    def _on_asked(self) -> None:
        """Tell it once; the dot and the menu entry stay until it is answered."""
        self.tray.tell(*_ASKS)

    def _on_message_clicked(self) -> None:
        if self._desk.attention.clients:
            self.show_asking()
        else:
            self.open_window()

    def _on_wants_ask(self, question: str) -> None:
        self.quick_ask.open(question)

    def _connect(self) -> None:
        self.tray.acted.connect(self.act)
        self.hotkey.pressed.connect(self.toggle)
        self.coming.changed.connect(self.tray.show_next)
        self._desk.attention.asked.connect(self._on_asked)
        # also what was changed on the command line
        self._desk.bus.subscribe(SettingChanged, lambda event: self._on_setting(event.name, event.value))
        self.tray.icon.messageClicked.connect(self._on_message_clicked)

    def _make_window(self) -> MainWindow:
        from app.ui.main_window import MainWindow  # noqa: PLC0415 - see `_load`

        window = MainWindow(self._desk)
        window.closed.connect(self._on_closed)
        window.book.wants_ask.connect(self._on_wants_ask)
        window.book.setting_changed.connect(self._on_setting)
        window.language_chosen.connect(self._on_language)
        self._show_hotkey(window)
        window.show_status()
        for notice in self._notices:
            window.tell(*notice)
        return window


def _load() -> None:
    """Import what the tray can do without, on a lane: half of the start-up time."""
    importlib.import_module("app.ui.quick_ask")
    importlib.import_module("app.ui.main_window")
    load_listener()


def _is_first(mark: Path) -> bool:
    """Leave an empty file as a mark; True if it was not there."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    except OSError:
        return True  # where no mark can be left, telling again is the lesser evil
    return True
