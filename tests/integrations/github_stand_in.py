"""The part of GitHub's API that keeps comments, on loopback."""

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from urllib.parse import parse_qs, urlsplit


@dataclass
class GitHub:
    url: str = ""
    comments: list = field(default_factory=list)
    asked: list = field(default_factory=list)
    """Method, path and token of each request."""
    refuses: int = 0
    """A status to answer everything with."""
    ids: object = field(default_factory=lambda: count(100))

    def enter(self, body, kind="Bot"):
        self.comments.append({"id": next(self.ids), "body": body, "user": {"type": kind}})
        return self.comments[-1]


@contextmanager
def serving():
    github = GitHub()

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            page = int(parse_qs(urlsplit(self.path).query)["page"][0])
            self._say(github.comments[100 * page - 100 : 100 * page])

        def do_POST(self):
            self._say(github.enter(self._body()))

        def do_PATCH(self):
            wanted = int(self.path.rpartition("/")[2])
            found = next(one for one in github.comments if one["id"] == wanted)
            found["body"] = self._body()
            self._say(found)

        def _body(self):
            return json.loads(self.rfile.read(int(self.headers["content-length"])))["body"]

        def _say(self, answer):
            github.asked.append((self.command, self.path, self.headers["Authorization"]))
            status = github.refuses or 200
            self.send_response(status)
            self.send_header("Location", "http://127.0.0.1:1/")
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        github.url = f"http://127.0.0.1:{server.server_port}"
        yield github
        server.shutdown()
