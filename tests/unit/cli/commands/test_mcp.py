"""`famulus mcp`: what is handed on."""


def test_it_serves_stdio_or_http(shell, wiring):
    shell("mcp")
    shell("mcp", "--client", "mate")
    shell("mcp", "--http", "0")
    assert wiring.calls == [("mcp", None, None), ("mcp", "mate", None), ("mcp", None, 0)]


def test_a_port_that_is_none_or_a_client_over_http_is_used_wrongly(shell, wiring):
    shell("mcp", "--http", "70000", expect=2)
    shell("mcp", "--http", "1", "--client", "mate", expect=2)
    assert wiring.calls == []
