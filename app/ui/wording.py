"""The words of the window in the person's language, which can change while it is open (D8.6)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal

from app.runtime import translation
from app.ui.bindings import Bindings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.domain.text import Text

AUTO: Final = "auto"


class Wording(QObject):
    """Translates, and tells whoever composes sentences of its own when the language changes."""

    changed = Signal()

    def __init__(self, language: str = AUTO) -> None:
        super().__init__()
        self._bindings = Bindings()
        self._language = translation.ENGLISH
        self._of_qt = QTranslator(self)
        self.use(language)

    @property
    def language(self) -> str:
        """The language in use; never "auto"."""
        return self._language

    @property
    def is_chinese(self) -> bool:
        """Whether Chinese is in use."""
        return self._language == translation.CHINESE

    @property
    def locale(self) -> QLocale:
        """How numbers and days are written in this language."""
        return QLocale(translation.CHINESE if self.is_chinese else "en_GB")

    def use(self, language: str) -> None:
        """Change the language of everything that is shown; "auto" takes the system's."""
        wanted = translation.closest(QLocale.system().uiLanguages()) if language == AUTO else language
        self._language = translation.use_language(wanted)
        self._translate_qt()
        self._bindings.refresh()
        self.changed.emit()

    def _translate_qt(self) -> None:
        """The few words that Qt itself says: the menus of text fields, the buttons of file dialogs."""
        QCoreApplication.removeTranslator(self._of_qt)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if self.is_chinese and self._of_qt.load("qtbase_zh_CN", folder):
            QCoreApplication.installTranslator(self._of_qt)

    def say(self, text: Text | str) -> str:
        """A sentence in the present language."""
        return translation.translate(text)

    def bind(self, target: QObject, setter: str, text: Text) -> None:
        """Give a setter this sentence now, and again after a change of language."""
        self._bindings.bind(target, setter, partial(self.say, text))

    def listed(self, parts: Iterable[Text | str]) -> str:
        """Names and words one after the other, as this language lists them; a `Text` is translated, data is not."""
        joint = "\N{IDEOGRAPHIC COMMA}" if self.is_chinese else ", "
        return joint.join(part if isinstance(part, str) else self.say(part) for part in parts)

    def number(self, value: int) -> str:
        """A whole number with its thousands kept apart."""
        return self.locale.toString(value)
