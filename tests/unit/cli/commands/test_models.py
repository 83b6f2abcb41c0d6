import dataclasses

from app.domain.text import msg


def test_list_and_install_need_no_open_database(shell, api):
    assert "e5 1  installed" in shell("models", "list")
    assert shell.json("models", "install")["is_verified"] is True
    assert "e5 1  installed" in shell("models", "install")
    assert not api.asked("status")
    assert set(api.asked("install_model")[0][1]) == {"progress", "stop"}


def test_verify(shell, api):
    (good,) = api.answers["models"]
    shell("models", "verify")
    api.answers["models"] = [dataclasses.replace(good, is_verified=False)]
    assert "changed" in shell("models", "verify", expect=3)
    api.answers["models"] = [dataclasses.replace(good, is_installed=False, is_verified=False)]
    assert "not installed" in shell("models", "verify", expect=3)
    assert "famulus models install" in shell.err


def test_a_broken_model_says_what_is_wrong(shell, api):
    (good,) = api.answers["models"]
    broken = dataclasses.replace(good, model_id="own-1", is_verified=False, problem=msg("A file is damaged."))
    api.answers["models"] = [good, broken]
    assert "A file is damaged." in shell("models", "list")
    assert [model["problem"] for model in shell.json("models", "list")] == [None, "A file is damaged."]
    shell("models", "verify", expect=3)


def test_remove_asks_for_what_is_in_use(shell, api):
    shell("models", "remove", "e5")
    assert shell.json("models", "remove", "e5") == {"removed": "e5"}
    api.answers["models"] = [dataclasses.replace(api.answers["models"][0], is_in_use=True)]
    before = len(api.asked("remove_model"))
    shell("models", "remove", "e5", expect=3)
    assert "--yes" in shell.err
    assert len(api.asked("remove_model")) == before
    shell("models", "remove", "e5", "--yes")
    assert len(api.asked("remove_model")) == before + 1


def test_build_gives_the_whole_path_and_the_fidelity(shell, api, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "0.9900" in shell("models", "build", "folder", "--name", "own")
    ((positional, named),) = api.asked("build_model")
    assert positional == (str(tmp_path / "folder"),)
    assert named["name"] == "own"
    assert shell.json("models", "build", "folder")["task"] == "encoder"
