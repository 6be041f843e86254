"""Debates awaited in a cell of a notebook, whose kernel has a running loop. SIGTERM is its button for a new kernel."""

from __future__ import annotations

import json
import signal
import sys
from typing import Any

from jupyter_client.manager import KernelManager

from .order import read_orders, tell

CELL = """
import json
from benchmarks.hosts.order import all_at_once
print(json.dumps(await all_at_once(json.loads({orders!r}))))
"""


def main() -> None:
    kernel = KernelManager()
    kernel.start_kernel()

    def stop(*_: Any) -> None:
        kernel.interrupt_kernel()
        kernel.shutdown_kernel()
        sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    client = kernel.client()
    client.start_channels()
    client.wait_for_ready(timeout=30)
    printed: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        content = message["content"]
        printed.append(content.get("text", ""))
        if message["msg_type"] == "error":
            sys.stderr.write("\n".join(content["traceback"]) + "\n")

    client.execute_interactive(CELL.format(orders=json.dumps(read_orders())), output_hook=hear, timeout=120)
    kernel.shutdown_kernel()
    tell(json.loads("".join(printed)))


if __name__ == "__main__":
    main()
