import dataclasses


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
