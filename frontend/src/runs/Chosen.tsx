/** What can be done with the debates that are chosen in the list: compare, tag, export, delete. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { at, call, client, type DebateRow, type Deleted, post, useAbout, useRole } from "../api";
import { Link } from "../router";
import { Button, buttonLook } from "../ui/Button";
import { typed } from "../ui/current";
import { Dialog } from "../ui/Dialog";
import { Select, TextField } from "../ui/Field";
import { Announced, Problem } from "../ui/Said";
import { words } from "../words/doing";
import { words as reading } from "../words/reading";
import { doable, tagsIn } from "./list";

type Asked = "tag" | "export" | "delete" | "";

interface Props {
  runs: readonly DebateRow[];
  clear: () => void;
}

export function Chosen({ runs, clear }: Props) {
  const [asked, setAsked] = useState<Asked>("");
  const [told, setTold] = useState("");
  const close = () => setAsked("");
  const done = async (said: string) => {
    setTold(said);
    close();
    clear();
    await client.invalidateQueries({ queryKey: ["debates"] });
  };
  return (
    <>
      <Announced>{told}</Announced>
      {runs.length > 0 && <Bar runs={runs} clear={clear} ask={setAsked} />}
      <Dialog title={words.runs.tagTitle(runs.length)} open={asked === "tag"} close={close}>
        <Tagging runs={runs} done={done} close={close} />
      </Dialog>
      <Dialog title={words.runs.exportTitle(runs.length)} open={asked === "export"} close={close}>
        <Exporting runs={runs} close={close} />
      </Dialog>
      <Dialog title={words.runs.removeTitle(runs.length)} open={asked === "delete"} close={close}>
        <Removing runs={runs} done={done} close={close} />
      </Dialog>
    </>
  );
}

function Bar({ runs, clear, ask }: Props & { ask: (what: Asked) => void }) {
  const can = doable(runs);
  const role = useRole();
  const [first, second] = runs;
  return (
    <div
      role="toolbar"
      aria-label={words.runs.chosen(runs.length)}
      className="sticky bottom-4 z-10 mt-4 flex flex-wrap items-center gap-2 rounded-lg border border-edge bg-raised px-4 py-2.5 shadow-lg"
    >
      <b className="text-sm font-semibold">{words.runs.chosen(runs.length)}</b>
      {can.why && <span className="text-sm text-muted">{can.why}</span>}
      <span className="ml-auto flex flex-wrap gap-2">
        {can.compare && first && second && (
          <Link to="/compare" search={{ first: first.run_id, second: second.run_id }} className={buttonLook("main")}>
            {words.runs.compare}
          </Link>
        )}
        {can.stability && (
          <Link to="/stability" search={{ run: runs.map((run) => run.run_id) }} className={buttonLook()}>
            {words.runs.stability}
          </Link>
        )}
        {role === "owner" && <Button onClick={() => ask("tag")}>{words.runs.tagDo}</Button>}
        {can.over && role !== "judge" && <Button onClick={() => ask("export")}>{words.runs.exportDo}</Button>}
        {can.over && role === "owner" && (
          <Button look="danger" onClick={() => ask("delete")}>
            {words.runs.removeDo}
          </Button>
        )}
        <Button look="quiet" onClick={clear}>
          {words.runs.clear}
        </Button>
      </span>
    </div>
  );
}

interface DoingProps {
  runs: readonly DebateRow[];
  done: (said: string) => Promise<void>;
  close: () => void;
}

/** One debate: its tags as they are to be. Several: what is added to each. */
function Tagging({ runs, done, close }: DoingProps) {
  const single = runs.length === 1 ? runs[0] : undefined;
  const save = useMutation({
    mutationFn: (tagged: readonly { id: string; tags: string[] }[]) =>
      Promise.all(tagged.map(({ id, tags }) => call("PATCH", at(id), { tags }))),
    onSuccess: () => done(""),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const given = tagsIn(typed(event.currentTarget, "tags"));
        const tags = (run: DebateRow) => (single ? given : [...new Set([...run.tags, ...given])]);
        save.mutate(runs.map((run) => ({ id: run.run_id, tags: tags(run) })));
      }}
    >
      <TextField
        label={single ? words.runs.tagOwn : words.runs.tagAdd}
        hint={words.runs.tagHint}
        name="tags"
        defaultValue={single?.tags.join(", ") ?? ""}
      />
      {save.error && <Problem error={save.error} />}
      <Foot close={close} busy={save.isPending} label={words.runs.tagSave} />
    </form>
  );
}

function Exporting({ runs, close }: { runs: readonly DebateRow[]; close: () => void }) {
  const formats = useAbout().data?.formats ?? ["md"];
  const [format, setFormat] = useState("md");
  const named = reading.formats as Record<string, string>;
  const save = () => {
    for (const run of runs) {
      const link = document.createElement("a");
      link.href = `${at(run.run_id, "export")}?format=${encodeURIComponent(format)}`;
      link.download = "";
      link.click();
    }
    close();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Select
        label={words.runs.exportFormat}
        hint={words.runs.exportHint}
        choices={formats.map((name) => [name, named[name] ?? name] as const)}
        value={format}
        onChange={(event) => setFormat(event.target.value)}
      />
      <Foot close={close} busy={false} label={words.runs.exportSave} />
    </form>
  );
}

function Removing({ runs, done, close }: DoingProps) {
  const remove = useMutation({
    mutationFn: (named: readonly string[]) => post<Deleted>("/api/debates/deletions", { runs: named }),
    onSuccess: ({ deleted, kept }) =>
      done([words.runs.removed(deleted.length), kept.length ? words.runs.kept(kept.length) : ""].join(" ")),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate(runs.map((run) => run.run_id));
      }}
    >
      <ul className="max-h-60 overflow-auto">
        {runs.map((run) => (
          <li key={run.run_id} className="line-clamp-2 font-medium" dir="auto">
            {run.topic}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm">{words.runs.removeWhy}</p>
      {remove.error && <Problem error={remove.error} />}
      <Foot close={close} busy={remove.isPending} label={words.runs.removeDo} danger />
    </form>
  );
}

interface FootProps {
  close: () => void;
  busy: boolean;
  label: string;
  danger?: boolean;
}

function Foot({ close, busy, label, danger = false }: FootProps) {
  return (
    <div className="mt-5 flex justify-end gap-2">
      <Button onClick={close}>{words.cancel}</Button>
      <Button type="submit" look={danger ? "danger" : "main"} busy={busy}>
        {label}
      </Button>
    </div>
  );
}
