"""What Famulus is, and what it never does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.domain.text import msg
from app.ui.parts.status_line import StatusLine
from app.ui.setup.step import Step
from app.ui.tokens import GAP, GAP_MEDIUM

if TYPE_CHECKING:
    from app.ui.desk import Desk

_ART_WIDTH: Final = 320
_PROMISES: Final = (
    (
        "ask",
        msg("Ask in your own words, in English or in Chinese."),
        msg("The answer comes from your own files and dates, and shows its sources."),
    ),
    (
        "lock",
        msg("Private by design."),
        msg("Everything is encrypted on this device. There is no account and no cloud."),
    ),
    ("local", msg("It works without a network."), msg("Your files stay where they are, and are never changed.")),
)


class WelcomeStep(Step):
    """Nothing to decide yet."""

    next_text = msg("Begin")

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, msg("Welcome to Famulus"), msg("A steward for what you know, on your own device."))
        art = QLabel()
        desk.theme.bind_art(art, "welcome", _ART_WIDTH)
        self.body.addWidget(art, 0, Qt.AlignmentFlag.AlignHCenter)
        self.body.addSpacing(GAP)
        for icon, head, detail in _PROMISES:
            line = StatusLine(desk.wording, desk.theme)
            line.show_fact(icon, head, detail)
            self.body.addWidget(line)
        self.body.addSpacing(GAP_MEDIUM)
