from app.domain.errors import BadInput, Bug, Expected, Locked, WrongKey, expected_types
from app.domain.text import msg


def test_every_kind_has_a_code_of_its_own():
    types = expected_types()
    assert types["wrong_key"] is WrongKey
    assert types["expected"] is Expected
    assert len(set(types.values())) == len(types)
    assert all(issubclass(kind, Expected) for kind in types.values())


def test_an_error_says_what_happened_what_was_lost_and_what_now():
    error = WrongKey(msg("The passphrase does not fit."), next_step=msg("Try again."))
    assert str(error) == "The passphrase does not fit."
    assert str(error.lost) == "Nothing was lost."
    assert isinstance(error, Locked)
    assert not isinstance(error, BadInput)


def test_a_bug_is_not_expected():
    assert not issubclass(Bug, Expected)
