"""The list of quick-ask: a model of rows, their painting, and a view that never takes the cursor from the field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui import icons
from app.ui.fonts import sized
from app.ui.parts.labels import tooltip
from app.ui.tokens import GAP, GAP_SMALL, RADIUS_CONTROL, SIZE_BODY, SIZE_SECONDARY, WEIGHT_NORMAL, WEIGHT_STRONG

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from app.domain.text import Text
    from app.ui.rows import Row
    from app.ui.theme import Theme
    from app.ui.tokens import Palette
    from app.ui.wording import Wording

    Index = QModelIndex | QPersistentModelIndex

_ROLE: Final = Qt.ItemDataRole.UserRole
HEIGHT: Final = 36
HEIGHT_WITH_SNIPPET: Final = 54
_LEAD_WIDTH: Final = 20
_INDENT: Final = 24
_GLYPH: Final = 14
_MOST_SHOWN: Final = 7


class RowModel(QAbstractListModel):
    """The rows, for the view and for screen readers."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[Row, ...] = ()

    def replace(self, rows: Sequence[Row]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """How many there are; a row has no rows of its own."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A row, its title, or what is spoken."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        values: dict[int, object] = {
            _ROLE: row,
            Qt.ItemDataRole.DisplayRole: row.title,
            Qt.ItemDataRole.AccessibleTextRole: row.spoken,
            Qt.ItemDataRole.ToolTipRole: tooltip(row.title),
        }
        return values.get(role)


class RowPainter(QStyledItemDelegate):
    """Paints one row: number or icon, title, details at the right, a snippet below."""

    def __init__(self, theme: Theme, view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self._theme = theme

    def sizeHint(self, _: QStyleOptionViewItem, index: Index) -> QSize:
        """Higher where there is a snippet."""
        row: Row = index.data(_ROLE)
        return QSize(100, HEIGHT_WITH_SNIPPET if row.snippet else HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """See the class."""
        row: Row = index.data(_ROLE)
        area: QRect = option.rect
        state = option.state
        font: QFont = option.font
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, area, state)
        inside = area.adjusted(GAP + row.depth * _INDENT, 0, -GAP, 0)
        first = QRect(
            inside.left(), inside.top() + (6 if row.snippet else 0), inside.width(), 24 if row.snippet else HEIGHT
        )
        self._paint_lead(painter, first, row, font)
        text = first.adjusted(_LEAD_WIDTH + GAP_SMALL, 0, 0, 0)
        self._paint_line(painter, text, row, font)
        if row.snippet:
            below = QRect(text.left(), first.bottom() - 1, text.width(), 20)
            painter.setFont(sized(font, SIZE_SECONDARY))
            painter.setPen(QColor(self._colour.ink_faint))
            self._draw(painter, below, row.snippet)
        painter.restore()

    @property
    def _colour(self) -> Palette:
        return self._theme.palette

    def _paint_ground(self, painter: QPainter, area: QRect, state: QStyle.StateFlag) -> None:
        ground = None
        if state & QStyle.StateFlag.State_Selected:
            ground = self._colour.selected
        elif state & QStyle.StateFlag.State_MouseOver:
            ground = self._colour.hover
        if ground is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(QRectF(area).adjusted(0, 1, 0, -1), RADIUS_CONTROL, RADIUS_CONTROL)

    def _paint_lead(self, painter: QPainter, area: QRect, row: Row, font: QFont) -> None:
        place = QRect(area.left(), area.top(), _LEAD_WIDTH, area.height())
        if row.number is None:
            token = self._colour.ink_faint if row.is_stale else self._colour.ink_soft
            drawn = icons.picture(row.icon, token, 18, self._view.devicePixelRatioF())
            painter.drawPixmap(place.left() + 1, place.top() + (place.height() - 18) // 2, drawn)
            return
        painter.setFont(sized(font, SIZE_SECONDARY, weight=WEIGHT_STRONG))
        painter.setPen(QColor(self._colour.ink_faint if row.is_stale else self._colour.accent))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(row.number))

    def _paint_line(self, painter: QPainter, area: QRect, row: Row, font: QFont) -> None:
        small = sized(font, SIZE_SECONDARY)
        painter.setFont(small)
        painter.setPen(QColor(self._colour.asks if row.is_stale else self._colour.ink_faint))
        # the title comes first, up to half of the line; the details have what is left
        title = min(QFontMetrics(sized(font, SIZE_BODY)).horizontalAdvance(row.title) + GAP, area.width() // 2)
        room = area.width() - title - (_GLYPH + GAP_SMALL if row.is_stale else 0)
        width = min(painter.fontMetrics().horizontalAdvance(row.details) + 2, room)
        details = QRect(area.right() - width, area.top(), width, area.height())
        self._draw(painter, details, row.details)
        if row.is_stale:
            width += _GLYPH + GAP_SMALL
            glyph = icons.picture("history", self._colour.asks, _GLYPH, self._view.devicePixelRatioF())
            painter.drawPixmap(area.right() - width + 2, area.top() + (area.height() - _GLYPH) // 2, glyph)
        painter.setFont(sized(font, SIZE_BODY, weight=WEIGHT_STRONG if row.is_strong else WEIGHT_NORMAL))
        painter.setPen(QColor(self._colour.ink_faint if row.is_stale else self._colour.ink))
        self._draw(painter, area.adjusted(0, 0, -width - GAP, 0), row.title)

    @staticmethod
    def _draw(painter: QPainter, area: QRect, text: str) -> None:
        line = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, line)


class HitList(QListView):
    """`opened` tells the row that was clicked."""

    opened = Signal(object)

    def __init__(self, wording: Wording, theme: Theme, name: Text) -> None:
        super().__init__()
        self._model = RowModel()
        self.setModel(self._model)
        self.setItemDelegate(RowPainter(theme, self))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        wording.bind(self, "setAccessibleName", name)
        self.clicked.connect(self._on_clicked)
        theme.changed.connect(self.viewport().update)

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is listed."""
        return self._model.rows

    @property
    def current(self) -> Row | None:
        """The chosen row, if one is."""
        place = self.currentIndex().row()
        return self.rows[place] if 0 <= place < len(self.rows) else None

    def show_rows(self, rows: Sequence[Row]) -> None:
        """List other rows; the chosen one stays chosen if it is still there."""
        chosen = self.current
        self._model.replace(rows)
        self.updateGeometry()
        self.setFixedHeight(self._height())
        if chosen is not None:
            self.choose_key(chosen.key)

    def choose_key(self, key: str) -> None:
        """Choose the row of a key, or none."""
        places = [place for place, row in enumerate(self.rows) if row.key == key]
        self.choose(places[0] if places else None)

    def choose(self, place: int | None) -> None:
        """Choose a row by its place, or none."""
        index = self._model.index(place, 0) if place is not None else QModelIndex()
        self.setCurrentIndex(index)
        if place is None:
            self.clearSelection()

    def step(self, step: int) -> None:
        """Choose the next (1) or the previous (-1) row; beyond either end none is, then the list begins again."""
        if not self.rows:
            return
        place = self.currentIndex().row() + step
        if place < -1:
            place = len(self.rows) - 1
        self.choose(None if place == -1 or place >= len(self.rows) else place)

    def _height(self) -> int:
        return sum(HEIGHT_WITH_SNIPPET if row.snippet else HEIGHT for row in self.rows[:_MOST_SHOWN])

    def _on_clicked(self, index: QModelIndex) -> None:
        self.opened.emit(self.rows[index.row()])
