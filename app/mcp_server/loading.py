"""Loads the protocol's library in half the time. Imported before anything of it (docs/decisions/0025-mcp.md).

Its messages are hundreds of pydantic models, each of which compiles a checker when it is declared. Deferred, only the
few that are used compile theirs, at their first use. The collector has nothing to find among declarations.
"""

from __future__ import annotations

import contextlib
import gc
from typing import TYPE_CHECKING

from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def quick_imports() -> Iterator[None]:
    """What is imported within is declared and not yet compiled."""
    known = BaseModel.model_config.get("defer_build", False)
    BaseModel.model_config["defer_build"] = True
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()
        BaseModel.model_config["defer_build"] = known
