/** The argument map: the whole of it first, then as much as one wants. Every box leads to where it was said. */
import "@xyflow/react/dist/base.css";
import { useNavigate } from "@tanstack/react-router";
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  MiniMap,
  type Node,
  type NodeProps,
  type NodeTypes,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useNodesState,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import { X } from "lucide-react";
import { createContext, useContext, useEffect, useMemo, useState } from "react";
import { BORDERS, EDGES, SideTag, StandingBadge } from "../ui/Badge";
import { Button, IconButton } from "../ui/Button";
import { Empty, Problem } from "../ui/Said";
import { words } from "../words/reading";
import { asPng, asSvg, drawn, farOf, headOf, saved } from "./drawing";
import { BOX_WIDTH, laidOut } from "./layout";
import { decoded, useHash } from "./links";
import { useDebate } from "./open";
import { To } from "./parts";
import { type Box, folded, MOTION, type Tree, treeOf } from "./tree";

const w = words.map;

interface Folding {
  closed: ReadonlySet<string>;
  toggle: (id: string) => void;
}
const FoldingContext = createContext<Folding>({ closed: new Set(), toggle: () => {} });
/** The box that was chosen, and how to choose one. */
const ChoosingContext = createContext<{ led: string; choose: (id: string) => void }>({ led: "", choose: () => {} });

export default function MapPage() {
  const view = useDebate();
  const whole = useMemo(() => treeOf(view), [view]);
  if (!view.claims.length)
    return (
      <Empty title={words.trace.nothing}>
        <p>{view.trace.key || words.trace.nothingWhy}</p>
      </Empty>
    );
  return (
    <ReactFlowProvider>
      <Mapped whole={whole} name={view.run_id} />
    </ReactFlowProvider>
  );
}

function Mapped({ whole, name }: { whole: Tree; name: string }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<unknown>(null);
  const tree = useMemo(() => folded(whole, closed), [whole, closed]);
  const toggle = (id: string) =>
    setClosed((was) => (was.has(id) ? new Set([...was].filter((one) => one !== id)) : new Set([...was, id])));
  const claims = whole.boxes.filter((box) => box.kind === "claim" && box.under).map((box) => box.id);
  const save = (kind: "svg" | "png") => async () => {
    const svg = drawn(tree);
    try {
      saved(`${name}.${kind}`, kind === "svg" ? asSvg(svg) : await asPng(svg));
    } catch (failed) {
      setError(failed);
    }
  };
  return (
    <div>
      <div className="no-print mb-3 flex flex-wrap gap-2">
        <Button onClick={() => setClosed(new Set(claims))} disabled={!claims.length}>
          {w.collapseAll}
        </Button>
        <Button onClick={() => setClosed(new Set())} disabled={!closed.size}>
          {w.expandAll}
        </Button>
        <Button className="ml-auto" onClick={save("svg")}>
          {w.svg}
        </Button>
        <Button onClick={save("png")}>{w.png}</Button>
      </div>
      {error ? <Problem error={error} /> : null}
      <FoldingContext value={{ closed, toggle }}>
        <Canvas tree={tree} />
      </FoldingContext>
      <p className="mt-3 max-w-[75ch] text-sm text-muted">
        {w.legend} <To page="trace">{w.same}</To>
      </p>
    </div>
  );
}

type BoxNode = Node<{ box: Box }, "box">;

function flow(tree: Tree): { nodes: BoxNode[]; edges: Edge[] } {
  const { at } = laidOut(tree);
  return {
    nodes: tree.boxes.map((box) => {
      const { x = 0, y = 0, width = 0, height = 0 } = at.get(box.id) ?? {};
      return { id: box.id, type: "box", position: { x, y }, width, height, data: { box } };
    }),
    edges: tree.arrows.map((one) => ({
      id: one.id,
      source: one.from,
      target: one.to,
      type: "default",
      ...(one.label && one.to !== MOTION ? { label: one.label } : {}),
      markerEnd: { type: one.attacks === false ? MarkerType.Arrow : MarkerType.ArrowClosed, color: "var(--edge)" },
      style: { stroke: "var(--edge)", ...(one.attacks === false ? { strokeDasharray: "6 4" } : {}) },
    })),
  };
}

function Canvas({ tree }: { tree: Tree }) {
  const made = useMemo(() => flow(tree), [tree]);
  const [nodes, setNodes, change] = useNodesState(made.nodes);
  const { fitView, setCenter } = useReactFlow();
  const led = decoded(useHash());
  const chosen = tree.boxes.find((box) => box.id === led);
  const navigate = useNavigate();

  // Again as a whole, once it has been folded or unfolded.
  useEffect(() => {
    setNodes(made.nodes);
    requestAnimationFrame(() => void fitView(FIT));
  }, [made, setNodes, fitView]);
  useEffect(() => {
    const node = made.nodes.find(({ id }) => id === led);
    if (!node) return;
    const { x, y } = node.position;
    const frame = requestAnimationFrame(() =>
      requestAnimationFrame(() => void setCenter(x + (node.width ?? 0) / 2, y + (node.height ?? 0) / 2, { zoom: 0.9 })),
    );
    return () => cancelAnimationFrame(frame);
  }, [led, made, setCenter]);

  const choose = (id: string) => void navigate({ to: ".", hash: id, resetScroll: false });
  return (
    <ChoosingContext value={{ led, choose }}>
      <section
        aria-label={w.label}
        className="argument-map relative h-[60dvh] min-h-96 sm:h-[calc(100dvh-15rem)] overflow-hidden rounded-lg border border-line bg-sunken"
      >
        <ReactFlow
          nodes={nodes}
          edges={made.edges}
          onNodesChange={change}
          nodeTypes={TYPES}
          nodesDraggable={false}
          nodesFocusable={false}
          elementsSelectable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          deleteKeyCode={null}
          minZoom={0.08}
          maxZoom={1.6}
          fitView
          fitViewOptions={FIT}
        >
          <Background color="var(--line)" />
          <Controls showInteractive={false} />
          {tree.boxes.length > MANY && (
            <MiniMap
              pannable
              zoomable
              nodeColor="var(--edge)"
              bgColor="var(--raised)"
              maskColor="color-mix(in srgb, var(--sunken) 70%, transparent)"
            />
          )}
        </ReactFlow>
        {chosen && (
          <div
            aria-live="polite"
            className="absolute inset-x-3 bottom-3 max-h-[55%] overflow-y-auto rounded-md border border-edge bg-raised p-4 text-sm shadow-lg sm:inset-x-auto sm:top-3 sm:right-3 sm:bottom-auto sm:w-72"
          >
            <Chosen box={chosen} close={() => choose("")} />
          </div>
        )}
      </section>
    </ChoosingContext>
  );
}

/** So many boxes need a small map of the map. */
const MANY = 60;
const FIT = { padding: 0.06, maxZoom: 1 };

function Chosen({ box, close }: { box: Box; close: () => void }) {
  return (
    <>
      <p className="mb-2 flex flex-wrap items-center gap-2">
        <b>{box.kind === "motion" ? w.motion : box.id}</b>
        {box.kind === "claim" && <StandingBadge standing={box.standing} />}
        {box.deed && <span className="text-muted">{box.deed}</span>}
        <IconButton label={words.close} onClick={close} className="-my-2 -mr-2 ml-auto">
          <X size={16} aria-hidden="true" />
        </IconButton>
      </p>
      {box.seat && (
        <p className="mb-2 text-muted">
          <SideTag side={box.side}>{box.seat}</SideTag>
        </p>
      )}
      <p dir="auto">{box.text}</p>
      {box.kind !== "motion" && (
        <p className="mt-3 flex flex-col gap-1.5">
          <To page="transcript" at={box.id}>
            {w.toTurn}
          </To>
          {box.kind === "claim" && (
            <To page="trace" at={box.id}>
              {w.toTrace}
            </To>
          )}
        </p>
      )}
    </>
  );
}

function BoxShown({ data: { box } }: NodeProps<BoxNode>) {
  const { closed, toggle } = useContext(FoldingContext);
  const { led, choose } = useContext(ChoosingContext);
  const far = useStore(({ transform: [, , zoom] }) => zoom < FAR);
  const shut = closed.has(box.id);
  const ring = led === box.id ? "outline-3 outline-offset-2 outline-accent" : "";
  return (
    <div
      className={`pointer-events-auto relative h-full w-full rounded-md bg-raised text-ink ${BORDERS[box.standing ?? "none"]} ${ring}`}
    >
      <Handle type="source" position={Position.Left} className="invisible" />
      <Handle type="target" position={Position.Right} className="invisible" />
      <button
        type="button"
        aria-pressed={led === box.id}
        className={`nodrag block h-full w-full rounded-sm px-3 py-2.5 text-left ${box.side ? EDGES[box.side] : ""}`}
        onClick={() => choose(box.id)}
      >
        <span className={far ? "sr-only" : "block truncate text-[11.5px] leading-[18px] font-semibold"}>
          <SideTag side={box.side}>
            <span className="text-muted">{headOf(box)}</span>
          </SideTag>
        </span>
        <span className={far ? "sr-only" : "mt-1 line-clamp-4 text-[13px] leading-[17px]"} dir="auto">
          {box.text}
        </span>
        {far && <FarName box={box} />}
      </button>
      {box.under > 0 && box.kind !== "motion" && (
        <button
          type="button"
          aria-expanded={!shut}
          aria-label={shut ? w.expand(box.id, box.under) : w.collapse(box.id, box.under)}
          className="nodrag absolute top-1/2 -right-4 flex min-h-7 min-w-7 -translate-y-1/2 items-center justify-center rounded-full border border-edge bg-raised px-1.5 text-xs font-semibold"
          onClick={(event) => {
            event.stopPropagation();
            toggle(box.id);
          }}
        >
          {shut ? `+${box.under}` : `−${box.under}`}
        </button>
      )}
    </div>
  );
}

/** From afar words are specks: how it stands and what it is called, as large as the box allows. */
function FarName({ box }: { box: Box }) {
  const lines = farOf(box);
  const longest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(LARGEST / lines.length ** 0.5, (BOX_WIDTH - 44) / (LETTER * longest));
  return (
    <span
      aria-hidden="true"
      className="flex h-full items-center justify-center text-center leading-none font-semibold whitespace-pre"
      style={{ fontSize: size }}
    >
      {lines.join("\n")}
    </span>
  );
}

/** Below this zoom nobody can read the words of a box. */
const FAR = 0.5;
const LARGEST = 46;
/** How wide a letter is, by its height. */
const LETTER = 0.62;

const TYPES: NodeTypes = { box: BoxShown };
