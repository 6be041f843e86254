"""Random valid transcripts by seed: both modes, every status, absences, retries, interventions, foreign fields."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Any

from hustings.transcript.canonical import sealed

Obj = dict[str, Any]


def valid(seed: int) -> Obj:
    """The same seed gives the same file; each call gives a new copy."""
    return json.loads(valid_bytes(seed))


@lru_cache(maxsize=4_000)
def valid_bytes(seed: int) -> bytes:
    return json.dumps(Writer(random.Random(seed)).document(seed), ensure_ascii=False).encode()


class Writer:
    """Plays a debate of no meaning and writes it down."""

    def __init__(self, rnd: random.Random) -> None:
        self.rnd = rnd
        self.in_loop = rnd.random() < 0.5
        self.now = datetime(2026, 11, 14, 12, tzinfo=UTC) + timedelta(seconds=rnd.randint(0, 10**6))
        self.names = [f"agent_{i}" for i in range(rnd.randint(2, 7))]
        self.silent = [name for name in ("judge", "moderator") if self.rng(0.4)]
        self.rotating = self.rng(0.4)
        self.state: list[Obj] = []
        self.log: list[Obj] = []
        self.said: list[tuple[str, int, str]] = []
        self.down: set[str] = set()

    def document(self, seed: int) -> Obj:
        rnd = self.rnd
        document: Obj = {
            "schema_version": rnd.choice(["2.0.0", "2.0.0", "2.0.7"]),
            "debate_id": f"d-{seed}",
            "run_id": f"r-{rnd.randrange(10**9)}",
            "mode": "in_loop" if self.in_loop else "posthoc",
            "created_at": self.tick(),
            "run_metadata": {"generation_mode": "live", "temperature": 0.7, "seed": rnd.randrange(2**31)},
            "debate_metadata": {"task_type": "open", "topic": self.text(), "scenario_id": None},
            "participants": self.participants(),
        }
        self.late_comer()
        document["rounds"] = [self.round(k) for k in range(rnd.randint(1, 6))]
        if self.rotating:
            document["run_metadata"]["order_regime"] = "rotating"
        if self.log or (self.in_loop and self.rng(0.5)):
            document["intervention_log"] = self.log
        if self.state or self.rng(0.3):
            document["participant_state_log"] = self.state or None
        return sealed(document) if self.rng(0.6) else document

    def participants(self) -> list[Obj]:
        seats: list[Obj] = [{"agent_id": n, "role": self.rnd.choice(["pro", "con", "panel"])} for n in self.names]
        seats += [{"agent_id": n, "role": n, "model_name": None, "x_seat": {"k": 1}} for n in self.silent]
        if self.rng(0.2):
            seats[0] |= {"tags": ["human"], "team": "red", "display_name": "Ada"}
        return seats

    def late_comer(self) -> None:
        if len(self.names) > 2 and self.rng(0.15):
            self.down.add(self.names[-1])
            self.event(self.names[-1], "joined", self.rnd.randint(2, 4))

    def arrivals(self, number: int) -> None:
        """Somebody drops out, somebody comes back; the late-comer takes his seat."""
        joining = [e["agent_id"] for e in self.state if e["event_type"] == "joined" and e.get("round_index") == number]
        self.down -= set(joining)
        waiting = {e["agent_id"] for e in self.state if e["event_type"] == "joined" and e["round_index"] > number}
        if len(self.down) < len(self.names) - 2 and self.rng(0.12):
            name = self.rnd.choice(sorted(set(self.names) - self.down))
            self.down.add(name)
            self.event(name, "dropped", number)
        elif (back := sorted(self.down - waiting)) and self.rng(0.3):
            self.down.discard(back[0])
            self.event(back[0], self.rnd.choice(["recovered", "restarted", "joined"]), number)

    def round(self, k: int) -> Obj:
        rnd, number = self.rnd, k + 1
        self.arrivals(number)
        order, planned = self.order(k)
        speakers = [name for name in order if name not in self.down]
        regime = rnd.choice([None, "full", "isolated", "prior_round_only", "partial"])
        round_: Obj = {"round_index": number, "turns": []}
        if planned:
            round_["planned_speaking_order"] = list(order)
        if regime is not None:
            round_["transcript_visibility"] = regime
        partial = aborted = False
        if speakers and self.rng(0.12):
            missing = speakers.pop(rnd.randrange(len(speakers)))
            self.event(missing, "timeout", number if self.rng(0.8) else None)
            partial = True
        elif self.rng(0.06):
            speakers, aborted = speakers[: rnd.randrange(len(speakers) + 1)], True
        round_["turns"] = self.turns(number, speakers, regime)
        lost = any(turn["attempts"][-1]["status"] == "failed" for turn in round_["turns"])
        if aborted or not round_["turns"]:
            round_["round_status"] = rnd.choice(["aborted", "partial"]) if partial else "aborted"
        elif self.rng(0.5):
            round_["round_status"] = "partial" if partial or lost else "complete"
        return round_ | ({"label": "exchange", "x_round": [number]} if self.rng(0.1) else {})

    def order(self, k: int) -> tuple[list[str], bool]:
        """Who is to speak, and whether that must be written down."""
        n = len(self.names)
        if self.rotating:
            return self.names[k % n :] + self.names[: k % n], self.rng(0.5)
        order = self.rnd.sample([*self.names, *self.silent], n + len(self.silent))
        if self.rng(0.3):
            return order[: self.rnd.randint(1, len(order))], True
        return [name for name in order if name in self.names], self.rng(0.5)

    def turns(self, number: int, speakers: list[str], regime: str | None) -> list[Obj]:
        """One after the other; isolated ones at the same time, so that a later one may end earlier."""
        begun, ended, turns = self.now, self.now, list[Obj]()
        for i, name in enumerate(speakers):
            turns.append(self.turn(number, i, name, regime))
            ended = max(ended, self.now)
            if regime == "isolated" and not self.in_loop:
                self.now = begun
        self.now = ended
        return turns

    def turn(self, number: int, i: int, name: str, regime: str | None) -> Obj:
        turn_id = f"r{number}.t{i}.{self.rnd.randrange(10**6)}"
        count = self.rnd.choice([1, 1, 2, 3]) if self.in_loop else 1
        lost = self.in_loop and self.rng(0.05)
        turn: Obj = {"turn_id": turn_id, "round_index": number, "turn_index_in_round": i, "speaker_id": name}
        turn["attempts"] = [self.attempt(number, turn, k, count, lost=lost) for k in range(count)]
        if self.rng(0.4):
            outcome = self.rnd.choice(["error", "timeout", "dropped"]) if lost else "success"
            turn |= {"final_attempt_index": count - 1, "turn_outcome": outcome, "retry_count": count - 1}
        seen = [said for said in self.said if number - said[1] in REACH[regime]]
        if seen and self.rng(0.5):
            turn |= self.reply(self.rnd.choice(seen), regime)
        self.said.append((turn_id, number, name))
        return turn

    def reply(self, to: tuple[str, int, str], regime: str | None) -> Obj:
        edge = {"target_agent_id": to[2], "target_turn_id": to[0], "target_claim_id": "PRO-1", "move": "refute"}
        reply: Obj = {"turn_type": "rebuttal", "addresses": [edge]}
        if regime == "partial" and self.rng(0.7):
            reply["metadata"] = {"context_turn_ids": [to[0]], "kind": "reply", "readers": [to[2]], "llm_calls": [{}]}
        return reply

    def attempt(self, number: int, turn: Obj, k: int, count: int, *, lost: bool) -> Obj:
        applied = list[Obj]()
        if self.in_loop and (k or self.rng(0.15)) and self.rng(0.6):
            self.intervene(number, turn, k)
            applied = [{"intervention_id": self.log[-1]["intervention_id"]}]
        status = self.rnd.choice(["retry", "failed"]) if k < count - 1 else "failed" if lost else "ok"
        content = self.text() if status == "ok" or self.rng(0.5) else ""
        attempt: Obj = {"attempt_index": k, "timestamp": self.tick(), "status": status, "content": content}
        if applied or self.rng(0.1):
            attempt["interventions_applied"] = applied
        if status != "ok":
            attempt["diagnostics"] = {"error_type": "form", "truncated": False}
        if self.in_loop and self.rng(0.2):
            attempt["control_state"] = {"e_t": self.rnd.random(), "retry_count": k, "beta": 0.5}
        return attempt

    def intervene(self, number: int, turn: Obj, k: int) -> None:
        scope = self.rnd.choice(["attempt", "turn", "turn", "round", "global"])
        entry: Obj = {
            "intervention_id": f"iv{len(self.log)}",
            "timestamp": self.tick(),
            "scope": scope,
            "trigger": self.rnd.choice(["rca_fail", "crit_fail", "pid_escalation", "human_override"]),
            "instruction_sent": self.text(),
            "controller_snapshot": {"e_t": self.rnd.random()},
        }
        if scope != "global":
            entry["round_index"] = number
        if scope in {"turn", "attempt"}:
            entry |= {"turn_id": turn["turn_id"], "speaker_id": turn["speaker_id"]}
        if scope == "attempt":
            entry["attempt_index"] = k
        self.log.append(entry)

    def event(self, name: str, kind: str, number: int | None) -> None:
        entry: Obj = {"timestamp": self.tick(), "agent_id": name, "event_type": kind}
        self.state.append(entry if number is None else entry | {"round_index": number})

    def rng(self, p: float) -> bool:
        return self.rnd.random() < p

    def text(self) -> str:
        return " ".join(self.rnd.choice(WORDS) for _ in range(self.rnd.randint(1, 12)))

    def tick(self) -> str:
        self.now += timedelta(milliseconds=self.rnd.choice([0, self.rnd.randint(1, 90_000)]))
        east = self.now.astimezone(timezone(timedelta(hours=5, minutes=30)))
        zulu = self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return self.rnd.choice([zulu, zulu, self.now.isoformat(), east.isoformat(timespec="microseconds")])


WORDS = ("alpha", "β", "論点", "claim,", "because", "42", "%", "—", "“quoted”", "🤝", "שלום\u200f", "line\nbreak")
REACH: dict[str | None, range] = {
    None: range(10),
    "full": range(10),
    "partial": range(10),
    "isolated": range(1, 10),
    "prior_round_only": range(1, 2),
}
"""How many rounds ago a turn may be that is still seen."""
