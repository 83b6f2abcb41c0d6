"""Untrusted files are read where they can do no harm (X9.1, X9.2)."""

import sys

import pytest

from app.domain.errors import Unreadable
from app.runtime.parse_process import ParseProcess

TARGET = "tests.integration.runtime.parse_targets:work"


@pytest.fixture
def parse():
    parse = ParseProcess(TARGET, timeout_s=20, memory_bytes=1 << 28)
    yield parse
    parse.close()


@pytest.fixture
def hasty():
    parse = ParseProcess(TARGET, timeout_s=0.3)
    yield parse
    parse.close()


async def test_jobs_go_to_one_other_process(parse):
    first = await parse.run({"do": "echo", "text": "中文 \ud800"})
    second = await parse.run({"do": "echo", "text": ""})
    assert first["said"] == "中文 \ud800"
    assert first["pid"] == second["pid"] != __import__("os").getpid()


@pytest.mark.parametrize("deed", ["hang", "spin"])
async def test_who_takes_too_long_is_ended_and_the_next_job_works(hasty, deed):
    with pytest.raises(Unreadable, match=r"longer than 0\.3 seconds"):
        await hasty.run({"do": deed})
    assert (await hasty.run({"do": "echo", "text": "x"}))["said"] == "x"


@pytest.mark.parametrize("deed", ["crash", "leave", "raise", "recurse", "unserialisable"])
async def test_who_breaks_the_process_is_refused_and_the_next_job_works(parse, deed):
    with pytest.raises(Unreadable, match="broke down"):
        await parse.run({"do": deed, "text": "secret"})
    assert (await parse.run({"do": "echo", "text": "x"}))["said"] == "x"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds to the limit")
async def test_who_takes_too_much_memory_is_refused(parse):
    assert (await parse.run({"do": "eat", "bytes": 1 << 20}))["size"] == 1 << 20
    with pytest.raises(Unreadable, match="256 MiB"):
        await parse.run({"do": "eat", "bytes": 1 << 29})
    assert (await parse.run({"do": "echo", "text": "x"}))["said"] == "x"


async def test_what_a_library_prints_goes_nowhere(parse, capfd):
    assert await parse.run({"do": "print", "text": "secret"}) == {"printed": True}
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
async def test_nothing_can_be_written(parse, tmp_path):
    path = tmp_path / "file"
    assert await parse.run({"do": "write", "path": str(path)}) == {"error": "OSError"}
    assert not path.exists() or path.read_bytes() == b""


async def test_the_environment_tells_nothing(parse, monkeypatch):
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "secret")
    monkeypatch.setenv("HOME", "/home/alice")
    assert not {"FAMULUS_PASSPHRASE", "HOME"} & set(await parse.run({"do": "environment"}))


async def test_a_target_that_does_not_exist():
    parse = ParseProcess("tests.integration.runtime.nothing:work")
    with pytest.raises(Unreadable, match="could not be started"):
        await parse.run({})
    parse.close()


def test_closing_ends_a_running_job(parse):
    future = parse._lane.submit(parse.run_here, {"do": "hang"})
    while parse._child is None or not future.running():
        pass
    parse.close()
    with pytest.raises(Unreadable):
        future.result(10)
