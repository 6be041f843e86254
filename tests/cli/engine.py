"""Commands on the real engine, in this process: importing it anew for each of them would take seconds."""

import json
import logging
import subprocess
import sys
from contextlib import contextmanager

from . import console
from .console import ENTRY

TOPIC = "Should towns close their centres to cars?"


def run(*arguments):
    try:
        return console.run(*arguments)
    finally:
        # The engine's logger holds on to the standard error of the command, which is closed now.
        logging.getLogger("dbos").handlers.clear()


def events_of(text):
    return [json.loads(line) for line in text.splitlines()]


def debate(*options, protocol="structured", topic=TOPIC):
    """Id and events of a debate that was held."""
    told = events_of(run("run", topic, "-p", protocol, "--json", *options).stdout)
    return told[0]["run_id"], told


@contextmanager
def worker(url, *options):
    """A worker that is ready, and what it said."""
    command = [sys.executable, "-c", ENTRY, "worker", "--database", url, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield process, process.stdout.readline()
        finally:
            process.kill()
