"""The client of OpenAI, pointed at our server, and the frames that it was sent."""

import json

import openai

MODEL = "hustings/structured"


def client(site, token="none"):
    """It is closed with the server."""
    return site.callers.enter_context(openai.OpenAI(base_url=f"{site.url}/v1", api_key=token, max_retries=0))


def asked(words):
    return [{"role": "user", "content": words}]


def frames(lines):
    """JSON of every data line of a stream, its end left out."""
    data = (line.removeprefix("data: ") for line in lines if line.startswith("data: "))
    return [json.loads(one) for one in data if one != "[DONE]"]
