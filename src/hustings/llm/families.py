"""Model families. Models of one family share blind spots, so judges of one family count as one."""

from __future__ import annotations

import re

from .model_spec import ModelSpec


def family(model_spec: ModelSpec) -> str:
    """Derive the family from the model's name, whatever provider serves it. An unknown name is its own family."""
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
