"""Shows Markdown as a document as high as its text. Nothing in it is fetched, run or followed (X9.1).

What is shown may quote anybody's file: HTML in it stays text, pictures are not loaded, and links lead nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser

from app.ui.fonts import sized
from app.ui.tokens import (
    BORDER_SHARE,
    GAP,
    GAP_LARGE,
    GAP_TINY,
    LINE_ANSWER_PERCENT,
    SIZE_ANSWER,
    SIZE_BODY,
    SIZE_FIELD,
)

if TYPE_CHECKING:
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QResizeEvent, QWheelEvent

    from app.ui.theme import Theme

_MOST: Final = 200_000
_MOST_CELLS: Final = 2_000
_SIZES: Final = {1: SIZE_FIELD, 2: SIZE_ANSWER}


class MarkdownView(QTextBrowser):
    """Text can be selected; the page scrolls, not the text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text = ""
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        theme.changed.connect(self._render)

    @property
    def text(self) -> str:
        """The Markdown itself."""
        return self._text

    def show_markdown(self, text: str) -> None:
        """Show a document."""
        self._text = text
        self._render()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded, whatever a text names."""
        del kind, name
        return None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the height that the text needs at this width."""
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, not the text."""
        event.ignore()

    def _fit(self) -> None:
        for table in self.document().rootFrame().childFrames():
            if isinstance(table, QTextTable):
                self._share_out(table)
        self.document().setTextWidth(self.viewport().width())
        self.setFixedHeight(max(1, round(self.document().size().height()) + 2))

    def _render(self) -> None:
        font = QFont(self.font())
        font.setPixelSize(SIZE_BODY)
        self.document().setDefaultFont(font)
        self.document().setIndentWidth(GAP_LARGE)
        features = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
        self.document().setMarkdown(self._text[:_MOST], features)
        self._dress()
        self.setAccessibleName(self._text[:2000])
        self._fit()

    def _dress(self) -> None:
        """Sizes, weights and colours from the tokens; Qt's own headings are far too large."""
        block = self.document().begin()
        while block.isValid():
            cursor = QTextCursor(block)
            level = block.blockFormat().headingLevel()
            shape = QTextBlockFormat()
            table = cast("QTextTable | None", cursor.currentTable())
            if table is None:
                shape.setLineHeight(LINE_ANSWER_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            else:
                self._dress_table(table)
            if level:
                shape.setTopMargin(GAP if block.position() else 0)
                shape.setBottomMargin(GAP_TINY)
            form = QTextCharFormat()
            form.setForeground(QColor(self._theme.palette.ink))
            if level:
                form.setFontWeight(QFont.Weight.DemiBold)
                form.setProperty(QTextCharFormat.Property.FontSizeAdjustment.value, 0)
                form.setProperty(QTextCharFormat.Property.FontPixelSize.value, _SIZES.get(level, SIZE_BODY))
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeBlockFormat(shape)
            cursor.mergeCharFormat(form)
            block = block.next()

    def _share_out(self, table: QTextTable) -> None:
        """Where a table is too wide, each column has its share by its longest word: Qt would break words."""
        if table.rows() * table.columns() > _MOST_CELLS:
            return
        metrics = QFontMetrics(sized(self.document().defaultFont(), SIZE_BODY, weight=QFont.Weight.DemiBold))
        columns = [
            [table.cellAt(line, column).firstCursorPosition().block().text() for line in range(table.rows())]
            for column in range(table.columns())
        ]
        edges = 2 * GAP_TINY + 2
        whole = sum(edges + max(map(metrics.horizontalAdvance, texts)) for texts in columns)
        words = [edges + max(map(metrics.horizontalAdvance, " ".join(texts).split()), default=0) for texts in columns]
        shares = [QTextLength(QTextLength.Type.PercentageLength, 100 * word / sum(words)) for word in words]
        shape = table.format()
        shape.setColumnWidthConstraints(shares if whole > self.viewport().width() else [])
        table.setFormat(shape)

    def _dress_table(self, table: QTextTable) -> None:
        edge = QColor(self._theme.palette.ink)
        edge.setAlphaF(BORDER_SHARE)
        shape = table.format()
        shape.setBorder(1)
        shape.setBorderBrush(edge)
        shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        shape.setBorderCollapse(True)
        shape.setCellPadding(GAP_TINY)
        shape.setBottomMargin(GAP)
        table.setFormat(shape)
