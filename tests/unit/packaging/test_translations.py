"""Every sentence that a person can see exists in every language (D8.6)."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def translations():
    spec = importlib.util.spec_from_file_location("translations", ROOT / "packaging" / "translations.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_string_is_translated(translations):
    assert [line for language in translations.LANGUAGES for line in translations.problems(language)] == []


def test_strings_are_found_at_all(translations):
    assert len(translations.collect()) > 100
