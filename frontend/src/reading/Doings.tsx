/** What can be done with a debate besides reading it: a row of buttons, or one menu on a phone. */

import { Download, Ellipsis, Gavel, GraduationCap, Printer, Scale } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { type About, at, useAbout, type View } from "../api";
import { Link } from "../router";
import { buttonLook } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Menu, menuLook } from "../ui/Menu";
import { useNarrow } from "../ui/narrow";
import { Skeleton } from "../ui/Skeleton";
import { words } from "../words/reading";
import { readOnly } from "./readOnly";

const JudgeAgain = SHARED ? null : lazy(() => import("../start/JudgeAgain"));
const ICON = { size: 16, "aria-hidden": true } as const;

export function Doings({ view, judging }: { view: View; judging: boolean }) {
  const { data: about } = useAbout();
  const [asking, setAsking] = useState(false);
  const narrow = useNarrow();
  const panel = view.digest.judged ? words.debate.panelAgain : words.debate.panel;
  const doings = doable(view, about, { panel, judging, ask: () => setAsking(true) });
  const fixed = readOnly(view.run_id);
  const formats =
    about && !fixed && may(about, "owner", "viewer") ? <Exports id={view.run_id} formats={about.formats} /> : null;
  const printed = (look: string) => (
    <button type="button" className={look} onClick={() => print()}>
      <Printer {...ICON} />
      {words.debate.print}
    </button>
  );
  return (
    // Its room is kept until the server has told what may be done.
    <div className="no-print flex min-h-[34px] shrink-0 items-center gap-2 pointer-coarse:min-h-11">
      {!narrow && doings.first.map((one) => one(buttonLook()))}
      {!narrow && formats && (
        <Menu
          face={
            <>
              <Download {...ICON} />
              {words.debate.export}
            </>
          }
        >
          {formats}
        </Menu>
      )}
      {fixed && !narrow ? (
        printed(buttonLook())
      ) : (
        <Menu face={<Ellipsis {...ICON} />} label={words.debate.more}>
          {narrow && doings.first.map((one) => one(menuLook))}
          {doings.more.map((one) => one(menuLook))}
          {printed(menuLook)}
          {narrow && formats}
        </Menu>
      )}
      {JudgeAgain && about && !fixed && (
        <Dialog title={panel} open={asking} close={() => setAsking(false)}>
          <Suspense fallback={<Skeleton shape="rows" />}>
            <JudgeAgain id={view.run_id} about={about} close={() => setAsking(false)} />
          </Suspense>
        </Dialog>
      )}
    </div>
  );
}

type Doing = (look: string) => ReactNode;
const may = (about: About, ...roles: About["role"][]) => roles.includes(about.role);

/** Half a debate is not judged: it would be taken for the whole. */
function doable(
  view: View,
  about: About | undefined,
  { panel, judging, ask }: { panel: string; judging: boolean; ask: () => void },
): { first: Doing[]; more: Doing[] } {
  if (readOnly(view.run_id) || !about) return { first: [], more: [] };
  const judgeable = view.turns > 0 && view.ending.kind !== "failed";
  const id = view.run_id;
  const judge: Doing = (look) => (
    <a key="judge" href={`/debates/${encodeURIComponent(id)}/judge`} className={look}>
      <Scale {...ICON} />
      {words.debate.judge}
    </a>
  );
  const again: Doing = (look) => (
    <button key="again" type="button" className={look} disabled={judging} onClick={ask}>
      <Gavel {...ICON} />
      {panel}
    </button>
  );
  const people = view.judgement ? view.seats.filter((seat) => seat.person) : [];
  return {
    first: [
      ...(judgeable && may(about, "owner", "judge") ? [judge] : []),
      ...(judgeable && may(about, "owner") ? [again] : []),
    ],
    more: people.map((seat) => (look) => (
      <Link key={seat.id} to="/debates/$id/seat/$seat" params={{ id, seat: seat.id }} className={look}>
        <GraduationCap {...ICON} />
        {words.debate.feedback(seat.name)}
      </Link>
    )),
  };
}

function Exports({ id, formats }: { id: string; formats: readonly string[] }) {
  return (
    <ul aria-label={words.debate.exportAs}>
      {inOrder(formats).map((format) => (
        <li key={format}>
          <a href={`${at(id, "export")}?format=${encodeURIComponent(format)}`} download className={menuLook}>
            {words.formats[format as keyof typeof words.formats] ?? format}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** As they are named here: what most people want first. */
function inOrder(formats: readonly string[]): readonly string[] {
  const known = Object.keys(words.formats);
  const place = (format: string) => (known.includes(format) ? known.indexOf(format) : known.length);
  return formats.toSorted((one, other) => place(one) - place(other));
}
