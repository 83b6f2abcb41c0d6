from __future__ import annotations

import json
import os
import socket
from dataclasses import replace

import pytest

from app.domain.errors import Bug
from app.runtime import clock
from app.sources.parsing import dispatch, worker
from app.sources.parsing.answer import Answer, Job
from app.sources.parsing.facts import understood
from app.sources.parsing.limits import ParseLimits
from app.sources.parsing.wire import BrokenAnswer, parsed_from_dict, parsed_to_dict
from tests.unit.sources.makers import SAMPLES, SHANGHAI, WINDOW, write


def job(path, **changes) -> Job:
    return replace(Job(path, ParseLimits(), SHANGHAI, WINDOW), **changes)


def handle(path, **changes) -> Answer:
    return Answer.from_dict(
        json.loads(json.dumps(worker.handle(json.loads(json.dumps(job(path, **changes).to_dict())))))
    )


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_format_survives_the_way_between_the_processes(tmp_path, name):
    answer = handle(write(tmp_path / name, SAMPLES[name]))
    assert answer.parsed is not None
    assert answer.parsed.entries
    assert parsed_from_dict(json.loads(json.dumps(parsed_to_dict(answer.parsed)))) == answer.parsed
    assert not answer.state.is_fresh


def test_the_known_content_is_not_parsed_again(tmp_path):
    path = write(tmp_path / "a.txt", "text")
    first = handle(path)
    assert handle(path, known_sha256=first.sha256).is_known
    assert not handle(path, known_sha256="0" * 64).is_known


@pytest.mark.parametrize(
    ("mtime_s", "age_s", "is_fresh"),
    [(1_000_000.5, 0.05, True), (1_000_000.5, 0.2, False), (1_000_000, 1.5, True), (1_000_000, 2.5, False)],
)
def test_a_file_changed_just_before_it_was_read_is_told_as_such(tmp_path, monkeypatch, mtime_s, age_s, is_fresh):
    """File systems that keep whole seconds need longer."""
    path = write(tmp_path / "a.txt", "x", at=mtime_s)
    monkeypatch.setattr(clock, "system_ns", lambda: int((mtime_s + age_s) * 1e9))
    assert handle(path).state.is_fresh is is_fresh


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_what_is_no_regular_file_is_refused_and_never_waited_for(tmp_path):
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    assert handle(pipe).refusal is not None
    assert handle(tmp_path).refusal is not None
    address = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(str(address))
        assert handle(address).refusal is not None


def test_links_are_followed_only_where_allowed(tmp_path):
    write(tmp_path / "a.txt", "text")
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "a.txt")
    assert handle(link).refusal is not None
    assert handle(link, follows_links=True).parsed is not None


def test_files_that_are_gone_or_too_big_are_refused_with_the_reason(tmp_path):
    assert "no longer" in str(handle(tmp_path / "none.txt").refusal[0])
    big = write(tmp_path / "big.txt", b"x" * 1000)
    answer = handle(big, limits=ParseLimits(file_bytes=999))
    assert "MiB" in str(answer.refusal[0])


def test_a_parser_that_breaks_is_a_refusal_that_names_the_place_and_nothing_else(tmp_path, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("secret content")

    monkeypatch.setattr(worker, "parse_sniffed", broken)
    answer = handle(write(tmp_path / "a.txt", "text"))
    assert answer.refusal is not None
    assert answer.fault.startswith("ZeroDivisionError at ")
    assert "secret" not in answer.fault


def test_running_out_of_memory_is_told_to_the_process(tmp_path, monkeypatch):
    def hungry(*_):
        raise MemoryError

    monkeypatch.setattr(worker, "parse_sniffed", hungry)
    with pytest.raises(MemoryError):
        handle(write(tmp_path / "a.txt", "text"))


def test_names_and_texts_that_are_no_unicode(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xd6\xd0.txt")
    try:
        with open(path, "wb") as file:  # noqa: PTH123 - the name is the point
            file.write(b"text")
    except OSError:
        pytest.skip("this file system wants names in UTF-8")
    from pathlib import Path

    answer = handle(Path(path))
    assert answer.parsed.entries[0].title
    answer.parsed.entries[0].title.encode()


def test_facts(tmp_path):
    answer = handle(write(tmp_path / "a.txt", "你好，世界".encode("gbk")))
    facts = understood(answer.parsed)
    assert (facts["encoding"], facts["text"], facts["format"]) == ("GB2312", "你好，世界", "text")
    assert facts["text_sha256"] == "46932f1e6ea5216e77f58b1908d72ec9322ed129318c6d4bd4450b5eaab9d7e7"
    mail = understood(handle(write(tmp_path / "m.eml", SAMPLES["mail.eml"])).parsed)
    assert (mail["subject"], mail["attachments"]) == ("会议通知", 0)
    calendar = understood(handle(write(tmp_path / "c.ics", SAMPLES["cal.ics"])).parsed)
    assert (calendar["events"], calendar["todos"]) == (2, 0)


def test_a_bad_job_is_our_own_fault(tmp_path):
    values = job(tmp_path).to_dict()
    with pytest.raises(Bug):
        worker.handle(values | {"limits": {"pages": -1}})


@pytest.mark.parametrize(
    "break_it",
    [
        lambda values: values.pop("sha256"),
        lambda values: values.update(sha256=7),
        lambda values: values.update(state=[1, 2]),
        lambda values: values.update(state=[1, 2, 3, 4]),
        lambda values: values.update(is_known=True),
        lambda values: values.update(parsed=None),
        lambda values: values["parsed"].update(extra=1),
        lambda values: values["parsed"]["entries"][0].update(kind="virus"),
        lambda values: values["parsed"]["entries"][0].update(title=None),
        lambda values: values["parsed"]["entries"][0].update(title="\ud800"),
        lambda values: values["parsed"]["entries"][0].update(created_at="2025-01-01T00:00:00"),
        lambda values: values["parsed"]["entries"][0]["blocks"].append(["paragraph", "x"]),
        lambda values: values["parsed"]["entries"][0]["metadata"].update(a=1),
        lambda values: values["parsed"]["warnings"].append({"template": "{a.__class__}", "values": {"a": 1}}),
        lambda values: values["parsed"]["warnings"].append({"template": "{b}", "values": {"a": 1}}),
        lambda values: values["parsed"].update(facts=[]),
    ],
)
def test_a_broken_answer_is_noticed(tmp_path, break_it):
    values = json.loads(json.dumps(worker.handle(job(write(tmp_path / "a.md", SAMPLES["note.md"])).to_dict())))
    Answer.from_dict(values)
    break_it(values)
    with pytest.raises(BrokenAnswer):
        Answer.from_dict(values)


def test_formats_load_only_their_own_libraries():
    import subprocess
    import sys

    heavy = "('docx', 'pypdfium2', 'icalendar', 'selectolax', 'markdown_it', 'yaml', 'chardetng_py', 'email')"
    code = f"import sys, app.sources.parsing.worker; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert dispatch.parse_content is not None
