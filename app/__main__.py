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
    from app import bootstrap  # noqa: PLC0415 - all the rest
    from app.cli.program import run  # noqa: PLC0415 - all the rest

    return run(bootstrap, arguments)


if __name__ == "__main__":
    sys.exit(main())
