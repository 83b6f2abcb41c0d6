"""Texts that are lists of records: bookmarks, to-dos. They are known by their content, and a name is only a hint."""

from __future__ import annotations

import re

_BOOKMARKS_START = re.compile(r"\ufeff?\s{0,99}<!DOCTYPE\s{1,9}NETSCAPE-Bookmark-file", re.IGNORECASE)
_MARKUP_START = re.compile(r"\ufeff?\s{0,99}<[a-z!]", re.IGNORECASE)
_BOOKMARK_LINE = re.compile(r"<DT>\s{0,9}<A\s[^>]{0,5000}ADD_DATE\s{0,9}=", re.IGNORECASE)
_JSON_START = re.compile(r"\s{0,99}[\[{]")
_CHROMIUM = ('"roots"', '"bookmark_bar"')
_TASK_FIELDS = ('"description"', '"status"', '"uuid"', '"entry"')
_TASK_LINE = re.compile(r"\[[a-zA-Z_][\w.]{0,60}:\"")
_TASK_LINE_FIELDS = (' status:"', 'uuid:"', 'description:"')
_TODO_NAMES = ("todo.txt", "done.txt")
_TODO_NAME = re.compile(r"(?:todo|done)[-_. ][^.]{1,40}\.txt|.{1,60}\.todo\.txt", re.IGNORECASE)
_OTHER_MARKUP = re.compile(r"\s{0,99}(?:[-*#>|] |\d{1,3}[.)] |```|---|===)")
_PRIORITY = re.compile(r"\([A-Z]\) \S")
_DONE = re.compile(r"x \d{4}-\d\d-\d\d \S")
_OWN_MARK = re.compile(r"(?:^| )(?:[+@][^\s\d]\S{0,60}|(?:due|rec|t|pri):\S{1,60})(?= |$)")
_MOST_CHARS = 1_000
_FEW, _MOST_INDENTED_SHARE = 3, 0.2


def record_format(head: str, name: str) -> str | None:
    """The format (a value of `sniffing.Format`) of a text, by its first characters; None for any other text."""
    if _BOOKMARKS_START.match(head) or (_MARKUP_START.match(head) and _BOOKMARK_LINE.search(head)):
        return "bookmarks"
    if _JSON_START.match(head):
        if all(mark in head for mark in _CHROMIUM):
            return "bookmarks_json"
        if all(mark in head for mark in (_TASK_LINE_FIELDS if _TASK_LINE.match(head) else _TASK_FIELDS)):
            return "taskwarrior"
    return "todo_txt" if _is_todo_txt(head, name) else None


def _is_todo_txt(head: str, name: str) -> bool:
    """Whether this is a list in the todo.txt format: by its name where no line contradicts, else by its own marks."""
    lines = [line for line in head.splitlines() if line.strip()]
    if not lines or any(len(line) > _MOST_CHARS or _OTHER_MARKUP.match(line) for line in lines):
        return False
    indented = sum(1 for line in lines if line[0].isspace())
    if indented > _MOST_INDENTED_SHARE * len(lines):
        return False  # an outline
    if name.lower() in _TODO_NAMES:
        return True
    is_named = _TODO_NAME.fullmatch(name) is not None
    begun = sum(1 for line in lines if _PRIORITY.match(line) or _DONE.match(line))
    if not is_named and (len(lines) < _FEW or begun * 2 < len(lines)):
        return False
    own = sum(1 for line in lines if _DONE.match(line) or _OWN_MARK.search(line))
    return begun + own > 0 if is_named else own >= max(2, len(lines) // 5)
