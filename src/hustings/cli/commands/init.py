"""`hustings init`: write a commented settings file; an existing file is never overwritten."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from hustings.cli.terminal import show, talk
from hustings.config.paths import PROJECT_FILE
from hustings.errors import Unsuitable

SCHEMA = "hustings.schema.json"


def init_project() -> None:
    """Write hustings.toml into this folder, with everything it may say as a comment."""
    write_settings(Path(PROJECT_FILE))


def write_settings(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(f"#:schema {schema_line(path)}\n{TEMPLATE}")
    except FileExistsError:
        raise Unsuitable(f"{path} is there already", fix="change that one, or move it away first") from None
    except OSError as error:
        raise Unsuitable(f"{path} cannot be written", why=error.strerror or "", fix="choose another folder") from None
    show(str(path))
    talk(f"Wrote {path.name}. Check it: hustings doctor")


def schema_line(path: Path) -> str:
    """Schema location for editors: relative if the package lies below the file's folder, so it works for others too."""
    shipped, folder = Path(str(files("hustings") / "data" / SCHEMA)), path.absolute().parent
    return f"./{shipped.relative_to(folder)}" if shipped.is_relative_to(folder) else shipped.as_uri()


TEMPLATE = """\
# Settings of hustings, from here downwards. Variables (LLM_MODEL, HUSTINGS_PROTOCOL) and options win over this file.
# What is in force, and from where:  hustings config show --origin
# Keys do not belong here:           hustings keys set anthropic

# protocol = "structured"        # hustings protocols
# budget = 1.00                  # most a debate may cost, in USD
# judges = "auto"                # or models with commas between, or "none"
# control = false                # also ask the models without a debate
# language = "en"
# retries = 1                    # how often a bad answer is sent back
# display = "live"               # live, plain, json or quiet

# The model of every seat:
# [llm]
# provider = "ollama"            # hustings models
# model = "llama3.2"
# temperature = 0.7
# max_tokens = 2000

# Of one team, role or seat; the narrower wins:
# [con]
# provider = "anthropic"
# model = "claude-sonnet-5-5"
# [judge]
# provider = "openai"
# model = "gpt-6.1-terra"

# Any OpenAI-compatible server; price in USD per million tokens:
# [pro_2]
# provider = "openai_compatible"
# base_url = "http://localhost:1234/v1"
# model = "gemma"
# price = { input = 0.0, output = 0.0 }

# Sets of defaults under a name, chosen by --profile quick:
# [profiles.quick]
# max_calls = 10
# [profiles.quick.llm]
# provider = "ollama"
# model = "llama3.2"

# Who sits where, chosen by --cast duel:
# [casts.duel]
# pro = "ollama/llama3.2"
# con = "ollama/qwen3"
"""
