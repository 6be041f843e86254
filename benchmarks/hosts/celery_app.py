"""Debates as tasks of Celery. `python -m benchmarks.hosts.celery_app` sends orders and prints what came of them."""

from __future__ import annotations

import os

from celery import Celery, group

from .order import Order, Played, play, read_orders, tell

FOLDER = os.environ["CELERY_FOLDER"]
app = Celery("debates", broker="filesystem://", backend=f"file://{FOLDER}/results")
app.conf.broker_transport_options = {
    name: f"{FOLDER}/{name}" for name in ("data_folder_in", "data_folder_out", "control_folder")
} | {"data_folder_out": f"{FOLDER}/data_folder_in"}


@app.task(name="hold")
def hold(order: Order) -> Played:
    return play(order)


if __name__ == "__main__":
    tell(group(hold.s(order) for order in read_orders()).apply_async().get(timeout=120))
