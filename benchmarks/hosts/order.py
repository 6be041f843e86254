"""What a customer of a host asks for, and the debate that answers it."""

from __future__ import annotations

import asyncio
import json
import sys

from typing_extensions import TypedDict

from hustings import Debate, Result


class Order(TypedDict):
    question: str
    address: str
    """Of the model's server; each customer has one."""
    key: str


class Played(TypedDict):
    run_id: str
    ending: str


def debate_of(order: Order) -> Debate:
    model = f"openai_compatible/m@{order['address']}"
    return Debate(order["question"], model=model, keys={"LLM_API_KEY": order["key"]}, judges=None)


def play(order: Order) -> Played:
    return played(debate_of(order).run())


async def aplay(order: Order) -> Played:
    return played(await debate_of(order))


def played(result: Result) -> Played:
    return {"run_id": result.run_id, "ending": result.ending.kind}


def read_orders() -> list[Order]:
    return json.load(sys.stdin)


def tell(results: list[Played]) -> None:
    sys.stdout.write(json.dumps(results) + "\n")
    sys.stdout.flush()


async def all_at_once(orders: list[Order]) -> list[Played]:
    return list(await asyncio.gather(*map(aplay, orders)))
