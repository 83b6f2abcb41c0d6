"""Every sentence that a person can see exists in every language (D8.6)."""

import importlib.util
import re
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


_ALWAYS_MANY = {"app/ui/moments.py", "app/cli/commands/inbox.py"}
"""Where the count is two at the least."""


def test_a_sentence_that_counts_has_a_form_for_one():
    """What begins with a count and a plural is said by `counted`, and never by `msg`."""
    plural = re.compile(r'\bmsg\(\s*"\{(?:count|sources|files|requests)\} (?:[a-z]+ )?[a-z]+s\b')
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "app").rglob("*.py")
        if plural.search(path.read_text(encoding="utf-8"))
    }
    assert found <= _ALWAYS_MANY


def test_both_forms_of_a_count_are_collected(translations):
    assert {"{count} entry", "{count} entries"} <= {message.id for message in translations.collect()}
