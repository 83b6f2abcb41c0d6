"""Values as JSON, and the schema of that: made from one declaration (G4.1)."""

import json

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from app.domain.context_item import AgendaItem, ContextItem
from app.domain.labels import Status
from app.domain.serving import Fact, Greeting
from app.domain.text import msg
from app.mcp_server.shapes import plain, schema
from tests.unit.mcp_server.makers import FACT, ITEM, NOON, TASK, greeting, item

_FIELDS = {
    *("item_id", "title", "content", "source_type", "source_uri", "event_time", "ingested_at", "valid_from"),
    *("valid_to", "task_status", "scope", "acl", "sensitivity", "confidence", "semantic_score", "lexical_score"),
    *("freshness_score", "time_decay", "final_score", "stale_reason"),
}


def test_a_context_item_has_all_the_fields_of_the_article():
    described = schema(ContextItem)
    assert set(described["properties"]) >= _FIELDS
    assert set(plain(ITEM)) >= _FIELDS
    assert set(described["required"]) == set(plain(ITEM))


def test_what_is_made_fits_its_schema():
    stale = item(stale_reason=msg("superseded by {x}", x=msg("the mail")), task_status=Status.DONE, valid_to=NOON)
    for value, kind in (
        (ITEM, ContextItem),
        (stale, ContextItem),
        (TASK, AgendaItem),
        (FACT, Fact),
        (greeting(), Greeting),
    ):
        jsonschema.Draft202012Validator(schema(kind)).validate(json.loads(json.dumps(plain(value))))
    assert plain(stale)["stale_reason"] == "superseded by the mail"
    assert plain(ITEM)["sensitivity"] == "internal"
    assert plain(ITEM)["event_time"] == "2025-05-12T12:00:00+00:00"


def test_numbers_of_the_store_do_not_leave():
    assert "entry_id" not in plain(TASK)
    assert "entry_id" not in schema(AgendaItem)["properties"]


@given(st.text(st.characters(), max_size=50), st.text(st.characters(), max_size=50))
def test_any_text_can_travel(title, content):
    json.dumps(plain(item(title=title, content=content)), ensure_ascii=False).encode("utf-8")
