"""Ports on loopback that say what they are told to, to whoever asks."""

import json
import socket
import time
from contextlib import contextmanager, suppress
from threading import Thread


@contextmanager
def answering(*pieces, every=0.0, close=True):
    """A port on loopback that sends these bytes to whoever asks; its number."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            with suppress(OSError):
                while True:
                    _say(server.accept()[0], pieces, every, close)

        thread = Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        thread.join()


def whole(body, *headers):
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = "".join(f"{line}\r\n" for line in ("HTTP/1.1 200 OK", "Content-Type: application/json", *headers))
    return head.encode() + b"\r\n" + text


def _say(line, pieces, every, close):
    with line, suppress(ConnectionError):
        line.recv(4096)
        for piece in pieces:
            line.sendall(piece)
            time.sleep(every)
        if not close:
            line.recv(1)
