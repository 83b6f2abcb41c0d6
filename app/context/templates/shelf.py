"""Which templates there are: the shipped ones, and the person's own, which come first where they share a name."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from app.context.templates.declaration import LANGUAGES, in_language
from app.context.templates.preparing import Preparation
from app.context.templates.reading import LONGEST_FILE, read_template
from app.domain.clients import likeness
from app.domain.errors import BadInput
from app.domain.progress import ignore_progress
from app.domain.serving import TemplateField, TemplateInfo
from app.domain.text import Text, msg
from app.runtime import translation
from app.runtime.paths import resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from app.context.templates.declaration import Template
    from app.context.templates.preparing import Looks
    from app.domain.context_item import Viewer
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.serving import Briefing

_MOST_OWN = 100
_HAN = re.compile(r"[\u3400-\u9fff]")


class TemplateShelf:
    """See the module docstring. `list` and `get` block, and look at the files every time: an edit counts at once.

    Args:
        own: the folder of the person's templates; it need not exist.
    """

    def __init__(self, own: Path) -> None:
        self._own = own

    def list(self) -> list[TemplateInfo]:
        """All of them by name, in the language of the program; one that cannot be used has its problem."""
        language = _language()
        found: dict[str, TemplateInfo] = {}
        for path, is_own in self._files():
            name = _name_of(path)
            try:
                found[likeness(name)] = _info(self._read(path, is_own=is_own), language)
            except BadInput as error:
                found[likeness(name)] = _broken(name, error.what)
        for path in _files_of(self._own)[_MOST_OWN : _MOST_OWN + 1]:  # one line tells of all that follow
            what = msg(
                "More than {most} templates are yours: this one, and those after it, are not read.", most=_MOST_OWN
            )
            found[likeness(path.stem)] = _broken(_name_of(path), what)
        return sorted(found.values(), key=lambda one: one.name)

    def get(self, name: str) -> Template:
        """One by its name, however it is typed. Raises `BadInput` for one that is not there, or cannot be used."""
        wanted = likeness(name)
        for path, is_own in reversed(list(self._files())):
            if likeness(path.stem) == wanted:
                return self._read(path, is_own=is_own)
        known = ", ".join(dict.fromkeys(_name_of(path) for path, _ in self._files()))
        raise BadInput(
            msg("There is no template called {name}.", name=name), next_step=msg("Use one of: {names}.", names=known)
        )

    async def prepare(  # noqa: PLR0913 - as the desk hands it on
        self,
        desk: Looks,
        viewer: Viewer,
        template: Template,
        fields: Mapping[str, str],
        *,
        language: str | None = None,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Briefing:
        """What a task needs, as a viewer may see it.

        Args:
            language: of our own sentences; without it that of the fields, or of the program.

        Raises:
            BadInput: a field is missing or wrong. Cancelled: the asker said stop.
        """
        chosen = language if language in LANGUAGES else _language_of(fields.values())
        preparation = Preparation(desk, viewer, template, chosen)
        return await preparation.prepare(fields, progress=progress, stop=stop)

    def _files(self) -> Iterator[tuple[Path, bool]]:
        yield from ((path, False) for path in sorted(resource("templates").glob("*.toml")))
        yield from ((path, True) for path in _files_of(self._own)[:_MOST_OWN])

    def _read(self, path: Path, *, is_own: bool) -> Template:
        try:
            if not path.is_file():  # a pipe or a device is never read to its end
                raise OSError  # noqa: TRY301 - as what cannot be opened
            with path.open("rb") as file:
                data = file.read(LONGEST_FILE + 1)
        except OSError:
            raise BadInput(
                msg("The template {name} cannot be read.", name=_name_of(path)),
                next_step=msg("Allow reading it, and try again."),
            ) from None
        return read_template(_name_of(path), data, is_own=is_own)


def _name_of(path: Path) -> str:
    """A file's name in one form: some systems take letters with accents apart."""
    return unicodedata.normalize("NFC", path.stem)


def _files_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml")) if folder.is_dir() else []


def _language() -> str:
    return translation.language()[:2] if translation.language()[:2] in LANGUAGES else LANGUAGES[0]


def _language_of(values: Iterable[str]) -> str:
    """The language in which the fields are filled in: Chinese where one has a Chinese character."""
    if any(_HAN.search(value) for value in values):
        return "zh"
    return _language()


def _info(template: Template, language: str) -> TemplateInfo:
    kinds = dict.fromkeys(kind for part in template.parts for kind in part.kinds)
    windows = dict.fromkeys(part.window for part in template.parts if part.window)
    return TemplateInfo(
        name=template.name,
        title=_said(in_language(template.title, language)),
        meaning=_said(in_language(template.meaning, language)),
        fields=tuple(
            TemplateField(field.name, _said(in_language(field.meaning, language)), field.is_required)
            for field in template.fields
        ),
        scope=template.scope,
        kinds=tuple(kinds),
        window=", ".join(windows),
        candidates=template.candidates,
        is_own=template.is_own,
    )


def _broken(name: str, problem: Text) -> TemplateInfo:
    return TemplateInfo(name, _said(name), _said(""), (), None, (), "", 0, is_own=True, problem=problem)


def _said(words: str) -> Text:
    """Words of a file, which are in their language already."""
    return Text("{words}", {"words": words})
