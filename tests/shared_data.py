"""The external test sets. They may not be redistributed, so a test that uses them skips where they are not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_data(*parts: str) -> Path:
    """A path inside the external sets; skips the calling test when it is not there."""
    root = Path(os.environ.get("FAMULUS_TEST_DATA", _BESIDE))
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip("the external test sets are not beside the project (set FAMULUS_TEST_DATA)")
    return path
