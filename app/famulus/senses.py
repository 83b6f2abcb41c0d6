"""What reads pictures and recordings for the sources: made of the settings, and of what is installed (L6.5).

The models load with the first picture or recording, and leave memory when nobody has used them for a while.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from app.runtime.clock import monotonic_s
from app.settings.declarations import MODEL_IDLE_UNLOAD_MINUTES, READ_PICTURES, READ_RECORDINGS
from app.sources.parsing.parsed import Sense

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.famulus.parts import Parts
    from app.inference.ocr import PictureReader
    from app.inference.speech import Transcriber

_IDLE_CHECK_S = 30.0
_log = logging.getLogger(__name__)


class LocalSenses:
    """See `sources.contract.Senses`. Reading is called on lanes for blocking work, one at a time each."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._eyes: PictureReader | None = None
        self._ears: Transcriber | None = None
        self._used_s = monotonic_s()

    @property
    def abilities(self) -> frozenset[Sense]:
        """What can be read now."""
        from app.inference import speech  # noqa: PLC0415 - see the module docstring

        settings = self._parts.settings
        found = {Sense.PICTURES} if settings.get(READ_PICTURES) else set()
        if settings.get(READ_RECORDINGS):
            found.add(Sense.RECORDINGS)
            if speech.is_installed() and speech.find_model(self._parts.paths.model_folders) is not None:
                found.add(Sense.SPEECH)
        return frozenset(found)

    def read_picture(self, pixels: bytes, width: int, height: int) -> Sequence[str]:
        """The lines in a picture; raises `Unavailable` where the models are missing."""
        from app.inference.ocr import PictureReader  # noqa: PLC0415 - see the module docstring

        self._used_s = monotonic_s()
        self._eyes = self._eyes or PictureReader()
        return self._eyes.read(pixels, width, height)

    def transcribe(self, samples: bytes, rate: int) -> Sequence[tuple[int, str]] | None:
        """What is said, each stretch with the second at which it begins; None where there is no model for it."""
        from app.inference.speech import Transcriber, find_model, is_installed  # noqa: PLC0415 - see above

        model = find_model(self._parts.paths.model_folders) if is_installed() else None
        if model is None:
            return None
        self._used_s = monotonic_s()
        if self._ears is None or self._ears.model != model:
            self._ears = Transcriber(model)
        return self._ears.transcribe(samples, rate)

    async def watch_idleness(self) -> None:
        """Let the models go when nobody has used them for a while; runs until cancelled."""
        while True:
            await asyncio.sleep(_IDLE_CHECK_S)
            minutes = self._parts.settings.get(MODEL_IDLE_UNLOAD_MINUTES)
            if minutes and monotonic_s() - self._used_s > minutes * 60:
                await self._parts.lanes.blocking.run(self.rest)

    def rest(self) -> None:
        """Let the models go now; blocks while one is reading."""
        eyes, self._eyes = self._eyes, None
        ears, self._ears = self._ears, None
        if eyes is not None:
            eyes.unload()
        if ears is not None:
            ears.unload()
        if eyes is not None or ears is not None:
            _log.info("the models for pictures and recordings were unloaded, being idle")
