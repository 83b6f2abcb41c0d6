"""The reference pages say what the code says (STYLE 14)."""

import importlib.util
from pathlib import Path

import pytest

from app.domain.errors import expected_types
from app.settings.declarations import DECLARATIONS

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def pages():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "packaging" / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_current(pages):
    assert pages.stale() == [], "run make docs"


def test_a_page_that_drifted_is_found(pages, tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "PAGES", tmp_path)
    assert pages.main(["--check"]) == 1
    assert pages.main([]) == 0
    assert pages.main(["--check"]) == 0
    (tmp_path / "cli.md").write_text("# Something else\n")
    assert pages.stale() == ["cli.md"]
    assert pages.main(["--nonsense"]) == 2


def test_everything_is_on_its_page(pages):
    assert all(f"`{setting.key}`" in pages.settings_page() for setting in DECLARATIONS)
    assert all(f"`{code}`" in pages.errors_page() for code in expected_types())
    cli = pages.cli_page()
    for command in ("ask", "sync", "key recovery", "settings set", "batch retrieve"):
        assert f"## famulus {command}\n" in cli
    assert "## famulus serve" not in cli
    assert cli.count("--basedir") == 1
