import os
import subprocess
import sys
from pathlib import Path

from app.runtime import environment

ROOT = Path(__file__).resolve().parents[3]


def test_the_passphrase_is_handed_to_no_process(monkeypatch, tmp_path):
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "secret")
    monkeypatch.setenv("FAMULUS_MODELS", "/models")
    assert environment.passphrase() == "secret"
    assert "secret" not in environment.for_own_process().values()
    assert environment.for_own_process()["FAMULUS_MODELS"] == "/models"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAMULUS_MODELS", "models")
    assert environment.for_own_process()["FAMULUS_MODELS"] == str(tmp_path / "models")


def test_the_token_of_a_client_is_handed_on_to_nobody(monkeypatch):
    monkeypatch.setenv("FAMULUS_CLIENT_TOKEN", "fam_x")
    assert environment.client_token() == "fam_x"
    assert "fam_x" not in environment.for_own_process().values()
    monkeypatch.setenv("FAMULUS_CLIENT_TOKEN", "")
    assert environment.client_token() is None


def test_the_model_runtime_writes_nothing_into_the_home_folder(tmp_path):
    script = (
        "import sys; from contextlib import suppress; from pathlib import Path\n"
        "from app.inference.session import Session\n"
        "with suppress(Exception): Session(Path('nothing.onnx'), threads=1)\n"
        "sys.exit('onnxruntime' not in sys.modules)"
    )
    variables = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=variables, check=True)
    assert list(tmp_path.rglob("*")) == []


def test_a_parser_gets_nothing_to_give_away(monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("HOME", "/home/alice")
    assert set(environment.for_parsing()) <= set(environment._FOR_PARSING)


def test_an_empty_passphrase_is_none(monkeypatch):
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "")
    assert environment.passphrase() is None


def test_where_other_programs_keep_their_settings(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert environment.config_home() == tmp_path / ".config"
    assert environment.roaming_home() == tmp_path / "AppData" / "Roaming"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert environment.config_home() == tmp_path / ".config"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "x"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "y"))
    assert environment.config_home() == tmp_path / "x"
    assert environment.roaming_home() == tmp_path / "y"
