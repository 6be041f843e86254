"""A service that waits for debates, for gunicorn."""

from __future__ import annotations

from flask import Flask, request

from .order import Played, play

app = Flask(__name__)


@app.get("/")
def ready() -> str:
    return "ready"


@app.post("/debates")
def hold() -> Played:
    return play(request.get_json())
