"""Of which family a model is: those of one family share their blind spots, so they count as one voice."""

from __future__ import annotations

import re

from .model_spec import ModelSpec


def family(model_spec: ModelSpec) -> str:
    """By the name of the model, whoever serves it; a name nobody knows is a family of its own."""
    name = model_spec.model.rsplit("/", 1)[-1].lower()
    for known, of in KNOWN.items():
        if re.search(rf"(?<![a-z]){known}", name):
            return of
    return re.split(r"[^a-z]", name.lstrip("0123456789-_."), maxsplit=1)[0] or model_spec.provider or "unknown"


KNOWN = {
    "claude": "claude",
    "gpt": "gpt",
    "^o[134](?![0-9])": "gpt",
    "chatgpt": "gpt",
    "gemini": "gemini",
    "gemma": "gemini",
    "(?:codellama|llama)": "llama",
    "(?:mistral|mixtral|ministral|codestral|magistral|devstral)": "mistral",
    "(?:qwen|qwq)": "qwen",
    "deepseek": "deepseek",
    "(?:command|aya)": "command",
    "phi": "phi",
    "grok": "grok",
    "smollm": "smollm",
    "nova": "nova",
    "glm": "glm",
    "kimi": "kimi",
}
"""Part of a model's name to its family."""
