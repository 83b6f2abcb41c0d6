"""What cannot be loaded is told on its page, and no longer told once it can be loaded (D8.2)."""

from __future__ import annotations

import pytest

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.ui.pages.agents.page import AgentsPage
from app.ui.pages.metrics.page import MetricsPage
from app.ui.pages.prepare.page import PreparePage
from app.ui.parts.banner import Banner
from tests.ui.stage import calm

CASES = (
    (AgentsPage, "clients", "clients"),
    (AgentsPage, "clients", "sources"),
    (AgentsPage, "audit", "audit"),
    (AgentsPage, "audit", "clients"),
    (AgentsPage, "inbox", "inbox"),
    (MetricsPage, "rates", "metrics"),
    (MetricsPage, "reviews", "reviews"),
    (MetricsPage, "marking", "asked_questions"),
    (PreparePage, None, "templates"),
)


@pytest.mark.parametrize("error", [Unavailable(msg("Not now."), next_step=msg("Later.")), KeyError("x")])
@pytest.mark.parametrize(("kind", "section", "call"), CASES)
def test_a_page_says_what_it_cannot_load_for_as_long_as_it_cannot(stage, kind, section, call, error):
    async def scenario(desk):
        desk.api.failures[call] = error
        page = kind(desk)
        page.show()
        if section is None:
            page.refresh()
        else:
            page.open_section(section)
        await calm()
        said = [banner.text for banner in page.findChildren(Banner) if banner.isVisible()]
        assert len(said) == 1
        assert ("Not now." in said[0]) == isinstance(error, Unavailable)
        desk.api.failures.clear()
        page.refresh()
        await calm()
        assert not [banner for banner in page.findChildren(Banner) if banner.isVisible()]

    stage.play(scenario)
