import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.runtime import processes

ROOT = Path(__file__).resolve().parents[3]


def test_a_folder_named_app_where_the_person_stands_is_not_taken_for_ours(tmp_path):
    """Famulus starts itself from wherever a command is given."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("")
    (tmp_path / "app" / "__main__.py").write_text("print('hijacked')")
    done = subprocess.run(
        processes.own_command("--version"),
        cwd=tmp_path,
        env=processes.with_own_package({"PATH": os.environ["PATH"]}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("famulus ")


def test_a_frozen_program_starts_itself(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert processes.own_command("serve") == [sys.executable, "serve"]


def test_a_persons_own_python_path_is_kept():
    path = processes.with_own_package({"PYTHONPATH": "/mine", "X": "1"})
    assert path == {"PYTHONPATH": os.pathsep.join([str(ROOT), "/mine"]), "X": "1"}


def test_a_detached_process_says_what_it_says_before_it_falls_silent(monkeypatch, tmp_path):
    script = (
        "import os; from app.runtime.processes import fall_silent;"
        "print(os.getcwd(), 'FAMULUS_PASSPHRASE' in os.environ, os.getsid(0) == os.getpid(), flush=True);"
        "fall_silent(); print('nobody hears this', flush=True)"
    )
    monkeypatch.setattr(processes, "own_command", lambda *arguments: [sys.executable, "-c", *arguments])
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "secret")
    process = processes.start_detached([script], folder=tmp_path)
    out, _ = process.communicate(timeout=60)
    assert out.decode().split() == [str(tmp_path), "False", "True"]
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_process_is_alive_until_it_has_ended():
    assert processes.is_alive(os.getpid())
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert processes.is_alive(process.pid)
    process.stdin.close()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not processes.is_alive(process.pid), "ended, though nobody has asked for its exit code"
    process.wait()
    assert not processes.is_alive(process.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the limits as Linux keeps them")
def test_no_core_dumps():
    script = (
        "import ctypes, resource; from app.runtime import crash_dumps; crash_dumps.forbid();"
        "print(resource.getrlimit(resource.RLIMIT_CORE), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(0, 0) 0"


def test_another_program_runs_the_script_where_there_is_one(tmp_path, monkeypatch):
    python = tmp_path / "python"
    monkeypatch.setattr(sys, "executable", str(python))
    assert processes.command_for_others() == processes.own_command()
    script = tmp_path / ("famulus.exe" if sys.platform == "win32" else "famulus")
    script.touch()
    assert processes.command_for_others() == [str(script)]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert processes.command_for_others() == [str(python)]
