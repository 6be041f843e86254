"""`demo`, `doctor` and a debate open no address outside this machine; what they do is watched, not what they say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GUARD = """
import ipaddress, os, sys

def outside(host):
    host = host.decode() if isinstance(host, bytes) else str(host)
    if host == os.environ.get("FOREIGN"):  # stands for an address outside, so that no test needs a real one
        return True
    try:
        return not ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host not in ("localhost", "")

def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        place = arguments[1]
        host = place[0] if isinstance(place, tuple) else ""  # a path is a socket of this machine
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0] or ""
    else:
        return
    if outside(host):
        with open(os.environ["SEEN"], "a") as seen:
            seen.write(f"{event} {host}\\n")
        raise ConnectionRefusedError(f"{host} is outside this machine")

sys.addaudithook(watch)
"""
MAIN = "from hustings.main import main; sys.argv[0] = 'hustings'; main()"
TOPIC = "Should towns close their centres to cars?"


def watched(folder, code, *arguments, foreign=""):
    """Exit code of a program, and the addresses outside that it asked for; its child processes are not watched."""
    seen = folder / "seen"
    kept = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[1] / "src"), "NO_COLOR": "1"}
    homes = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    command = [sys.executable, "-c", GUARD + code, *arguments]
    environment = {**kept, **homes, "SEEN": str(seen), "FOREIGN": foreign}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=100, check=False)
    return ran.returncode, seen.read_text("utf-8").splitlines() if seen.exists() else [], ran.stderr.decode()


@pytest.mark.parametrize(
    ("code", "caught"),
    [
        ("import socket; socket.create_connection(('127.0.0.9', 9), 1)", "socket.getaddrinfo 127.0.0.9"),
        ("import socket; socket.socket().connect(('127.0.0.9', 9))", "socket.connect 127.0.0.9"),
        ("import socket; socket.getaddrinfo('elsewhere.localhost', 80)", "socket.getaddrinfo elsewhere.localhost"),
        ("import socket as s; s.socket(type=s.SOCK_DGRAM).sendto(b'x', ('127.0.0.9', 9))", "socket.sendto 127.0.0.9"),
        ("import urllib.request as u; u.urlopen('http://127.0.0.9/')", "socket.getaddrinfo 127.0.0.9"),
    ],
)  # fmt: skip
def test_the_guard_catches_an_address_outside(tmp_path, code, caught):
    returned, seen, _ = watched(tmp_path, code, foreign="127.0.0.9")
    assert (returned, seen) == (1, [caught])


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "arguments",
    [
        ("demo", "structured", "--full", "--speed", "1000", "--display", "plain"),
        ("doctor",),
        ("run", TOPIC, "--model", "improviser", "--display", "plain"),
        pytest.param(
            ("run", TOPIC, "--model", "improviser", "--protocol", "critique", "--judges", "none", "--display", "quiet"),
            marks=pytest.mark.nightly("a second debate; one that is judged is watched on every change"),
        ),
    ],
    ids=lambda arguments: " ".join(arguments[:1]),
)
def test_nothing_outside_is_asked(tmp_path, arguments):
    returned, seen, said = watched(tmp_path, MAIN, *arguments)
    assert seen == []
    assert returned == 0 or arguments == ("doctor",), said
