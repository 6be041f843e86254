"""Scenes of rounds, attempts, interventions and references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .cases import T2, changed, sample
from .scene import AT, ATTEMPT, debate, entry, event
from .valid import Obj


def absences() -> Iterator[tuple[Any, ...]]:
    """Who is away or excused, and when."""
    speaker = "/rounds/{}/turns/{}/speaker_id".format

    def told(*events: Obj, rounds: tuple[str, ...] = ("abc", "ab", "abc")) -> Obj:
        return debate(*rounds, participant_state_log=list(events))

    back = event("c", "recovered", 3)
    yield (told(event("c", "dropped", 2), back),)
    yield (told(back, event("c", "dropped", 2)),)
    yield told(event("c", "dropped", 2)), ("DT-X006", speaker(2, 2))
    yield told(event("c", "dropped", 1), back), ("DT-X006", speaker(0, 2))
    yield (told(event("c", "dropped", 2), event("c", "joined", 3)),)
    yield (told(event("c", "dropped", 2), event("c", "recovered", 2), rounds=("abc", "abc")),)
    yield told(event("c", "recovered", 2), event("c", "dropped", 2), rounds=("abc", "abc")), ("DT-X006", speaker(1, 2))
    yield (told(event("c", "joined", 2), rounds=("ab", "abc")),)
    yield told(event("c", "joined", 2), rounds=("abc", "abc")), ("DT-X006", speaker(0, 2))
    yield told(event("c", "timeout", 2), event("c", "dropped", 3)), ("DT-X006", speaker(2, 2))
    yield told(event("c", "dropped", 2), event("c", "timeout", 3)), ("DT-X006", speaker(2, 2))
    yield told(event("c", "timeout", 1), event("c", "joined", 2), rounds=("abc", "abc")), ("DT-X006", speaker(0, 2))
    yield (told(event("c", "dropped") | {"scope": "round"}, rounds=("abc", "ab")),)
    yield (told(event("c", "dropped"), rounds=("abc", "ab")),)
    yield (told(event("c", "timeout", 2), rounds=("abc", "ab")),)
    yield told(event("c", "timeout", 1), rounds=("abc", "ab")), ("DT-R011", "/rounds/1")
    yield (
        told(event("d", "timeout", 2), rounds=("abc", "ab")),
        ("DT-R011", "/rounds/1"),
        ("DT-X005", "/participant_state_log/0/agent_id"),
    )
    yield debate("abc", "ab"), ("DT-R011", "/rounds/1")
    judged = debate("ab", people="abc")
    judged["participants"][2]["role"] = "judge"
    yield (judged,)
    judged["participants"][2]["role"] = "moderator"
    yield (judged,)
    marked = debate("ab", "ab", people="ab", participant_state_log=[event("b", "timeout", 1)])
    marked["rounds"][0] |= {"round_status": "partial", "planned_speaking_order": ["a", "b"]}
    yield (marked,)
    marked["rounds"][1] |= {"round_status": "partial"}
    yield marked, ("DT-R011", "/rounds/1")
    other = debate("a", people="abc", participant_state_log=[event("c", "timeout", 1)])
    other["rounds"][0] |= {"round_status": "partial", "planned_speaking_order": ["a", "b"]}
    yield other, ("DT-R011", "/rounds/0")
    other["rounds"][0]["round_status"] = "complete"
    yield other, ("DT-R005", "/rounds/0")
    other["rounds"][0]["round_status"] = "aborted"
    yield (other,)


def rotations() -> Iterator[tuple[Any, ...]]:
    rotating = {"order_regime": "rotating"}
    yield (debate("abc", "bca", "cab", "abc", run_metadata=rotating),)
    yield debate("abc", "abc", run_metadata=rotating), ("DT-R010", "/rounds/1")
    yield (debate("abc", "abc", run_metadata={"order_regime": "fixed"}),)
    planned = debate("abc", "ab", "cab", run_metadata=rotating)
    planned["rounds"][1]["planned_speaking_order"] = ["a", "b"]
    yield (planned,)
    yield (
        debate("ab", "abc", "abc", run_metadata=rotating, participant_state_log=[event("c", "joined", 2)]),
        ("DT-R010", "/rounds/2"),
    )
    planned = debate("abc", "a", run_metadata=rotating)
    planned["rounds"][1] |= {"planned_speaking_order": ["a", "b", "c"], "round_status": "aborted"}
    yield planned, ("DT-R010", "/rounds/1")
    yield (
        debate("abc", "abc", run_metadata=rotating, participant_state_log=[event("z", "dropped", 1)]),
        ("DT-R010", "/rounds/1"),
        ("DT-X005", "/participant_state_log/0/agent_id"),
    )
    twice = debate("abca", "abc", run_metadata=rotating)
    yield twice, ("DT-R004", "/rounds/0")
    alone = debate("aa", "bb", people="ab", run_metadata=rotating)
    yield alone, *((("DT-R011", f"/rounds/{i}")) for i in (0, 1)), *((("DT-R012", f"/rounds/{i}")) for i in (0, 1))


def plans() -> Iterator[tuple[Any, ...]]:
    skipped = debate("ac")
    skipped["rounds"][0] |= {"planned_speaking_order": ["a", "b", "c"], "round_status": "aborted"}
    yield (skipped,)
    for order in (["c", "a", "b"], ["b", "c"], []):
        skipped["rounds"][0]["planned_speaking_order"] = order
        yield skipped, ("DT-R008", "/rounds/0/planned_speaking_order")
    for order in (["a", "c", "a"], ["a", "c", "z"]):
        skipped["rounds"][0]["planned_speaking_order"] = order
        yield skipped, ("DT-R009", "/rounds/0/planned_speaking_order")
    stranger = debate("az", people="ab")
    stranger["rounds"][0] |= {"planned_speaking_order": ["a", "b"], "round_status": "aborted"}
    yield stranger, ("DT-S010", "/rounds/0/turns/1/speaker_id")
    empty = debate("ab", "", people="ab")
    yield empty, ("DT-R006", "/rounds/1"), ("DT-R011", "/rounds/1")
    empty["rounds"][1]["round_status"] = "complete"
    yield empty, ("DT-R006", "/rounds/1")
    empty["rounds"][1]["round_status"] = "partial"
    yield empty, ("DT-R011", "/rounds/1")


def numbers() -> Iterator[tuple[Any, ...]]:
    for given, *expected in (
        ((0, 1), ("DT-R007", "/rounds/0/round_index")),
        ((2, 3), ("DT-R007", "/rounds/0/round_index")),
        ((1, 3), ("DT-R007", "/rounds/1/round_index")),
        ((1, 1), ("DT-R001", "/rounds/1/round_index")),
        ((1, 0), ("DT-R001", "/rounds/1/round_index")),
        (
            (-1, 1),
            ("DT-S012", "/rounds/0/round_index"),
            ("DT-S012", "/rounds/0/turns/0/round_index"),
            ("DT-S012", "/rounds/0/turns/1/round_index"),
            ("DT-R007", "/rounds/0/round_index"),
            ("DT-R007", "/rounds/1/round_index"),
        ),
    ):
        numbered = debate("ab", "ab", people="ab")
        for number, round_ in zip(given, numbered["rounds"], strict=True):
            for part in (round_, *round_["turns"]):
                part["round_index"] = number
        yield numbered, *expected


def tries() -> Iterator[tuple[Any, ...]]:
    yield changed(ATTEMPT, "status", "retry"), ("DT-A005", AT), ("DT-A009", "/rounds/0/turns/0")
    none = debate("ab", people="ab")
    none["rounds"][0]["round_status"] = "complete"
    none["rounds"][0]["turns"][0] |= {
        "attempts": [],
        "final_attempt_index": 0,
        "retry_count": 0,
        "turn_outcome": "success",
    }
    yield none, ("DT-A001", "/rounds/0/turns/0/attempts")
    lost = debate("ab", people="ab")
    lost["rounds"][0]["turns"][0]["attempts"][0] |= {"status": "failed", "content": ""}
    yield (lost,)
    lost["rounds"][0]["turns"][0]["turn_outcome"] = "timeout"
    yield (lost,)
    lost["rounds"][0]["turns"][0]["turn_outcome"] = "success"
    yield lost, ("DT-A006", "/rounds/0/turns/0/turn_outcome")
    lost["mode"] = "posthoc"
    lost["rounds"][0] |= {"round_status": "complete"}
    yield lost, ("DT-A006", "/rounds/0/turns/0/turn_outcome"), ("DT-M002", "/rounds/0/turns/0/attempts/0/status")
    quiet = debate("ab", people="ab", mode="posthoc", intervention_log=[])
    quiet["rounds"][0]["turns"][0]["attempts"][0]["interventions_applied"] = []
    yield (quiet,)
    groundless = sample()
    groundless["rounds"][0]["turns"][0]["attempts"][0]["diagnostics"] = {"error_type": None}
    yield (groundless,)
    groundless["rounds"][0]["turns"][0]["attempts"][1]["interventions_applied"] = None
    yield groundless, ("DT-M006", AT), ("DT-I008", "/intervention_log/0")
    misnumbered = debate("ab", people="ab")
    again = {"attempt_index": 7, "timestamp": T2, "status": "failed", "content": "", "diagnostics": {"error_type": "x"}}
    turn = misnumbered["rounds"][0]["turns"][0]
    turn["attempts"] = [again, again, turn["attempts"][0] | {"attempt_index": 2}]
    yield misnumbered, ("DT-A002", "/rounds/0/turns/0/attempts")
    third = sample()
    first, second = third["rounds"][0]["turns"][0]["attempts"]
    third["rounds"][0]["turns"][0] |= {"attempts": [first, second | {"attempt_index": 2}], "retry_count": None}
    yield (
        third,
        ("DT-A002", "/rounds/0/turns/0/attempts"),
        ("DT-A007", f"{AT}/control_state/retry_count"),
        ("DT-I006", f"{AT}/interventions_applied"),
    )


def contradictions() -> Iterator[tuple[Any, ...]]:
    """What is said about a turn, or done in it, that its attempts or the mode do not allow."""
    turn = "/rounds/0/turns/0"
    yield changed(("rounds", 0, "turns", 0), "final_attempt_index", 0), ("DT-A006", f"{turn}/final_attempt_index")
    yield changed(("rounds", 0, "turns", 0), "retry_count", 2), ("DT-A007", f"{turn}/retry_count")
    yield changed(("rounds", 0, "turns", 0), "round_index", 2), ("DT-R002", f"{turn}/round_index")
    yield changed(("rounds", 0, "turns", 0), "turn_index_in_round", 1), ("DT-R003", f"{turn}/turn_index_in_round")
    yield changed(("rounds", 0, "turns", 0, "attempts", 0), "status", "ok"), ("DT-A003", f"{turn}/attempts")
    early = changed(("rounds", 0, "turns", 0, "attempts", 0), "status", "ok")
    early["rounds"][0]["turns"][0]["attempts"][1]["status"] = "failed"
    yield early, ("DT-A004", f"{turn}/attempts")
    early["rounds"][0]["turns"][0]["attempts"][1]["status"] = "retry"
    yield early, ("DT-A004", f"{turn}/attempts"), ("DT-A005", AT)
    yield (
        sample() | {"mode": "posthoc"},
        ("DT-M001", f"{turn}/attempts"),
        ("DT-M002", f"{turn}/attempts/0/status"),
        ("DT-M003", f"{AT}/control_state"),
        ("DT-M004", f"{AT}/interventions_applied"),
        ("DT-M005", "/intervention_log"),
    )
    twin = debate("ab", "ab", people="ab")
    twin["rounds"][1]["turns"][0]["turn_id"] = "r1.t1"
    yield twin, ("DT-S007", "/rounds/1/turns/0/turn_id")
    yield debate(people="ab"), ("DT-S013", "/rounds")


def at(i: int, field: str = "") -> str:
    return f"/intervention_log/{i}{field}"


def aimed(*entries: Obj) -> Obj:
    """Two rounds; each intervention is followed by the first attempt in its target."""
    document = debate("ab", "ab", people="ab")
    document["intervention_log"] = [one | {"intervention_id": f"iv{i}"} for i, one in enumerate(entries)]
    for i, one in enumerate(entries):
        _, number, _, _, position = one.get("turn_id", "r1.t0")
        number = one["round_index"] if one["scope"] == "round" else int(number)
        attempt = document["rounds"][number - 1]["turns"][int(position)]["attempts"][0]
        attempt.setdefault("interventions_applied", []).append({"intervention_id": f"iv{i}"})
    return document


def targets() -> Iterator[tuple[Any, ...]]:
    one, two = entry("round", round_index=1), entry("round", round_index=2)
    early, late = entry("turn", turn_id="r1.t1"), entry("turn", turn_id="r2.t0")
    yield (aimed(one, early, one, two, late, two, entry("global"), late),)
    yield aimed(two, one), ("DT-I009", at(1))
    yield aimed(late, early, one), ("DT-I009", at(1)), ("DT-I009", at(2))
    yield aimed(late, one, early, late), ("DT-I009", at(1)), ("DT-I009", at(2))
    yield aimed(early, entry("turn", turn_id="r1.t0")), ("DT-I009", at(1))
    yield aimed(late, entry("global", round_index=1)), ("DT-I009", at(1))
    yield (aimed(entry("attempt", turn_id="r1.t1", attempt_index=0)),)
    yield aimed(entry("turn", turn_id="r1.t1", attempt_index=1)), ("DT-I002", at(0, "/attempt_index"))
    yield aimed(entry("turn", turn_id="r1.t1", attempt_index=-1)), ("DT-I002", at(0, "/attempt_index"))
    yield (aimed(entry("round", round_index=1, attempt_index=5)),)
    yield aimed(early | {"round_index": 2}), ("DT-I003", at(0, "/round_index"))
    yield aimed(early | {"round_index": 7}), ("DT-I001", at(0, "/round_index"))
    yield aimed(early | {"speaker_id": "a"}), ("DT-I003", at(0, "/speaker_id"))
    yield aimed(early | {"speaker_id": "z"}), ("DT-S010", at(0, "/speaker_id"))
    yield (
        aimed(late, early | {"timestamp": "2025-12-31T23:59:59Z"}),
        ("DT-I004", at(1, "/timestamp")),
        ("DT-I009", at(1)),
    )
    lost = aimed(late, early | {"round_index": 1})
    lost["intervention_log"][1]["turn_id"] = "nope"
    yield lost, ("DT-I002", at(1, "/turn_id"))
    yield (aimed(early | {"timestamp": "2026-01-01T01:00:01Z"}),)
    yield (
        aimed(early | {"timestamp": "2026-01-01T01:00:01.001Z"}),
        ("DT-I007", "/rounds/0/turns/1/attempts/0/interventions_applied"),
    )
    yield aimed(early | {"timestamp": "never"}), ("DT-T001", at(0, "/timestamp"))


def followed() -> Iterator[tuple[Any, ...]]:
    early, two = entry("turn", turn_id="r1.t1"), entry("round", round_index=2)
    wrong = aimed(early, two)
    wrong["rounds"][0]["turns"][0]["attempts"][0]["interventions_applied"] = [
        {"intervention_id": n} for n in ("iv0", "iv1", "iv2")
    ]
    applied = "/rounds/0/turns/0/attempts/0/interventions_applied"
    yield wrong, ("DT-I005", applied), ("DT-I006", applied), ("DT-I006", applied)
    wrong["rounds"][0]["turns"][0]["attempts"][0]["interventions_applied"] = [{"intervention_id": "iv0"}] * 2
    yield wrong, ("DT-I006", applied), ("DT-I010", applied)
    twin = aimed(early, early)
    twin["intervention_log"][1] |= {"intervention_id": "iv0", "timestamp": T2, "turn_id": "r2.t1"}
    twin["rounds"][0]["turns"][1]["attempts"][0]["interventions_applied"].pop()
    yield twin, ("DT-S008", at(1, "/intervention_id"))
    gone = aimed(entry("turn", turn_id="r1.t0"), entry("attempt", turn_id="r1.t0", attempt_index=0), two)
    gone["intervention_log"][0]["turn_id"] = gone["intervention_log"][1]["turn_id"] = "nope"
    gone["intervention_log"][2]["round_index"] = 9
    yield gone, ("DT-I001", at(2, "/round_index")), ("DT-I002", at(0, "/turn_id")), ("DT-I002", at(1, "/turn_id"))


def sights() -> Iterator[tuple[Any, ...]]:
    """The last turn of the third round addresses another one."""

    def addressing(turn_id: str, regime: str | None, shown: list[str] | None = None) -> Obj:
        document = debate("ab", "ab", "ab", people="ab")
        document["rounds"][2]["transcript_visibility"] = regime
        edges = [{"target_agent_id": "a"}, {"target_agent_id": "a", "target_turn_id": turn_id}]
        document["rounds"][2]["turns"][1] |= {"addresses": edges, "metadata": {"context_turn_ids": shown}}
        return document

    place = "/rounds/2/turns/1/addresses/1/target_turn_id"
    for regime in (None, "full", "partial"):
        for turn_id in ("r1.t0", "r2.t0", "r3.t0"):
            yield (addressing(turn_id, regime),)
    for regime, seen in (("isolated", ("r1.t0", "r2.t1")), ("prior_round_only", ("r2.t0",))):
        for turn_id in ("r1.t0", "r2.t0", "r2.t1", "r3.t0"):
            visible = turn_id in seen or (regime, turn_id) in {("isolated", "r2.t0"), ("prior_round_only", "r2.t1")}
            yield addressing(turn_id, regime), *(() if visible else (("DT-X004", place),))
    yield (addressing("r1.t0", "partial", ["r1.t0"]),)
    yield addressing("r1.t0", "partial", ["r1.t1"]), ("DT-X004", place)
    yield (addressing("r1.t0", "full", []),)
    yield addressing("r3.t1", "isolated"), ("DT-X002", place)
    yield addressing("r9.t1", "isolated"), ("DT-X001", place)
    later = addressing("r1.t0", None)
    later["rounds"][0]["turns"][0]["addresses"] = [{"target_agent_id": "z", "target_turn_id": "r1.t1"}]
    edge = "/rounds/0/turns/0/addresses/0"
    yield later, ("DT-X002", f"{edge}/target_turn_id"), ("DT-X003", f"{edge}/target_agent_id")


PARTS = (absences, rotations, plans, numbers, tries, contradictions, targets, followed, sights)
