"""The program. It looks at the first words only, so that a quick question does not load the whole house."""

from __future__ import annotations

import sys

_STOPPED = 3


def main() -> int:
    """Run Famulus with the arguments of this process; returns the exit code."""
    try:
        return _run(sys.argv[1:])
    except KeyboardInterrupt:
        return _STOPPED  # while the program was still loading


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        from app import __version__  # noqa: PLC0415 - this and no more

        sys.stdout.write(f"famulus {__version__}\n")
        return 0
    if arguments[:1] == ["parse-child"]:
        from app.runtime.parse_child import main as parse  # noqa: PLC0415 - this and no more

        target, memory_bytes, timeout_s = arguments[1:]
        return parse(target, int(memory_bytes), float(timeout_s))
    if _is_for_a_program(arguments):
        from app.mcp_server.opening import greet  # noqa: PLC0415 - this, and the rest while the answer is read

        greet()
    from app import bootstrap  # noqa: PLC0415 - all the rest
    from app.cli.program import run  # noqa: PLC0415 - all the rest

    return run(bootstrap, arguments)


def _is_for_a_program(arguments: list[str]) -> bool:
    """Whether this is `famulus mcp` on stdio, started by a program, which waits for an answer (DESIGN 8)."""
    words = arguments
    while words[:1] in (["--basedir"], ["--lang"]):
        words = words[2:]
    is_plain = words[:1] == ["mcp"] and not any(word.startswith("--h") for word in words)
    return is_plain and sys.stdin is not None and not sys.stdin.isatty()


if __name__ == "__main__":
    sys.exit(main())
