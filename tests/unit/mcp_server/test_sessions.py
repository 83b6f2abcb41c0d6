"""Whose sessions end where one client opens many."""

from types import SimpleNamespace

from app.mcp_server.sessions import FairSessions


class Paper:
    """Opens a session for who names none, and notes which were ended."""

    def __init__(self) -> None:
        self.opened = 0
        self.ended = []

    async def __call__(self, scope, receive, send):
        given = dict(scope["headers"]).get(b"mcp-session-id")
        if scope["method"] == "DELETE":
            self.ended.append((scope["user"].access_token.subject, given))
            assert (await receive())["body"] == b""
        elif given is None:
            self.opened += 1
            given = b"s%d" % self.opened
        await send({"type": "http.response.start", "status": 200, "headers": [(b"mcp-session-id", given)]})


async def _ask(app, client, session=None, method="POST"):
    heard = []

    async def send(message):
        heard.append(message)

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    headers = [(b"content-length", b"9")] + ([(b"mcp-session-id", session)] if session else [])
    user = SimpleNamespace(access_token=SimpleNamespace(subject=client))
    await app({"type": "http", "method": method, "headers": headers, "user": user}, receive, send)
    assert len(heard) == 1  # what is done besides is not heard


async def test_the_one_that_was_not_used_for_longest_ends():
    paper = Paper()
    app = FairSessions(paper, most=2)
    await _ask(app, "a")
    await _ask(app, "a")
    await _ask(app, "a", b"s1")
    await _ask(app, "b")
    assert paper.ended == []
    await _ask(app, "a")
    assert paper.ended == [("a", b"s2")]


async def test_a_session_of_another_one_or_of_nobody_counts_for_nothing():
    paper = Paper()
    app = FairSessions(paper, most=1)
    await _ask(app, "a")
    await _ask(app, "b", b"s1")
    await _ask(app, "b", b"made-up")
    assert paper.ended == []
    await _ask(app, "a", b"s1", "DELETE")
    paper.ended.clear()
    await _ask(app, "a")
    assert paper.ended == []
