"""A server on loopback that answers like Ollama, with improvised words: where Ollama would be, if nobody is there."""

import asyncio
from contextlib import contextmanager

from tests.rig.provider import HOST, FaultPlan, ProviderServer
from tests.rig.provider_exchange import Ledger
from tests.rig.proxy import child, ready

MODELS = ("llama3.2", "qwen3", "gemma3")
PORT = 11434


class Ollama(ProviderServer):
    def _control(self, path, body):
        if path == "/api/tags":
            return 200, {"models": [{"name": model} for model in MODELS]}
        return super()._control(path, body)


@contextmanager
def serving():
    """Its port; another than Ollama's own where that is taken."""
    with child(__name__) as said:
        yield said["port"]


async def main():
    serve = Ollama(FaultPlan(), Ledger()).serve
    try:
        server = await asyncio.start_server(serve, HOST, PORT, limit=2**26)
    except OSError:
        server = await asyncio.start_server(serve, HOST, 0, limit=2**26)
    ready(port=server.sockets[0].getsockname()[1])
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
