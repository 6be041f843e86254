"""Records and judgements to compare, written by hand."""

from hustings.transcript.models import (
    Attempt,
    DebateMetadata,
    Participant,
    Round,
    RunMetadata,
    Transcript,
    Turn,
    TurnMetadata,
)


def renamed(played, **changes):
    transcript = played.proceedings.transcript
    about = transcript.debate_metadata.model_copy(update={"topic": changes.get("topic", "Tea?")})
    return played.proceedings.model_copy(
        update={"transcript": transcript.model_copy(update={"debate_metadata": about})}
    )


THEN = "2026-01-01T00:00:00Z"


TEAMS = {"pro_1": "pro", "pro_2": "pro", "con_1": "con", "con_2": "con"}


def record(*rounds, kinds=None, planned=None):
    """Rounds are (label, speakers); a speaker in brackets was asked and lost its turn."""
    made = [
        Round(
            round_index=n,
            label=label,
            planned_speaking_order=(planned or {}).get(label) or [seat.strip("()") for seat in speakers],
            turns=[
                Turn(
                    turn_id=f"r{n}.t{m}",
                    round_index=n,
                    turn_index_in_round=m,
                    speaker_id=seat.strip("()"),
                    attempts=[
                        Attempt(
                            attempt_index=0,
                            timestamp=THEN,
                            status="failed" if seat.startswith("(") else "ok",
                            content="Words.",
                        )
                    ],
                    metadata=TurnMetadata(kind=(kinds or {}).get(f"r{n}.t{m}")),
                )
                for m, seat in enumerate(speakers)
            ],
        )
        for n, (label, speakers) in enumerate(rounds, 1)
    ]
    return Transcript(
        schema_version="2.0.0",
        debate_id="d",
        run_id="r",
        mode="posthoc",
        created_at=THEN,
        run_metadata=RunMetadata(),
        debate_metadata=DebateMetadata(),
        participants=[
            *(Participant(agent_id=seat, role="debater", team=team) for seat, team in TEAMS.items()),
            Participant(agent_id="judge", role="judge"),
        ],
        rounds=made,
    )
