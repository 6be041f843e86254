"""DebateRequest and its way to a RunSpec: plan the debate, choose each seat's model, reject what cannot run."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from secrets import token_hex
from typing import Annotated, Any, TypeVar

from pydantic import Field, InstanceOf, ValidationError

from hustings.db.instants import instant
from hustings.errors import Unsuitable
from hustings.llm.endpoints import BUILT_IN, PROVIDERS, on_loopback
from hustings.llm.environment import Environment, layered
from hustings.llm.model_spec import NOBODY, ModelSpec, model_spec_of, parse_model_spec, resolve
from hustings.llm.prices import likely_tokens, must_be_known
from hustings.script.background import MOST_TEXT, Background, question_about
from hustings.script.complaints import complaints
from hustings.script.debate import DebateSpec, Scenario
from hustings.script.documents import MOST_DOCUMENTS, Documents, DocumentText, TextsOf, laid_down
from hustings.script.protocol import Protocol
from hustings.script.seats import HOST, LIBRARIAN, Player, Seat
from hustings.script.tools import MOST_TOOLS
from hustings.text.names import is_one_line
from hustings.transcript.models import SILENT_ROLES

from .debate_fields import DebateFields
from .registry import find_protocol, load_catalogue, must_be_startable
from .spec import RunSpec, how_made, new_fence
from .staging import plan, question_id, slug
from .tool_offers import ToolOffer, with_offers

T = TypeVar("T")


@contextmanager
def requested(what: str, names: Mapping[str, str] | None = None) -> Generator[None]:
    """Report invalid values of a request to the user; `names` are those under which fields were given."""
    try:
        yield
    except ValidationError as error:
        raise Unsuitable(f"these {what} settings don't work: {'; '.join(complaints(error, names=names))}") from None


class DebateRequest(DebateFields, defer_build=True):
    """What to debate, and how. Every way in fills this, and nothing else."""

    own_protocol: Annotated[InstanceOf[Protocol] | None, Field(exclude=True, repr=False)] = None
    """The protocol of that name, loaded from a file of the user's. No text can give it: it must be the object."""
    background: Background | None = None
    """The document that comes with the question."""
    documents: Annotated[tuple[DocumentText, ...], Field(max_length=MOST_DOCUMENTS)] = ()
    """Further documents, for all seats or for some."""
    tools: Annotated[tuple[ToolOffer, ...], Field(max_length=MOST_TOOLS)] = ()
    """Tools by which speakers may have something fetched."""
    run_id: str = ""
    seconds_per_call: Annotated[float, Field(gt=0)] | None = None
    """For a whole answer, where a model's own settings say nothing. None: the default of its endpoint."""

    @property
    def topic(self) -> str:
        """The question; without one, the title of the document puts it."""
        return self.question or (question_about(self.background.title) if self.background else "")


def build_spec(
    request: DebateRequest, environment: Mapping[str, str], *, for_estimate: bool = False, **more: Any
) -> RunSpec:
    """Build the run spec of a request. `more` adds further fields: owner, batch, budgets above.

    One that is for an estimate only needs no keys, no prices and no protocol that can be started.
    """
    debate, words = laid(request), slug(request.topic)[:40].strip("-")
    if for_estimate:
        run_id = request.run_id or f"estimate-{words}"
        model_specs = model_specs_without_keys(debate, request, environment)
        environment = with_every_key(environment)
    else:
        run_id = request.run_id or f"{words}-{token_hex(6)}"
        model_specs = model_specs_for(debate, request, environment)
    judge = default_judge(request, debate, model_specs, environment)
    spec = spec_from(request, debate, model_specs, run_id, default_model=judge, **more)
    if not for_estimate:
        must_be_startable(spec.debate)
    return spec


def with_external_player(request: DebateRequest, name: str) -> DebateRequest:
    """The same request with the calling program in every seat that it gives no model; `name` is its own model's."""
    if request.model and request.model.partition("/")[0] != HOST:
        raise Unsuitable(
            f"{request.model} would play every seat, and you none", fix="give models to single seats: --seat SEAT=MODEL"
        )
    if name and (not is_one_line(name) or len(name) > LONGEST_NAME or "@" in name):
        raise Unsuitable("that is no name of a model", fix="write its name alone, for example --brain claude-opus-4")
    return request.model_copy(update={"model": request.model or (f"{HOST}/{name}" if name else HOST)})


LONGEST_NAME = 100
"""Characters of the name that a calling program gives its own model."""


def default_judge(
    request: DebateRequest, debate: DebateSpec, model_specs: Mapping[str, ModelSpec], environment: Mapping[str, str]
) -> ModelSpec | None:
    """The model meant for every seat, where only people speak; models that speak are asked to judge themselves."""
    if any(model_specs[seat.id].provider != "human" for seat in debate.seats if seat.role not in SILENT_ROLES):
        return None
    seat, flag = Seat("judge", role="judge"), parse_model_spec(request.model) if request.model else None
    if resolve(seat, environment, flag=flag).model_spec.provider in {"", "human"}:
        return None
    return model_spec_of(seat, environment, flag=flag)


def laid(request: DebateRequest) -> DebateSpec:
    """The planned debate, before models are chosen."""
    own = request.own_protocol
    protocol = own if own and own.name == request.protocol else find_protocol(request.protocol)
    debate = plan(
        protocol,
        request.topic,
        settings=request.settings,
        retries=request.retries,
        language=request.language,
    )
    document, further = request.background, _laid_down(debate, request)[0]
    digests = (document.digest if document else "") + (further.digest if further else "")
    change: dict[str, Any] = {
        "debate_id": request.debate_id or question_id(request.topic, digests),
        "background": document,
        "documents": further,
        "cast": _with_manners(debate, request),
        "scenario": request.meta if request.meta != Scenario() else None,
    }
    return debate.model_copy(update=change)


def _laid_down(debate: DebateSpec, request: DebateRequest) -> tuple[Documents | None, TextsOf]:
    """The further documents and their texts; who may read them was said by seat, team or role."""
    every = {seat.id for seat in debate.seats}
    given: list[DocumentText] = []
    for document in request.documents:
        named = _by_seat(debate.seats, dict.fromkeys(document.seats, True), request.protocol)
        given.append(document.model_copy(update={"seats": () if named.keys() == every else tuple(named)}))
    return laid_down(given, first=2 if request.background else 1)


def fitted(spec: RunSpec, look_ups: int | None) -> RunSpec:
    """The same run with documents that leave every seat room to think in: whole in every prompt, or to be looked up.

    Without a number of look-ups, documents that are too long are looked up and others are not.
    """
    if spec.debate.documents is None:
        if look_ups:
            raise Unsuitable("look_ups needs further documents", fix="bring some, or leave it out")
        return must_fit(spec)
    if look_ups:
        return _looked_up(spec, look_ups)
    try:
        return must_fit(spec)
    except Unsuitable:
        if look_ups == 0:
            raise
    return _looked_up(spec, LOOK_UPS)


def _looked_up(spec: RunSpec, look_ups: int) -> RunSpec:
    """The same run with a librarian, whom every side may ask this often."""
    debate = spec.debate
    if LIBRARIAN.id in debate.cast or debate.documents is None:
        raise Unsuitable(
            f"{debate.protocol!r} has a seat {LIBRARIAN.id!r} of its own, so nothing can be looked up",
            fix="bring documents that fit into the prompts, or choose another protocol",
        )
    listed = debate.documents.model_copy(update={"look_ups": look_ups})
    librarian = ModelSpec(provider=LIBRARIAN.id, model=LIBRARIAN.id, local=True)
    cast = {**debate.cast, LIBRARIAN.id: Player(model=librarian.label)}
    change = {"debate": debate.model_copy(update={"documents": listed, "cast": cast})}
    return must_fit(spec.model_copy(update={**change, "model_specs": {**spec.model_specs, LIBRARIAN.id: librarian}}))


def must_fit(spec: RunSpec) -> RunSpec:
    """Refuse documents that leave a seat too little room to think in."""
    for seat in spec.debate.seats if spec.debate.documents or spec.debate.tools else ():
        texts = _in_prompts(spec, seat)
        model_spec = spec.model_specs.get(seat.id)
        window = model_spec.context if model_spec else None
        size, unit = (sum(map(likely_tokens, texts)), "tokens") if window else (sum(map(len, texts)), "characters")
        brought = sum(tool.calls * tool.characters for tool in spec.debate.tools if seat.id in tool.seats)
        size += brought // CHARACTERS if window else brought
        most = round(window * SHARE) if window else MOST_TEXT
        if size > most:
            why = f"{SHARE:.0%} of its model's context window" if window else "its model's context window is not known"
            raise Unsuitable(
                f"the documents of {seat.id} have {size:,} {unit}, and {most:,} is the most ({why})",
                fix="bring fewer or shorter documents, let them be looked up (--look-ups), allow tools less (`calls`, "
                "`characters`), or seat a model whose window is larger and set as `context`",
            )
    return spec


def _in_prompts(spec: RunSpec, seat: Seat) -> list[str]:
    """Texts that every prompt of a seat holds whole."""
    documents, background = spec.debate.documents, spec.debate.background
    whole = documents.readable_by(seat.id) if documents and not documents.look_ups else ()
    return [*([background.text] if background else []), *(spec.texts[one.id] for one in whole)]


LOOK_UPS = 6
"""Look-ups of each side, where documents are too long to stand in the prompts."""


SHARE = 0.4
"""Part of a context window that documents may take."""
CHARACTERS = 4
"""Of a token, in a text that is not known yet."""


def _with_manners(debate: DebateSpec, request: DebateRequest) -> Mapping[str, Player]:
    """Players with the chosen personalities and lenses. A personality is added to a lens that the protocol gives."""
    if not request.personas:
        return debate.cast
    catalogue, chosen = load_catalogue(), _by_seat(debate.seats, request.personas, request.protocol)
    lenses = {lens.id for lens in catalogue.lenses}
    cast = dict(debate.cast)
    for seat, wanted in chosen.items():
        manner = catalogue.manner(wanted) if isinstance(wanted, str) else wanted
        player = cast[seat]
        beside = not manner.lens and lenses.intersection(player.manners)
        persona, manners = f"{player.persona} {manner.how}", (*player.manners, manner.id)
        cast[seat] = replace(
            player, persona=persona if beside else manner.how, manners=manners if beside else (manner.id,)
        )
    return cast


def spec_from(
    request: DebateRequest, debate: DebateSpec, model_specs: Mapping[str, ModelSpec], run_id: str, **more: Any
) -> RunSpec:
    spec = RunSpec(
        run_id=run_id,
        lineage=run_id,
        debate=cast_with(debate, model_specs),
        model_specs={seat: model_spec for seat, model_spec in model_specs.items() if model_spec.provider != "human"},
        created_at=instant(),
        fence=new_fence(),
        caps=request.caps,
        seed=request.seed,
        seconds_per_call=request.seconds_per_call,
        on_failure=request.on_failure,
        keep_reasoning=request.keep_reasoning,
        made=how_made(model_spec.provider for model_spec in model_specs.values()),
        texts=_laid_down(debate, request)[1],
        **more,
    )
    offers = [
        (one, tuple(_by_seat(debate.seats, dict.fromkeys(one.terms.seats, True), request.protocol)))
        for one in request.tools
    ]
    return fitted(with_offers(spec, offers), request.look_ups)


def model_specs_for(debate: DebateSpec, request: DebateRequest, environment: Mapping[str, str]) -> dict[str, ModelSpec]:
    """Model of each seat: the request's for the seat, the request's for all, then the environment, narrowest first."""
    flags = flags_for(debate, request)
    model_specs = {seat.id: model_spec_of(seat, environment, flag=flags[seat.id]) for seat in debate.seats}
    for model_spec in model_specs.values():
        if model_spec.provider not in BUILT_IN:
            must_be_known(model_spec)
    return model_specs


def model_specs_without_keys(
    debate: DebateSpec, request: DebateRequest, environment: Mapping[str, str]
) -> dict[str, ModelSpec]:
    """Model of each seat for an estimate: keys are not needed yet, and prices may be unknown."""
    model_specs: dict[str, ModelSpec] = {}
    for seat, flag in zip(debate.seats, flags_for(debate, request).values(), strict=True):
        # A local server needs no key, so first treat every model as local, then keep that for those that are.
        local_flag = (flag or NOBODY).model_copy(update={"local": True})
        model_spec = model_spec_of(seat, environment, flag=local_flag)
        local = model_spec.provider in BUILT_IN or on_loopback(model_spec.base_url)
        model_specs[seat.id] = model_spec.model_copy(update={"local": local})
    return model_specs


def with_every_key(environment: Mapping[str, str]) -> Environment:
    """Pretend that every usual key is set: an estimate sends nothing."""
    settings = layered(environment)
    keys = {name: "none" for endpoint in PROVIDERS.values() for name in endpoint.keys}
    return replace(settings, process={**keys, **settings.process})


def models_of_seats(spec: RunSpec, seats: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, ModelSpec]:
    """Models for some seats of a run, named as in a request."""
    debate = spec.debate
    if strangers := sorted(seats.keys() - {seat.id for seat in debate.seats}):
        fix = f"choose from {', '.join(seat.id for seat in debate.seats)}"
        raise Unsuitable(f"no seat {', '.join(strangers)} in {spec.run_id!r}", fix=fix)
    named = tuple(seat for seat in debate.seats if seat.id in seats)
    request = DebateRequest(protocol=debate.protocol, question=debate.topic, seats=seats)
    return model_specs_for(debate.model_copy(update={"seats": named}), request, environment)


def lacks_model(request: DebateRequest, environment: Mapping[str, str]) -> bool:
    """Whether a seat has no provider, neither in the request nor in the environment."""
    debate = laid(request)
    flags = flags_for(debate, request)
    return any(not resolve(seat, environment, flag=flags[seat.id]).model_spec.provider for seat in debate.seats)


def flags_for(debate: DebateSpec, request: DebateRequest) -> dict[str, ModelSpec | None]:
    """Model that the request names for each seat; None where it names none."""
    named = _by_seat(debate.seats, request.seats, request.protocol)
    words = {seat.id: named.get(seat.id) or request.model for seat in debate.seats}
    return {seat: parse_model_spec(flag) if flag else None for seat, flag in words.items()}


def _by_seat(seats: Sequence[Seat], given: Mapping[str, T], protocol: str) -> dict[str, T]:
    """What was given for seats, teams and roles, by seat id; the narrowest name wins."""
    names = {seat.id: _names(seat) for seat in seats}
    if strangers := sorted(given.keys() - {name for some in names.values() for name in some}):
        fix = f"choose from {', '.join(sorted(names))}"
        raise Unsuitable(f"no seat {', '.join(strangers)} in {protocol!r}", fix=fix)
    return {seat: next(given[n] for n in some if n in given) for seat, some in names.items() if given.keys() & {*some}}


def _names(seat: Seat) -> tuple[str, ...]:
    """Names by which a request may address a seat, narrowest first."""
    return tuple(name for name in (seat.id, seat.team, seat.role) if name)


def cast_with(debate: DebateSpec, model_specs: Mapping[str, ModelSpec]) -> DebateSpec:
    cast = {seat: replace(player, model=model_specs[seat].label) for seat, player in debate.cast.items()}
    return debate.model_copy(update={"cast": cast})
