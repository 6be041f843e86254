/** What a page says of itself: that it loads, that there is nothing, that something is wrong, or what to bear in mind. */
import { lazy, type ReactNode, Suspense, useId } from "react";
import { asProblem, useAbout } from "../api";
import { words } from "../words/reading";
import { Button, buttonLook } from "./Button";
import { Skeleton } from "./Skeleton";

/** The shape of a page to come; a page that waits for something says what for. */
export function Loading({ children }: { children?: ReactNode }) {
  if (!children) return <Skeleton />;
  return (
    <p role="status" className="py-10 text-muted motion-safe:animate-pulse">
      {children}
    </p>
  );
}

/** Told to those who listen, not shown. */
export function Announced({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="sr-only">
      {children}
    </p>
  );
}

export function Empty({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="mx-auto max-w-prose py-16 text-center">
      <div className="text-lg font-semibold">{title}</div>
      <div className="mt-2 text-muted">{children}</div>
    </div>
  );
}

/** Whatever was thrown: what is wrong, why, and the cure. */
export function Problem({ error, again }: { error: unknown; again?: () => void }) {
  const { title, why, fix, status, run_id: run } = asProblem(error);
  const written = status ? "en" : undefined;
  return (
    <div role="alert" className="my-6 max-w-prose rounded-lg border border-wrong bg-raised p-5">
      <p className="font-semibold" lang={written}>
        {title}
      </p>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {[
          [words.why, why],
          [words.fix, fix],
          [words.run, run],
        ].map(
          ([name, told]) =>
            told && (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="whitespace-pre-wrap" lang={written}>
                  {told}
                </dd>
              </div>
            ),
        )}
      </dl>
      {status === 404 && !SHARED && (
        <a href="/" className={`${buttonLook("main")} mt-4`}>
          {words.allDebates}
        </a>
      )}
      {status === 401 && (
        <a href={`/enter?back=${encodeURIComponent(location.pathname)}`} className={`${buttonLook("main")} mt-4`}>
          {words.enter}
        </a>
      )}
      {again && curable(status) && (
        <Button className="mt-4" onClick={again}>
          {words.again}
        </Button>
      )}
    </div>
  );
}

const Enter = SHARED ? null : lazy(() => import("../people/Enter"));

/** Instead of a whole page; who has to sign in first gets the form at once. */
export function NoPage(wrong: { error: unknown; again?: () => void }) {
  if (Enter && asProblem(wrong.error).status === 401)
    return (
      <Suspense fallback={<Skeleton />}>
        <Enter back={location.pathname + location.search + location.hash} />
      </Suspense>
    );
  return (
    <>
      <h1 className="sr-only">{words.broken}</h1>
      <Problem {...wrong} />
      {!SHARED && asProblem(wrong.error).status === 403 && <BackToSeat />}
    </>
  );
}

/** For a guest who has a link to one seat and went elsewhere. */
function BackToSeat() {
  const { data: about } = useAbout();
  if (about?.role !== "seat") return null;
  return (
    <a href={`/debates/${encodeURIComponent(about.run_id)}/seat/${about.seat}`} className={buttonLook("main")}>
      {words.backToSeat}
    </a>
  );
}

/** Whether the same call might go better: not where the server has understood it and said no. */
const curable = (status: number) => status < 400 || status >= 500;

/** Stands first wherever it stands: what weakens what follows. */
export function Care({ title, children }: { title: ReactNode; children: ReactNode }) {
  const named = useId();
  return (
    <aside aria-labelledby={named} className="rounded-md border border-care-edge bg-care px-4 py-3">
      <p id={named} className="font-semibold">
        <span aria-hidden="true">⚠ </span>
        {title}
      </p>
      <div className="mt-1 max-w-[75ch] text-sm">{children}</div>
    </aside>
  );
}
