"""A service that awaits debates, for uvicorn."""

from __future__ import annotations

from fastapi import FastAPI

from .order import Order, Played, aplay

app = FastAPI()


@app.get("/")
def ready() -> str:
    return "ready"


@app.post("/debates")
async def hold(order: Order) -> Played:
    return await aplay(order)
