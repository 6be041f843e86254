"""What is configured on this machine, for the page of settings: files, options, models and keys; never a key itself."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from pydantic import BaseModel

from hustings.errors import HustingsError
from hustings.installation import install_hint
from hustings.llm.endpoints import PROVIDERS
from hustings.llm.environment import Environment
from hustings.llm.local_servers import LocalServer
from hustings.llm.model_spec import Price

from .models import DEFAULT_MODELS, ConfiguredModel, configured_models, per_million, usable
from .paths import DOTENV, PROJECT_FILE, found_upwards, user_file
from .settings_in_use import options_in_use
from .variables import keys_file


class SettingsFile(BaseModel, frozen=True, defer_build=True):
    """A place that settings are read from."""

    name: str
    path: str
    there: bool


class OptionInUse(BaseModel, frozen=True, defer_build=True):
    name: str
    value: str | None
    """As a settings file would write it; null: decided by the command."""
    origin: str


class SeatModel(BaseModel, frozen=True, defer_build=True):
    """The model for a seat, a team or a role; `llm` stands for every seat without its own."""

    name: str
    model: str
    """Empty if it cannot be used."""
    where: str
    """Its host, if the settings name one."""
    key: str
    """Name of its key; empty if it needs none."""
    price: Price | None
    """USD per million tokens; null if it is not known."""
    problem: str
    configured: bool
    """Whether the settings name it; otherwise it was found on this machine."""


class KeyInUse(BaseModel, frozen=True, defer_build=True):
    """The key of a provider, by its name."""

    provider: str
    """Empty for a key of a seat."""
    name: str
    place: str
    """Where it comes from; empty if it is not set."""
    install: str
    """The command that installs the library of the provider; empty if it is installed."""
    checked: str = ""
    """When a model last answered or refused with it, since the server was started."""
    works: bool | None = None
    """Whether it did; null if it was not tried."""


class SettingsView(BaseModel, frozen=True, defer_build=True):
    files: tuple[SettingsFile, ...]
    options: tuple[OptionInUse, ...]
    """Defaults of the commands at a terminal."""
    models: tuple[SeatModel, ...]
    keys: tuple[KeyInUse, ...]


def settings_view(known: Environment, servers: Sequence[LocalServer]) -> SettingsView:
    """What is configured here. Settings that cannot be read raise an error with its cure."""
    project, dotenv = found_upwards(PROJECT_FILE), found_upwards(DOTENV)
    own = user_file()
    return SettingsView(
        files=(
            SettingsFile(name="config.toml", path=str(own), there=own.is_file()),
            SettingsFile(name=PROJECT_FILE, path=str(project or ""), there=project is not None),
            SettingsFile(name=DOTENV, path=str(dotenv or ""), there=dotenv is not None),
            SettingsFile(name="keys.json", path=str(keys_file()), there=keys_file().is_file()),
        ),
        options=tuple(
            OptionInUse(name=name, value=_said(value), origin=origin)
            for name, (value, origin) in options_in_use().items()
        ),
        models=tuple(_model(speaker, known) for speaker in configured_models(known, servers)),
        keys=_keys(known),
    )


def _said(value: object) -> str | None:
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


def _model(speaker: ConfiguredModel, known: Environment) -> SeatModel:
    spec = speaker.model_spec
    return SeatModel(
        name=speaker.name,
        model=spec.label if spec else "",
        where=urlsplit(spec.base_url).netloc if spec and spec.base_url else "",
        key=spec.key if spec else "",
        price=per_million(spec) if spec else None,
        problem=_told(speaker.problem) if speaker.problem else "",
        configured=bool(known.set_up),
    )


def _told(problem: HustingsError) -> str:
    """What is wrong and why; a cure of several lines belongs to the terminal, and to the check-up."""
    short = problem.fix if "\n" not in problem.fix else ""
    return str(HustingsError(problem.what, why=problem.why, fix=short))


def _keys(known: Environment) -> tuple[KeyInUse, ...]:
    """Usual keys of the known providers, set or not, then every other key that is set."""
    found: list[KeyInUse] = []
    for provider in DEFAULT_MODELS:
        names = PROVIDERS[provider].keys
        name = next((name for name in names if known.place_of(name)), names[0])
        install = "" if usable(provider) else install_hint(provider)
        found.append(KeyInUse(provider=provider, name=name, place=known.place_of(name), install=install))
    shown = {key.name for key in found}
    others = sorted({name for name in known if name.endswith("_API_KEY")} - shown)
    return (
        *found,
        *(KeyInUse(provider="", name=name, place=known.place_of(name), install="") for name in others),
    )
