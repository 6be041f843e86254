"""Writes snapshots of prompts, records, judgements, exports and schemas: `python -m tests.golden.capture [SECTION]`.

They stand as readable files in `snapshots/`, so that `git diff` shows what a change did to them.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from hustings.config.settings_files import schema as settings_schema
from hustings.errors import SeatError
from hustings.judging.audits.control import Settings as ControlSettings
from hustings.judging.comparison import DebateFacts, side_by_side
from hustings.judging.control_comparison import compare
from hustings.judging.dossier import Dossier, Expense, allowances
from hustings.judging.judgement import Judgement
from hustings.lab.audits.probing import Settings as ProbingSettings
from hustings.lab.judge_report import judge_report
from hustings.lab.report.trial_text import render_judge_report
from hustings.lab.routes import ROUTES
from hustings.lab.trial_debates import BASES, INJECTIONS, TOPIC, VARIANTS, proceedings_of
from hustings.llm.improviser import Improviser
from hustings.report import judgement_markdown
from hustings.report.formats import share
from hustings.runs.judging_spec import judgement_of
from hustings.runs.registry import exports, find_protocol, find_rubric, find_script
from hustings.runs.staging import Rehearsal, plan, rehearse
from hustings.script.background import Background
from hustings.script.calls import Call, Reply
from hustings.script.debate import Proceedings
from hustings.script.prompt import prompt_of
from hustings.testing.cases import KINDS
from hustings.transcript.events import EVENT
from hustings.transcript.schema import SCHEMAS, text
from hustings.web.app import openapi_document
from tests.cli.console import run
from tests.judging import debaters
from tests.judging.judges import Shown, first_lover, judge, length_lover, mumbling, unreachable, wavering
from tests.judging.judgings import EVERY, debated, judged

SNAPSHOTS = Path(__file__).with_name("snapshots")
Files = Iterator[tuple[str, str]]
"""Names of files, and what is in them."""

SETTINGS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "structured": {
        "short": ("closing_words=50", "answer_words=20"),
        "long": ("closing_words=400", "answer_words=200"),
        "seeded": ("seed", "7"),
    },
    "competition": {
        "brief": ("free_words=200",),
        "overtime": ("opening_words=50", "question_words=30", "answer_words=30", "summary_words=50"),
        "slow": ("free_words=2000", "free_speech_words=50", "words_per_minute=100"),
    },
    "roundtable": {
        "forms": ("regime=structured",),
        "forgetful": ("seats=5", "rounds=2", "visibility=prior_round_only"),
        "small": ("seats=2", "rounds=1", "words=50"),
    },
    "adaptive": {
        "critical": ("stakes=critical", "horizon=long", "impact=high", "domains=4", "stakeholders=20"),
        "poor": ("stakes=high", "budget=0"),
        "low": ("stakes=low", "max_rounds=1"),
    },
    "critique": {
        "answered": ("reply=true",),
        "alone": ("critics=1", "objections=2"),
    },
    "moderated": {
        "large": ("panelists=6", "max_exchanges=3"),
        "named": ('panel=["Ada: nurse", "Ben: mayor", "Chi: shopkeeper"]',),
        "technical": ("domain=technical", "panelists=2", "max_exchanges=1"),
    },
}
"""Besides the defaults: what changes the course of a debate."""
PAPER = Background(title="Night buses", text="The last bus leaves at midnight. Nobody asked for one before four.")


# -- rehearsals --------------------------------------------------------------------------


def rehearsals(protocol: str) -> Files:
    """As the command shows them, and once more each with a document and with seats that fail."""
    for name, chosen in {"defaults": (), **SETTINGS[protocol]}.items():
        seeded = chosen[:1] == ("seed",)
        options = ("--seed", chosen[1]) if seeded else [part for setting in chosen for part in ("--set", setting)]
        yield f"{name}.json", run("rehearse", protocol, "--json", *options).stdout
        yield f"{name}.prompts.txt", lines_once(run("rehearse", protocol, "--prompts", *options).stdout)
    about = plan(find_protocol(protocol), TOPIC, model="improviser").model_copy(update={"background": PAPER})
    yield "document.prompts.txt", prompts_of(rehearse(about, Improviser()))
    played = rehearse(plan(find_protocol(protocol), TOPIC, retries=2, model="improviser"), stumbling)
    yield "faults.json", written(record_of(played.proceedings) | {"waves": played.choreography})
    yield "faults.prompts.txt", prompts_of(played)
    yield "faults.events.jsonl", "".join(f"{EVENT.dump_json(event).decode()}\n" for event in played.events)


def stumbling(call: Call) -> Reply | SeatError:
    """One first attempt in three will not do, each in another way; from the fourth wave on seats are missed, too."""
    drawn = sha256(f"stumbling {call.address}".encode()).digest()
    faults = [fault for name, fault in KINDS.items() if name in {"malformed", "rule_breaking"} or call.address > "003"]
    return faults[drawn[1] % len(faults)](call) if drawn[0] % 3 == 0 and not call.complaints else Improviser()(call)


# -- judgements --------------------------------------------------------------------------


def by_figures(shown: Shown) -> int:
    """Rates evidence that can be counted, give or take a point; obeys nobody."""
    figures = sum(sign.isdigit() for sign in shown.words.replace("10", ""))
    return min(10, 2 + min(6, figures) + sha256(shown.call.seat.id.encode() + shown.label.encode()).digest()[0] % 3)


def obedient(shown: Shown) -> int:
    return 10 if any(words in shown.words for words in INJECTIONS.values()) else by_figures(shown)


JUDGES: Mapping[str, Callable[[Call], Reply | SeatError]] = {
    "fair": judge(by_figures),
    "wavering": judge(wavering),
    "length": judge(length_lover),
    "place": judge(first_lover),
    "obedient": judge(obedient),
    "mumbling": mumbling,
    "unreachable": unreachable,
}


def trials(base: int) -> Files:
    """A written debate in all variants before one kind of judge, and as it is before all kinds."""
    pairs = [(variant, "fair") for variant in VARIANTS] + [("plain", name) for name in JUDGES if name != "fair"]
    for variant, name in pairs:
        record = proceedings_of(VARIANTS[variant](BASES[base]))
        settings = {"families": ["alpha", "beta", "gamma"], "debaters": ["beta"]}
        audit = plan(find_script("judging"), TOPIC, judged=record, settings=settings, model="scripted")
        sat = rehearse(audit.model_copy(update={"rubric": "argument"}), JUDGES[name])
        yield from verdict(f"{variant.replace(' ', '-')}.{name}", judgement_in(sat))


def judgements(protocol: str) -> Files:
    """An improvised debate before improvised judges, and one that was planned, clearly better on one side."""
    yield from verdict("improvised", judgement_in(reading(protocol)))
    if protocol in debaters.SMALL:  # a critique has no two sides, of which one could be better
        yield from verdict("planned", judgement_in(judged(planned(protocol), judge(wavering))))


def planned(protocol: str) -> Rehearsal:
    better = debaters.Debater("one", (9, 8), stand="I say yes.")
    worse = debaters.Debater("two", (3, 2, 4), stand="I say no.", yields=True)
    return debaters.held(protocol, (better, worse))


def verdict(name: str, found: Judgement) -> Files:
    yield f"{name}.json", written(found.model_dump(mode="json"))
    for depth in (1, 2, 3):
        yield f"{name}.{depth}.md", judgement_markdown.render_judgement(found, depth=depth, cost="debate 0.0123 USD")


def judgement_in(sat: Rehearsal) -> Judgement:
    found = judgement_of(sat.debate, sat.proceedings)
    assert found is not None
    return found


@cache
def reading(protocol: str) -> Rehearsal:
    return judged(debated(protocol))


# -- audits ------------------------------------------------------------------------------


def judging_prompts(protocol: str) -> Files:
    yield "prompts.txt", prompts_of(reading(protocol))


def control() -> Files:
    """Its prompts, and the judgement beside which it is put."""
    played, sat = debated("structured"), reading("structured")
    labels = {"voice_1": "acme/one", "voice_2": "acme/two", "voice_3": "other/three"}
    settings = {"voices": [*labels.values()], "debate_tokens": 4000}
    asked = rehearse(plan(find_script("control"), TOPIC, judged=played.proceedings, settings=settings), Improviser())
    found = compare(
        played.proceedings,
        asked.proceedings,
        judgement_in(sat).outcome,
        strongest="acme/two",
        voices=labels,
        options=ControlSettings.model_validate(asked.debate.settings).options,
        tokens=(4000, 3900),
    )
    beside = judgement_of(sat.debate, sat.proceedings, found)
    assert beside is not None
    yield "prompts.txt", prompts_of(asked)
    yield "record.json", written(record_of(asked.proceedings))
    yield from verdict("judgement", beside)


def probing() -> Files:
    """Its prompts, and the cards of several judges."""
    audit = plan(find_script("probing"), TOPIC, judged=proceedings_of(BASES[0]), model="scripted")
    for name in ("fair", "obedient", "length", "mumbling"):
        sat = rehearse(audit, JUDGES[name])
        settings, about = ProbingSettings.model_validate(audit.settings), {"model": f"acme/{name}", "family": "acme"}
        found = judge_report(sat.proceedings, settings, find_rubric("argument"), **about, date="2026-01-01")
        yield f"{name}.json", written(found.model_dump(mode="json"))
        yield f"{name}.md", render_judge_report(found)
        if name == "fair":
            yield "prompts.txt", prompts_of(sat)


def comparisons() -> Files:
    found = [DebateFacts(name, dossier(name, "judged"), {"retries": n}) for n, name in enumerate(EVERY)]
    for one, other in zip(found, [*found[1:], found[0]], strict=True):
        yield f"{one.run_id}.{other.run_id}.json", written(side_by_side(one, other).model_dump(mode="json"))


# -- exports -----------------------------------------------------------------------------


def exported(protocol: str, how: str) -> Files:
    about = dossier(protocol, how)
    for name, export in exports().items():
        yield f"{name}.{export.SUFFIX}", share.render(about, PAGE) if name == "share" else export.render(about)


@cache
def dossier(protocol: str, how: str) -> Dossier:
    played = planned(protocol) if how == "planned" else debated(protocol)
    sat = judged(played, judge(wavering)) if how == "planned" else reading(protocol)
    bill = Expense(what="debate", run_id=played.proceedings.transcript.run_id, calls=6, tokens=1234, spent=0.0123)
    return Dossier(
        proceedings=played.proceedings,
        judgement=None if how == "unjudged" else judgement_in(sat),
        expenses=(bill,),
        allowances=allowances(played.events),
    )


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><title>hustings</title><script type="module">start()</script></head>
<body><div id="root"></div><script type="application/json" id="shared-debate"></script></body></html>
"""
"""In place of the built page, which may change."""


# -- schemas -----------------------------------------------------------------------------


def schemas() -> Files:
    for name, schema in SCHEMAS.items():
        yield name, text(schema())
    yield "settings.json", settings_schema()
    yield "web.json", openapi_document([ROUTES])
    events = EVENT.json_schema()
    places = events["discriminator"]["mapping"].items()
    fields = {kind: [*events["$defs"][place.rpartition("/")[2]]["properties"]] for kind, place in places}
    yield "events.json", written(fields)


# -- writing -----------------------------------------------------------------------------


def record_of(proceedings: Proceedings) -> dict[str, object]:
    return {
        "transcript": proceedings.document(),
        "notes": proceedings.notes_document(),
        "result": proceedings.result,
        "ending": proceedings.ending.model_dump(mode="json"),
    }


def prompts_of(played: Rehearsal) -> str:
    """All prompts of a debate, with a heading for each call."""
    parts: list[str] = []
    for call in (call for wave in played.waves for call in wave):
        prompt = prompt_of(call, played.debate.cast[call.seat.id])
        schema = ["-- schema --", json.dumps(prompt.schema, indent=1, ensure_ascii=False)] if prompt.schema else []
        parts += [f"==== {call.key}, cached to {prompt.marks} ====", prompt.rules, *prompt.waves, prompt.tail, *schema]
    return lines_once("\n\n".join(parts) + "\n")


def lines_once(text: str) -> str:
    """A text in which lines that stood before in a row are one line, with a digest: prompts repeat the record."""
    seen = set[str]()

    def is_known(line: str) -> bool:
        known = line in seen
        seen.add(line)
        return known

    def shown(known: bool, lines: list[str]) -> list[str]:
        if not known or len(lines) < 3:
            return lines
        digest = sha256("\n".join(lines).encode()).hexdigest()[:8]
        return [lines[0][:80], f"[... {len(lines) - 1} more lines as before, {digest}]"]

    runs = [(known, [*lines]) for known, lines in groupby(text.split("\n"), is_known)]
    return "\n".join(line for known, lines in runs for line in shown(known, lines))


def written(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


SECTIONS: Mapping[str, Callable[[], Files]] = {
    **{f"rehearsals/{name}": partial(rehearsals, name) for name in EVERY},
    **{f"trials/{base.name}": partial(trials, n) for n, base in enumerate(BASES)},
    **{f"judgements/{name}": partial(judgements, name) for name in EVERY},
    **{f"audits/judging/{name}": partial(judging_prompts, name) for name in EVERY},
    "audits/control": control,
    "audits/probing": probing,
    "comparisons": comparisons,
    **{f"exports/{name}/judged": partial(exported, name, "judged") for name in EVERY},
    **{f"exports/{name}/planned": partial(exported, name, "planned") for name in ("structured", "competition")},
    "exports/structured/unjudged": partial(exported, "structured", "unjudged"),
    "schemas": schemas,
}
"""Each can be made by itself; its name is the folder of its files."""


def write(section: str) -> None:
    folder = SNAPSHOTS / section
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in SECTIONS[section]():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8", newline="")


def main() -> int:
    with TemporaryDirectory() as empty:  # settings and keys of whoever runs this must not show
        os.environ |= {"XDG_CONFIG_HOME": empty, "NO_COLOR": "1", "COLUMNS": "100"}
        if not sys.argv[1:]:
            shutil.rmtree(SNAPSHOTS, ignore_errors=True)
        for section in sys.argv[1:] or SECTIONS:
            write(section)
    return 0


if __name__ == "__main__":
    sys.exit(main())
