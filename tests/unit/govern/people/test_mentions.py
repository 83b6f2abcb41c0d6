"""Names are found where they stand, and not across a heading and what is below it (G2.4)."""

from __future__ import annotations

from app.domain.readings import SpanLabel, TextSpan
from app.govern.people.mentions import find_mentions


def test_a_heading_and_the_paragraph_below_it_are_no_one_name() -> None:
    text = "Will\n\nWill said so.\nAnna\nWeber nods."
    spans = [TextSpan(0, 10, SpanLabel.PERSON, 0.9), TextSpan(20, 30, SpanLabel.PERSON, 0.9)]
    assert [(one.text, one.span.start) for one in find_mentions(text, spans, ())] == [("Will", 6), ("Anna Weber", 20)]
