/** The briefing: what to read before deciding, then what it rests on. */
import { type ReactNode, useContext } from "react";
import type { BriefingLine, View } from "../api";
import { SIGNS, StandingBadge } from "../ui/Badge";
import { Card } from "../ui/Card";
import { Care } from "../ui/Said";
import { Table } from "../ui/Table";
import { words } from "../words/reading";
import { JudgingContext, useDebate, useIndex } from "./open";
import { ClaimLink, Fold, Lines, ReadyTable, To, Who } from "./parts";

const w = words.briefing;
export default function Briefing() {
  const view = useDebate();
  const { digest } = view;
  const coming = useContext(JudgingContext) && !view.judgement;
  return (
    <div className="space-y-10">
      {improvised(view) && (
        <Care title={words.debate.improvised}>
          <p>{words.debate.improvisedWhy}</p>
        </Care>
      )}
      {!coming && <BottomLine />}
      <Summary />
      <Result />
      {view.judgement && (
        <div className="grid gap-x-10 gap-y-8 md:grid-cols-3">
          <ArgumentList title={w.heldUp} sign={SIGNS.upheld} lines={digest.held_up} none={w.noneHeldUp} />
          <ArgumentList title={w.refuted} sign={SIGNS.refuted} lines={digest.refuted} none={w.noneRefuted} />
          {digest.withdrawn.length > 0 && (
            <ArgumentList title={w.withdrawn} sign={SIGNS.withdrawn} lines={digest.withdrawn} none="" />
          )}
          <ArgumentList title={w.unresolved} sign={SIGNS.uncertain} lines={digest.unresolved} none={w.noneUnresolved} />
        </div>
      )}
      {digest.limits_head && (
        <Care title={digest.limits_head}>
          <Lines lines={digest.limits} />
        </Care>
      )}
      <Rest />
    </div>
  );
}

/** What was decided, how sure it is, the strongest arguments, what would change it and what to check. */
function BottomLine() {
  const { digest } = useDebate();
  const checks = digest.check_first.map((line) => line.text);
  return (
    <section aria-labelledby="bottom-line">
      <h2 id="bottom-line" className="mb-2 text-sm font-semibold tracking-wide text-accent uppercase">
        {w.bottomLine}
      </h2>
      <p className="max-w-[52ch] text-xl leading-snug font-medium sm:text-2xl" dir="auto">
        {digest.bottom_line}
      </p>
      {!digest.judged && (
        <p className="mt-2">
          <To page="transcript">{w.readIt}</To>
        </p>
      )}
      <dl className="mt-6 grid max-w-[85ch] gap-x-8 gap-y-1 sm:grid-cols-[11rem_1fr] sm:gap-y-3">
        {digest.sure && (
          <Fact label={w.sure}>
            <b className="font-semibold">{digest.sure.label}.</b> {digest.sure.text}
          </Fact>
        )}
        {digest.issues.length > 0 && (
          <Fact label={w.issues}>
            <Lines lines={digest.issues} />
          </Fact>
        )}
        {digest.strongest.map((one) => (
          <Fact key={one.id} label={w.strongest(one.side)}>
            {one.text}
          </Fact>
        ))}
        {digest.would_change && <Fact label={w.wouldChange}>{digest.would_change}</Fact>}
        {checks.length > 0 && (
          <Fact label={w.unresolved}>
            <Lines lines={checks} />
          </Fact>
        )}
        {digest.without_debate && <Fact label={w.withoutDebate}>{digest.without_debate}</Fact>}
        {digest.facts.map(({ label, text }) => (
          <Fact key={label} label={label}>
            {text}
          </Fact>
        ))}
      </dl>
      {digest.caveat && (
        <p className="mt-5 max-w-[75ch] border-l-2 border-edge pl-4 text-sm text-muted">{digest.caveat}</p>
      )}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-sm text-muted sm:pt-px">{label}</dt>
      <dd className="mb-2 sm:mb-0" dir="auto">
        {children}
      </dd>
    </div>
  );
}

/** What a model wrote, with the arguments that each sentence cites. */
function Summary() {
  const { model_summary: summary } = useDebate();
  if (!summary) return null;
  return (
    <Card title={summary.title}>
      <ul className="max-w-[75ch] space-y-3">
        {summary.sentences.map((one) => (
          <li key={one.text} dir="auto">
            {one.text}{" "}
            <span className="text-sm text-muted">
              {one.ids.map((id) => (
                <ClaimLink key={id} id={id} />
              ))}{" "}
              “{one.quote}”
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-muted">{summary.key}</p>
    </Card>
  );
}

/** The protocol's own result. */
function Result() {
  const { result_sections } = useDebate();
  if (!result_sections.length) return null;
  return (
    <Card title={w.result}>
      <div className="space-y-6">
        {result_sections.map((section) => (
          <div key={section.title}>
            <h3 className="mb-2 text-base">{section.title}</h3>
            {section.table && <ReadyTable table={section.table} quiet />}
            {section.lines.length > 0 && <Lines lines={section.lines} />}
          </div>
        ))}
      </div>
    </Card>
  );
}

const improvised = (view: View) =>
  [...view.seats.map((seat) => seat.model), ...(view.judgement?.panel ?? []).map((judge) => judge.family)].includes(
    "improviser",
  );

function ArgumentList({
  title,
  sign,
  lines,
  none,
}: {
  title: string;
  sign: string;
  lines: BriefingLine[];
  none: string;
}) {
  const { traced } = useIndex();
  return (
    <section aria-label={title}>
      <h2 className="mb-3 border-b border-line pb-2 text-base">
        <span aria-hidden="true" className="mr-2 inline-block w-4 text-center">
          {sign}
        </span>
        {title}
      </h2>
      {lines.length ? (
        <ul className="space-y-3 text-sm">
          {lines.map(({ id, text }) => {
            const found = traced.get(id);
            return (
              <li key={text}>
                {found && (
                  <p className="mb-0.5 flex flex-wrap items-center gap-2">
                    <ClaimLink id={id} />
                    <Who seat={found.seat} />
                    {found.standing === "partially_upheld" && <StandingBadge standing={found.standing} />}
                  </p>
                )}
                <p dir="auto">{found ? without(text, id) : text}</p>
              </li>
            );
          })}
        </ul>
      ) : (
        <p className="text-sm text-muted">{none}</p>
      )}
    </section>
  );
}

/** The line begins with an id and a name, which stand above it already. */
export const without = (text: string, id: string) => {
  const lead = [/^ \([^)]*\): /, /^: /].map((one) => one.exec(text.slice(id.length))?.[0]).find(Boolean);
  return text.startsWith(id) && lead ? text.slice(id.length + lead.length) : text;
};

/** What it rests on. */
function Rest() {
  const view = useDebate();
  const { checks } = view;
  return (
    <div>
      {view.votes && (
        <Fold title={w.votes}>
          <ReadyTable table={view.votes} />
        </Fold>
      )}
      {checks && (checks.control || checks.control_lines.length > 0) && (
        <Fold title={w.control}>
          <p className="mb-3 max-w-[75ch]" dir="auto">
            {checks.control}
          </p>
          <Lines lines={checks.control_lines} />
        </Fold>
      )}
      {view.hints.length > 0 && (
        <Fold title={w.hints}>
          <p className="mb-3 max-w-[75ch] text-sm text-muted">{view.hint_key}</p>
          <Lines lines={view.hints.map((hint) => hint.text)} />
        </Fold>
      )}
      {checks && (
        <Fold title={w.reliability}>
          <Lines lines={checks.reliability} />
          <div className="mt-5">
            <ReadyTable table={checks.panel} />
          </div>
        </Fold>
      )}
      {view.told.length > 0 && (
        <Fold title={w.told}>
          <Lines lines={view.told} />
        </Fold>
      )}
      <Fold title={w.participants}>
        <Seats />
      </Fold>
      {view.bill.rows.length > 0 && (
        <Fold title={w.expenses}>
          <ReadyTable table={view.bill} quiet />
        </Fold>
      )}
      {checks && (
        <Fold title={w.origin}>
          <Lines lines={checks.origin} />
        </Fold>
      )}
    </div>
  );
}

function Seats() {
  const { seats } = useDebate();
  const [seat, role, model] = w.participantHeads;
  return (
    <Table
      caption={w.participants}
      quiet
      rows={seats}
      name={(chair) => chair.id}
      columns={[
        { key: "seat", head: seat, cell: (chair) => <Who seat={chair.id} full /> },
        { key: "role", head: role, cell: (chair) => chair.role },
        { key: "model", head: model, cell: (chair) => (chair.person ? words.debate.person : chair.model) },
      ]}
    />
  );
}
