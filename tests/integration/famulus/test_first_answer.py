"""What the first answer by words needs, and what it has no need of: it comes half a second after the key (DESIGN 8)."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.integration.famulus.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

_SCRIPT = """
import asyncio, sys
from pathlib import Path
from app.bootstrap.household import Household
from app.domain.context_item import SearchRequest
from app.famulus import house
from app.famulus.ownership import become_owner
from app.runtime.paths import Paths

house._FIRST_QUESTIONS_S = 600.0

async def live():
    paths = Paths(Path(sys.argv[1]))
    paths.create()
    household = Household.make(paths, await become_owner(paths, is_toggling=False), quit_=lambda: None)
    await household.start()
    await household.api.create(passphrase="generated")
    await household.api.search(SearchRequest("the red door", mode="words"))
    status = await household.api.status()
    assert status.counts.entries == 0, status
    print("loaded", *sorted(sys.modules))
    assert await household.api.agenda() == []
    assert "app.famulus.offices" in sys.modules
    await household.close()

asyncio.run(live())
"""
_HEAVY = {
    "app.context.agenda",
    "app.context.answers",
    "app.context.desk",
    "app.context.templates.shelf",
    "app.famulus.collection",
    "app.famulus.governing",
    "app.famulus.offices",
    "app.famulus.reception",
    "app.govern.pipeline",
    "app.govern.understanding.queue",
    "app.inference.dates.chinese",
    "app.inference.embedder",
    "app.metrics.counts",
    "app.policy.redaction.contacts",
    "app.sources.registry",
    "app.store.check",
    "email",
    "faiss",
    "keyring",
    "lxml",
    "onnxruntime",
    "PIL",
    "psutil",
    "sentencepiece",
    "tomlkit",
    "watchfiles",
}


def test_a_search_by_words_needs_neither_governance_nor_a_model(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    environment["FAMULUS_MODELS"] = str(tmp_path / "no-models")
    command = (sys.executable, "-c", _SCRIPT, str(tmp_path / "base"))
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = next(line.split()[1:] for line in done.stdout.splitlines() if line.startswith("loaded "))
    assert not _HEAVY & set(loaded)
    # a module more is a millisecond more
    assert len([name for name in loaded if name.startswith("app.")]) < 230
