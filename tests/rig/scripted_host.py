"""A scripted host: it plays debates by the real commands, with the improviser's words, and is killed where it is told.

A command runs in a fork of this process, so it begins with nothing but what was imported. It is killed before its n-th
statement or commit: between two of them it changes nothing that lasts.
"""

import gc
import json
import os
import re
import signal
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa

import hustings.cli.commands.start_next_answer
import hustings.protocols.competition
import hustings.rubrics.speech
import hustings.runs.imported  # noqa: F401  what commands load late, so that forks begin with it
from hustings.config.plan_run import plan_run
from hustings.engine.hosting import enter
from hustings.engine.people import open_calls, short_key
from hustings.engine.service import open_service
from hustings.llm.improviser import Improviser
from hustings.main import main
from hustings.runs.dossiers import judgement
from hustings.runs.queries import open_runs
from hustings.runs.request import DebateRequest
from hustings.transcript.rules import check_document

TOPIC = "Should towns close their centres to cars?"
BRAIN = "claude-opus-4"
RUN = "hosted"


def entered(url, protocol, **more):
    """A debate on record whose seats the host plays; its id is always the same, and so are its words."""
    with open_service(url) as service:
        service.upgrade()
        request = DebateRequest(protocol=protocol, question=TOPIC, run_id=RUN, **more)
        return enter(service, plan_run(request, os.environ, external=BRAIN).spec)


def words_for(url, run_id):
    """The improviser's words for each open question, by its key. Only reads."""
    with open_runs(url) as runs:
        known = runs.answers(run_id)
        calls = open_calls(runs.whole_spec(run_id), known.get)
    return {short_key(call.key): Improviser().words(call) for call in calls}


@dataclass
class Host:
    """Types commands; `kills` says before which statements of each command it is killed first."""

    url: str
    kills: range = range(0)
    killed: int = 0
    commands: int = 0
    cpu: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds of CPU beyond the imports, by command; of those that were not killed."""
    in_debate: dict[str, list[float]] = field(default_factory=dict)
    """The same of the debate alone, without its judging."""
    failed: list[str] = field(default_factory=list)

    def typed(self, *arguments):
        """What a command prints in the end, however often it was killed before."""
        for point in self.kills:
            code, told = self.once(*arguments, kill_before=point)
            if code != -signal.SIGKILL:
                return self._counted(code, told, arguments)
            self.killed += 1
        return self._counted(*self.once(*arguments), arguments)

    def _counted(self, code, told, arguments):
        self.commands += 1
        if code:
            self.failed.append(f"{arguments[0]}: {code} {told[-300:]}")
        return json.loads(told) if told.lstrip().startswith("{") else {}

    def once(self, *arguments, kill_before=0):
        """Exit code and output of one command; a negative code is the signal that ended it."""
        code, told, seconds = forked(lambda: self._command(arguments, kill_before))
        if code >= 0:
            self.cpu[arguments[0]].append(seconds)
        return code, told

    def _command(self, arguments, kill_before):
        os.environ["HUSTINGS_DATABASE"], sys.argv = self.url, ["hustings", *arguments, "--json"]
        if kill_before:
            kill_at(kill_before)
        main()

    def play(self, run_id):
        """Play a run to its end; return what to do next and how many questions there were."""
        asked = 0
        while (wave := self.typed("next", run_id))["state"] == "open":
            words = json.loads(forked(lambda: sys.stdout.write(json.dumps(words_for(self.url, run_id))))[1])
            with tempfile.TemporaryDirectory() as folder:
                for question in wave["questions"]:
                    file = Path(folder) / "answer"
                    file.write_text(words[question["key"]], "utf-8")
                    self.typed("answer", run_id, question["key"], "--file", str(file))
                    asked += 1
        return wave["next"], asked

    def play_and_judge(self, run_id=RUN):
        """Questions of the debate and of its judging, which the end of the debate names."""
        then, asked = self.play(run_id)
        self.in_debate = {name: [*seconds] for name, seconds in self.cpu.items()}
        judging = re.search(r"hustings next (\S+)$", then)[1]
        return asked, self.play(judging)[1]


def forked(work):
    """Exit code, standard output and seconds of CPU of some work in a fork, which leaves this process as it was."""
    gc.freeze()  # or each collection in the fork copies every page of this process, which no command pays for
    with tempfile.TemporaryFile() as out:
        sys.stdout.flush()
        if not (pid := os.fork()):
            code = 1
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                work()
                code = 0
            except SystemExit as ended:
                code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
            finally:
                sys.stdout.flush()
                os._exit(code)
        _, status, usage = os.wait4(pid, 0)
        out.seek(0)
        return os.waitstatus_to_exitcode(status), out.read().decode(), usage.ru_utime + usage.ru_stime


def kill_at(point):
    left = [point]

    def count(*_):
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    def before_execute(*_):
        count()

    sa.event.listen(sa.Engine, "before_cursor_execute", before_execute)
    sa.event.listen(sa.Engine, "commit", count)


def remains(url, run_id=RUN):
    """What is on record of a debate and its judging, without times; equal for equal words."""
    with open_runs(url) as runs:
        found = judgement(runs, run_id)
        logs = {one: runs.events(one) for one in (run_id, *(audit.run_id for audit in runs.audits(run_id)))}
        return {
            "said": [(turn.turn_id, turn.speaker_id, turn.said) for turn in runs.finished(run_id).transcript.turns],
            "outcome": found and found.model_dump(mode="json", include={"outcome", "degraded", "trace", "totals"}),
            "logs": {one: [event.kind for event in events] for one, events in logs.items()},
            "numbered": all([event.seq for event in events] == [*range(len(events))] for events in logs.values()),
            "answers": {one: sorted(runs.answers(one)) for one in logs},
            "broken_rules": [found.code for found in check_document(runs.finished(run_id).document())],
        }
