"""The style sheet, derived from the tokens. Widgets say what they are by the property `role`; looks are here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.ui import tokens
from app.ui.tokens import translucent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.ui.tokens import Palette


def build(palette: Palette, *, faces: Sequence[str], fixed: Sequence[str]) -> str:
    """The whole style sheet for one palette, with the faces for everything and those for keys."""
    parts = (
        _base(palette, faces),
        _labels(palette, fixed),
        _buttons(palette),
        _fields(palette, fixed),
        _frames(palette),
        _lists(palette),
    )
    return "\n".join(parts)


def _base(colour: Palette, faces: Sequence[str]) -> str:
    return f"""
    QWidget {{ color: {colour.ink}; font-family: {_named(faces)}; }}
    QMainWindow, QDialog, QWidget[role="page"] {{ background: {colour.paper}; }}
    QScrollArea, #qt_scrollarea_viewport, #qt_scrollarea_viewport > QWidget {{ background: transparent; border: none; }}
    QToolTip {{ background: {colour.ink}; color: {colour.paper}; border: none; padding: 4px 8px; }}
    QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; }}
    QScrollBar::handle:vertical {{ background: {translucent(colour.ink, 0.2)}; border-radius: 3px; min-height: 32px; }}
    QScrollBar::handle:vertical:hover {{ background: {translucent(colour.ink, 0.36)}; }}
    QScrollBar:horizontal {{ height: 0; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QMenu {{ background: {colour.surface}; border: 1px solid {colour.border}; padding: 4px; }}
    QMenu::item {{ padding: 6px 24px 6px 12px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {colour.selected}; }}
    QMenu::item:disabled {{ color: {colour.ink_faint}; }}
    QMenu::separator {{ height: 1px; background: {colour.hairline}; margin: 4px 8px; }}
    QMenu::icon {{ padding-left: 8px; }}
    """


def _labels(colour: Palette, fixed: Sequence[str]) -> str:
    return f"""
    QLabel {{ background: transparent; font-size: {tokens.SIZE_BODY}px; }}
    QLabel[role="title"] {{ font-size: {tokens.SIZE_TITLE}px; font-weight: 600; }}
    QLabel[role="figure"] {{ font-size: {tokens.SIZE_TITLE}px; font-weight: 600; }}
    QLabel[role="asks-word"] {{ color: {colour.asks}; font-size: {tokens.SIZE_SECONDARY}px; font-weight: 600; }}
    QLabel[role="heading"] {{ font-weight: 600; }}
    QLabel[role="soft"] {{ color: {colour.ink_soft}; }}
    QLabel[role="small"] {{ color: {colour.ink_soft}; font-size: {tokens.SIZE_SECONDARY}px; }}
    QLabel[role="hint"] {{ color: {colour.ink_faint}; font-size: {tokens.SIZE_SECONDARY}px; }}
    QLabel[role="lead"] {{ color: {colour.ink_soft}; font-size: {tokens.SIZE_ANSWER}px; }}
    QLabel[role="warning"] {{ color: {colour.asks}; font-size: {tokens.SIZE_SECONDARY}px; }}
    QLabel[role="accent"] {{ color: {colour.accent}; font-size: {tokens.SIZE_SECONDARY}px; }}
    QLabel[role="key"] {{ font-family: {_named(fixed)}; font-size: {tokens.SIZE_ANSWER}px; background: {colour.sunken};
        border: 1px solid {colour.hairline}; border-radius: {tokens.RADIUS_CONTROL}px; padding: 12px; }}
    QLabel[role="keycap"] {{ color: {colour.ink_soft}; background: {colour.sunken}; border: 1px solid {colour.border};
        border-radius: 4px; padding: 1px 6px; font-size: {tokens.SIZE_SECONDARY}px; }}
    QLabel[role="badge-word"] {{ color: {colour.accent}; font-size: {tokens.SIZE_SECONDARY}px; font-weight: 600; }}
    QLabel:disabled {{ color: {colour.ink_faint}; }}
    """


def _buttons(colour: Palette) -> str:
    return f"""
    QPushButton {{ background: {colour.surface}; border: 1px solid {colour.border};
        border-radius: {tokens.RADIUS_CONTROL}px; padding: 0 13px; min-height: 30px; font-size: {tokens.SIZE_BODY}px;
        outline: none; }}
    QPushButton:hover {{ background: {colour.hover}; }}
    QPushButton:pressed {{ background: {colour.pressed}; }}
    QPushButton[is_ringed="true"] {{ border: 2px solid {colour.accent}; padding: 0 12px; min-height: 28px; }}
    QPushButton:disabled {{ color: {colour.ink_faint}; background: {colour.sunken}; border-color: {colour.hairline}; }}
    QPushButton[role="primary"] {{ background: {colour.accent}; color: {colour.on_accent};
        border-color: {colour.accent}; font-weight: 600; }}
    QPushButton[role="primary"]:hover {{ background: {colour.accent_strong}; }}
    QPushButton[role="primary"][is_ringed="true"] {{ border: 2px solid {colour.ink}; }}
    QPushButton[role="primary"]:disabled {{ background: {colour.pressed}; color: {colour.ink_soft};
        border-color: {colour.pressed}; }}
    QPushButton[role="final"] {{ color: {colour.final}; border-color: {colour.final}; }}
    QPushButton[role="final"]:hover {{ background: {colour.on_final}; }}
    QPushButton[role="quiet"] {{ background: transparent; border: 1px solid transparent; color: {colour.ink_soft};
        padding: 0 9px; }}
    QPushButton[role="quiet"]:hover {{ background: {colour.hover}; color: {colour.ink}; }}
    QPushButton[role="quiet"][is_ringed="true"] {{ border: 2px solid {colour.accent}; padding: 0 8px; }}
    QPushButton[role="faint"] {{ background: transparent; border: 1px solid transparent; padding: 0 8px;
        min-height: 22px; color: {colour.ink_faint}; font-size: {tokens.SIZE_SECONDARY}px; }}
    QPushButton[role="faint"]:hover {{ background: {colour.hover}; color: {colour.ink}; }}
    QPushButton[role="glyph"] {{ background: transparent; border: 1px solid transparent; padding: 0;
        min-width: 30px; max-width: 30px; }}
    QPushButton[role="glyph"]:hover {{ background: {colour.hover}; }}
    QPushButton[role="glyph"][is_ringed="true"] {{ border: 2px solid {colour.accent}; padding: 0; min-width: 28px;
        max-width: 28px; }}
    QPushButton[role="link"] {{ background: transparent; border: 1px solid transparent; color: {colour.accent};
        padding: 0 4px; text-align: left; }}
    QPushButton[role="link"]:hover {{ color: {colour.accent_strong}; text-decoration: underline; }}
    QPushButton[role="link"][is_ringed="true"] {{ border: 2px solid {colour.accent}; padding: 0 3px; }}
    QPushButton[role="rail"] {{ background: transparent; border: 1px solid transparent; text-align: left;
        padding: 0 10px; min-height: 34px; color: {colour.ink_soft}; }}
    QPushButton[role="rail"]:hover {{ background: {colour.pressed}; color: {colour.ink}; }}
    QPushButton[role="rail"]:checked {{ background: {colour.selected}; color: {colour.accent}; font-weight: 600; }}
    QPushButton[role="rail"][is_ringed="true"] {{ border: 2px solid {colour.accent}; padding: 0 9px;
        min-height: 32px; }}
    QPushButton[role="tab"] {{ background: transparent; border: 1px solid transparent; padding: 0 11px;
        min-height: 28px; color: {colour.ink_soft}; }}
    QPushButton[role="tab"]:hover {{ background: {colour.hover}; color: {colour.ink}; }}
    QPushButton[role="tab"]:checked {{ background: {colour.selected}; color: {colour.accent}; font-weight: 600; }}
    QPushButton[role="tab"][is_ringed="true"] {{ border: 2px solid {colour.accent}; padding: 0 10px;
        min-height: 26px; }}
    QPushButton[role="toggle"] {{ background: transparent; padding: 0 9px; min-height: 26px;
        color: {colour.ink_soft}; font-size: {tokens.SIZE_SECONDARY}px; }}
    QPushButton[role="toggle"]:hover {{ background: {colour.hover}; }}
    QPushButton[role="toggle"]:checked {{ background: {colour.selected}; color: {colour.accent};
        border-color: {colour.accent}; }}
    QPushButton[role="toggle"][is_ringed="true"] {{ border: 2px solid {colour.accent}; padding: 0 8px;
        min-height: 24px; }}
    QPushButton[role="choice"] {{ text-align: left; padding-right: 8px; }}
    QPushButton::menu-indicator {{ width: 0; image: none; }}
    """


def _fields(colour: Palette, fixed: Sequence[str]) -> str:
    return f"""
    QLineEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox {{ background: {colour.surface};
        border: 1px solid {colour.border}; border-radius: {tokens.RADIUS_CONTROL}px; padding: 0 9px; min-height: 30px;
        font-size: {tokens.SIZE_BODY}px; selection-background-color: {colour.accent};
        selection-color: {colour.on_accent}; }}
    QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus {{ border: 2px solid {colour.accent}; padding: 0 8px;
        min-height: 28px; }}
    QLineEdit:disabled {{ color: {colour.ink_faint}; background: {colour.sunken}; }}
    QLineEdit[role="ask"] {{ background: transparent; border: none; padding: 0; min-height: 40px;
        font-size: {tokens.SIZE_FIELD}px; selection-background-color: {colour.selected};
        selection-color: {colour.ink}; }}
    QPlainTextEdit {{ padding: 4px 5px; }}
    QPlainTextEdit:focus {{ border: 2px solid {colour.accent}; padding: 3px 4px; }}
    QPlainTextEdit[role="piece"] {{ font-family: {_named(fixed)}; background: {colour.sunken};
        font-size: {tokens.SIZE_SECONDARY}px; }}
    QTextBrowser {{ background: transparent; border: none; selection-background-color: {colour.accent};
        selection-color: {colour.on_accent}; }}
    QTextBrowser:focus {{ border: none; }}
    """


def _frames(colour: Palette) -> str:
    return f"""
    QFrame[role="rail"] {{ background: {colour.sunken}; border-right: 1px solid {colour.hairline}; }}
    QFrame[role="card"] {{ background: {colour.surface}; border: 1px solid {colour.hairline};
        border-radius: {tokens.RADIUS_CARD}px; }}
    QFrame[role="tile"] {{ background: {colour.selected}; border-radius: {tokens.RADIUS_CONTROL}px; }}
    QFrame[role="target"] {{ border: 1px dashed {colour.accent}; background: {colour.selected};
        border-radius: {tokens.RADIUS_CARD}px; }}
    QFrame[role="panel"] {{ background: {colour.surface}; border: 1px solid {colour.border};
        border-radius: {tokens.RADIUS_CARD}px; }}
    QFrame[role="line"] {{ background: {colour.hairline}; border: none; max-height: 1px; min-height: 1px; }}
    QFrame[role="empty"] {{ border: 1px dashed {colour.border}; border-radius: {tokens.RADIUS_CARD}px; }}
    QFrame[role="note"] {{ background: {colour.sunken}; border: 1px solid {colour.hairline};
        border-radius: {tokens.RADIUS_CONTROL}px; }}
    QFrame[role="asks"] {{ background: {colour.on_asks}; border: 1px solid {translucent(colour.asks, 0.35)};
        border-radius: {tokens.RADIUS_CONTROL}px; }}
    QFrame[role="badge"] {{ background: {colour.selected}; border-radius: 10px; }}
    QProgressBar {{ background: {colour.pressed}; border: none; border-radius: 2px; min-height: 4px; max-height: 4px; }}
    QProgressBar::chunk {{ background: {colour.accent}; border-radius: 2px; }}
    """


def _lists(colour: Palette) -> str:
    return f"""
    QListView {{ background: transparent; border: none; outline: none; }}
    QListView::item {{ border: none; }}
    QFrame[role="card"] QFrame[role="line"] {{ background: {colour.hairline}; }}
    """


def _named(faces: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in faces)
