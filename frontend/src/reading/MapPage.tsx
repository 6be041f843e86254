/** The argument map: what was claimed on either side and what met it, in two wings or as an outline; one claim at a time in focus. */
import { useEffect, useMemo, useRef, useState } from "react";
import { SIGNS, type Standing } from "../ui/Badge";
import { Button, buttonLook } from "../ui/Button";
import { useKeys } from "../ui/keys";
import { Empty, Problem } from "../ui/Said";
import { words } from "../words/reading";
import { asPng, asSvg, drawn, saved } from "./drawing";
import { Focus } from "./Focus";
import { laidOut } from "./layout";
import { decoded, useHash } from "./links";
import { Outline } from "./Outline";
import { useDebate } from "./open";
import { To } from "./parts";
import { type Choice, claimsOf, hasSides, type Tree, treeOf, type Wings, wingsOf } from "./tree";
import { WingsDrawn } from "./Wings";

const w = words.map;

export default function MapPage() {
  const view = useDebate();
  const tree = useMemo(() => treeOf(view), [view]);
  if (!view.claims.length)
    return (
      <Empty title={words.trace.nothing}>
        <p>{view.trace.key || words.trace.nothingWhy}</p>
      </Empty>
    );
  return <Mapped tree={tree} />;
}

type As = "wings" | "outline";

function Mapped({ tree }: { tree: Tree }) {
  const view = useDebate();
  const wide = useWide();
  const [standings, setStandings] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState<readonly [boolean, boolean]>([false, false]);
  const [chosen, setChosen] = useState<As | null>(null);
  const as: As = wide ? (chosen ?? (hasSides(view) ? "wings" : "outline")) : "outline";
  const wings = useMemo(() => wingsOf(view, tree, { standings, all }), [view, tree, standings, all]);
  const left = useLeft(tree);
  const led = tree.boxes.get(decoded(useHash()));
  const everything = useMemo(() => claimsOf(wingsOf(view, tree, EVERYTHING)), [view, tree]);
  useKeys({ o: () => wide && setChosen(as === "wings" ? "outline" : "wings") });
  const open = (wing: 0 | 1) => setAll((was) => (wing ? [was[0], true] : [true, was[1]]));
  if (led) return <Focus box={led} tree={tree} claims={everything} />;
  const shown = { wings, open, weighed: view.trace.rows.length > 0 };
  return (
    <>
      <div className="no-print mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {wide && <Views as={as} choose={setChosen} />}
        <Shown tree={tree} chosen={standings} choose={setStandings} />
        {wide && <Saving wings={wings} />}
      </div>
      {wings.every((wing) => !wing.count) ? (
        <p className="py-10 text-muted">{w.noneShown}</p>
      ) : as === "wings" ? (
        <WingsDrawn {...shown} left={left} />
      ) : (
        <Outline {...shown} unfolded={wide} />
      )}
      {as === "wings" && <Legend />}
    </>
  );
}

const EVERYTHING: Choice = { standings: new Set(), all: [true, true] };

/** The claim that was in focus before, once the map is shown again. */
function useLeft(tree: Tree): string {
  const led = decoded(useHash());
  const before = useRef("");
  useEffect(() => {
    if (tree.boxes.has(led)) before.current = led;
  }, [tree, led]);
  return before.current;
}

function Views({ as, choose }: { as: As; choose: (as: As) => void }) {
  const look = (on: boolean) => (on ? "border-accent! bg-accent-soft!" : "");
  return (
    <fieldset className="flex gap-2">
      <legend className="sr-only">{w.views}</legend>
      {(["wings", "outline"] as const).map((one) => (
        <Button key={one} aria-pressed={as === one} className={look(as === one)} onClick={() => choose(one)}>
          {w[one]}
        </Button>
      ))}
      <To page="trace" className={buttonLook()}>
        {w.table}
      </To>
    </fieldset>
  );
}

interface ShownProps {
  tree: Tree;
  chosen: ReadonlySet<string>;
  choose: (standings: ReadonlySet<string>) => void;
}

/** How many claims stand how; a press shows only those. */
function Shown({ tree, chosen, choose }: ShownProps) {
  const claims = [...tree.boxes.values()].filter((box) => box.kind === "claim");
  const counts = Map.groupBy(claims, (box) => box.standing ?? "none");
  const order = [...Object.keys(SIGNS), "none"].filter((one) => counts.has(one as Standing));
  if (order.length < 2) return null;
  const toggle = (one: string) =>
    choose(new Set(chosen.has(one) ? [...chosen].filter((other) => other !== one) : [...chosen, one]));
  return (
    <fieldset className="flex flex-wrap items-center gap-1.5 text-note">
      <legend className="sr-only">{w.show}</legend>
      <span aria-hidden="true" className="text-muted">
        {w.show}
      </span>
      {order.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={chosen.has(one)}
          className={`min-h-7 rounded-full border px-2.5 ${chosen.has(one) ? "border-accent bg-accent-soft font-semibold" : "border-edge bg-raised"}`}
          onClick={() => toggle(one)}
        >
          <span aria-hidden="true">{SIGNS[one as Standing] ?? ""} </span>
          {w.only(words.standing[one as Standing | "none"], counts.get(one as Standing)?.length ?? 0)}
        </button>
      ))}
      <span className="ml-1 text-muted">{w.order}</span>
    </fieldset>
  );
}

function Saving({ wings }: { wings: Wings }) {
  const { run_id: name, topic } = useDebate();
  const [error, setError] = useState<unknown>(null);
  const save = (kind: "svg" | "png") => async () => {
    const svg = drawn(laidOut(wings, topic, PICTURE), topic);
    try {
      saved(`${name}.${kind}`, kind === "svg" ? asSvg(svg) : await asPng(svg));
    } catch (failed) {
      setError(failed);
    }
  };
  return (
    <div className="ml-auto flex flex-wrap gap-2">
      <Button onClick={save("svg")}>{w.svg}</Button>
      <Button onClick={save("png")}>{w.png}</Button>
      {error ? <Problem error={error} /> : null}
    </div>
  );
}

const PICTURE = 1360;

function Legend() {
  const view = useDebate();
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-note text-muted">
      <span className="inline-flex items-center gap-2">
        <Sample /> {w.legend.attack}
      </span>
      <span className="inline-flex items-center gap-2">
        <Sample dashed /> {w.legend.support}
      </span>
      <span>{w.legend.colour}</span>
      <span>{w.legend.thick}</span>
      {!hasSides(view) && <span>{w.seats}</span>}
      <span className="basis-full">{w.legend.keys}</span>
    </div>
  );
}

const Sample = ({ dashed = false }: { dashed?: boolean }) => (
  <svg width="34" height="10" aria-hidden="true" className="stroke-ink">
    <path d="M0 5H34" strokeWidth="1.75" {...(dashed ? { strokeDasharray: "6 4" } : {})} />
  </svg>
);

/** Whether two wings have room beside each other. */
function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const media = matchMedia(WIDE);
    const change = () => setWide(media.matches);
    change();
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, []);
  return wide;
}

const WIDE = "(min-width: 48rem)";
