/** Words are selected in a text and taken over as they stand, so that a quote is verbatim. */
import { type ReactNode, type SyntheticEvent, useId, useState } from "react";
import { type DocumentEntry, useDocument } from "../api";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Select } from "../ui/Field";
import { Loading, Problem } from "../ui/Said";
import { words } from "../words/doing";

const w = words.seat.mark;

interface Props {
  title: string;
  /** Characters that a quote may have. */
  most?: number | undefined;
  use: (marked: string, document: string) => void;
}

/** A button that opens what some words may be taken from. */
function Opener({ title, children }: { title: string; children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{title}</Button>
      <Dialog title={title} open={open} close={() => setOpen(false)} wide>
        {children(() => setOpen(false))}
      </Dialog>
    </>
  );
}

export function MarkInText({ title, text, most, use }: Props & { text: string }) {
  return (
    <Opener title={title}>
      {(close) => (
        <Marking
          text={text}
          most={most}
          use={(marked) => {
            use(marked, "");
            close();
          }}
        />
      )}
    </Opener>
  );
}

/** `documents` are those of this seat, in the debate with this `id`. */
export function MarkInDocument({
  title,
  id,
  documents,
  most,
  use,
}: Props & { id: string; documents: readonly DocumentEntry[] }) {
  const [chosen, setChosen] = useState(documents[0]?.id ?? "");
  return (
    <Opener title={title}>
      {(close) => (
        <div className="space-y-4">
          {documents.length > 1 && (
            <Select
              label={w.which}
              choices={documents.map((one) => [one.id, `${one.id}: ${one.title}`] as const)}
              value={chosen}
              onChange={(event) => setChosen(event.target.value)}
            />
          )}
          <OfDocument
            key={chosen}
            id={id}
            name={chosen}
            most={most}
            use={(marked) => {
              use(marked, chosen);
              close();
            }}
          />
        </div>
      )}
    </Opener>
  );
}

interface MarkingProps {
  most: number | undefined;
  use: (marked: string) => void;
}

function OfDocument({ id, name, ...rest }: MarkingProps & { id: string; name: string }) {
  const found = useDocument(id, name);
  if (found.error) return <Problem error={found.error} again={() => void found.refetch()} />;
  return found.data ? <Marking text={found.data.text} {...rest} /> : <Loading />;
}

/** A field in which nothing can be changed. It is not `readOnly`: in that, browsers select by mouse alone. */
function Marking({ text, most, use }: MarkingProps & { text: string }) {
  const [marked, setMarked] = useState("");
  const id = useId();
  const long = most !== undefined && marked.length > most;
  const look = ({ currentTarget: { selectionStart, selectionEnd } }: SyntheticEvent<HTMLTextAreaElement>) =>
    setMarked(text.slice(selectionStart, selectionEnd).trim());
  return (
    <div className="space-y-3">
      <p id={id} className="text-sm text-muted">
        {w.hint}
      </p>
      <textarea
        aria-readonly="true"
        inputMode="none"
        spellCheck={false}
        onChange={() => {}}
        dir="auto"
        rows={14}
        aria-label={w.text}
        aria-describedby={id}
        value={text}
        onSelect={look}
        onKeyUp={look}
        onMouseUp={look}
        className="w-full rounded-md border border-edge bg-raised px-3 py-2 text-base"
      />
      <p role="status" className="min-h-6 text-sm">
        {long ? (
          <span className="text-wrong">{w.long(most)}</span>
        ) : marked ? (
          <>
            {w.marked}: <q dir="auto">{marked}</q>
          </>
        ) : (
          <span className="text-muted">{w.nothing}</span>
        )}
      </p>
      <Button look="main" disabled={!marked || long} onClick={() => use(marked)}>
        {w.use}
      </Button>
    </div>
  );
}
