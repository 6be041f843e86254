"""Keys that are kept: where they go, who may read them, and that a stored one is never silently passed over."""

import json
import stat

import pytest

from hustings.config.variables import Kept, forget, keep, keys_file, variable_of, variables
from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.llm.model_spec import model_spec_of
from hustings.script.seats import Seat

KEY = "sk-canary-7f3a9b2c"


class Drawer:
    """Holds passwords as a system's keyring does."""

    def __new__(cls, refuses=False):
        backend = pytest.importorskip("keyring.backend")

        class Backend(backend.KeyringBackend):
            priority = 5

            def __init__(self):
                self.held = {}

            def get_password(self, service, username):
                if refuses:
                    raise RuntimeError("locked")
                return self.held.get((service, username))

            def set_password(self, service, username, password):
                if refuses:
                    raise RuntimeError("locked")
                self.held[service, username] = password

            def delete_password(self, service, username):
                del self.held[service, username]

        return Backend()


@pytest.fixture
def keyring_with():
    keyring = pytest.importorskip("keyring")
    before = keyring.get_keyring()

    def use(backend):
        keyring.set_keyring(backend)
        return backend

    yield use
    keyring.set_keyring(before)


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("gemini", "GEMINI_API_KEY"),
        ("OpenAI", "OPENAI_API_KEY"),
        ("PRO_LLM_API_KEY", "PRO_LLM_API_KEY"),
    ],
)
def test_a_provider_goes_by_its_customary_variable(name, variable):
    assert variable_of(name) == variable


def test_what_is_no_name_is_not_repeated_for_it_may_be_the_key():
    with pytest.raises(NotFound, match="use anthropic, openai") as caught:
        variable_of(KEY)
    assert KEY not in str(caught.value)


def test_a_server_of_ones_own_needs_no_key():
    with pytest.raises(Unsuitable, match="ollama needs no key"):
        variable_of("ollama")


def test_without_a_keyring_a_key_goes_into_a_file_that_nobody_else_reads(machine):
    assert keep("OPENAI_API_KEY", f" {KEY}\n") == "key file"
    assert stat.S_IMODE(keys_file().stat().st_mode) == 0o600
    assert stat.S_IMODE(keys_file().parent.stat().st_mode) == 0o700
    assert Kept()["OPENAI_API_KEY"] == KEY


@pytest.mark.parametrize("secret", ["", " ", "two words", "sk-\x1b[2J", "schlüssel", "k" * 9000])
def test_what_is_no_key_is_not_kept(machine, secret):
    with pytest.raises(Unsuitable, match="doesn't look like a key"):
        keep("OPENAI_API_KEY", secret)


def test_a_kept_key_is_used_wherever_a_variable_would_be(machine):
    keep("ANTHROPIC_API_KEY", KEY)
    machine.has(LLM_PROVIDER="anthropic", LLM_MODEL="m")
    known = variables()
    assert model_spec_of(Seat("pro"), known).key == "ANTHROPIC_API_KEY"
    assert (known["ANTHROPIC_API_KEY"], known.place_of("ANTHROPIC_API_KEY")) == (KEY, "key file")


def test_a_variable_wins_over_a_kept_key(machine):
    keep("ANTHROPIC_API_KEY", KEY)
    machine.has(ANTHROPIC_API_KEY="of the process")
    known = variables()
    assert (known["ANTHROPIC_API_KEY"], known.place_of("ANTHROPIC_API_KEY")) == ("of the process", "env")


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_file_that_others_can_read_is_refused_with_the_cure(machine, mode):
    machine.user(json.dumps({"OPENAI_API_KEY": KEY}), "keys.json", mode)
    with pytest.raises(Unsuitable, match="chmod 600") as caught:
        dict(Kept())
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("text", ["", "no json", "[]", '{"A_API_KEY": 7}', "[" * 100_000])
def test_a_file_that_was_tampered_with_is_told(machine, text):
    machine.user(text, "keys.json")
    with pytest.raises(BrokenFile, match="was changed or damaged"):
        len(Kept())


def test_a_forgotten_key_is_gone(machine):
    keep("OPENAI_API_KEY", KEY)
    assert forget("OPENAI_API_KEY") == "key file"
    assert KEY not in keys_file().read_text()
    with pytest.raises(NotFound, match="no key OPENAI_API_KEY is stored"):
        forget("OPENAI_API_KEY")


def test_with_a_keyring_the_file_holds_the_name_alone(machine, keyring_with):
    drawer = keyring_with(Drawer())
    assert keep("OPENAI_API_KEY", KEY) == "keyring"
    assert KEY not in keys_file().read_text()
    assert (variables()["OPENAI_API_KEY"], Kept().places) == (KEY, {"OPENAI_API_KEY": "keyring"})
    assert forget("OPENAI_API_KEY") == "keyring"
    assert not drawer.held


def test_a_keyring_that_refuses_leaves_the_key_to_the_file(machine, keyring_with):
    keyring_with(Drawer(refuses=True))
    assert keep("OPENAI_API_KEY", KEY) == "key file"


def test_a_keyring_is_not_opened_for_a_key_that_nobody_needs(machine, keyring_with):
    machine.user('{"OPENAI_API_KEY": null}', "keys.json")
    keyring_with(Drawer(refuses=True))
    machine.has(LLM_PROVIDER="ollama", LLM_MODEL="m")
    assert model_spec_of(Seat("pro"), variables()).label == "ollama/m"


@pytest.mark.parametrize(("refuses", "why"), [(True, "refused access"), (False, "is missing from the system keyring")])
def test_a_key_that_the_keyring_does_not_give_is_told_with_the_cure(machine, keyring_with, refuses, why):
    machine.user('{"OPENAI_API_KEY": null}', "keys.json")
    keyring_with(Drawer(refuses))
    with pytest.raises(Unsuitable, match=f"{why}.*hustings keys set OPENAI_API_KEY"):
        variables()["OPENAI_API_KEY"]


def test_a_key_in_a_keyring_that_is_gone_is_told(machine):
    machine.user('{"OPENAI_API_KEY": null}', "keys.json")
    with pytest.raises(Unsuitable, match="can't be reached"):
        variables()["OPENAI_API_KEY"]
