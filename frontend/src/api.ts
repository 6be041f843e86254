/** Every call to the server goes through here. What goes wrong comes back as a `Problem`: what, why, and the cure. */
import { keepPreviousData, QueryClient, useQuery } from "@tanstack/react-query";
import type * as T from "./client";
import { sampleNamed } from "./samples/address";
import { SHARED_VIEW } from "./share";
import { words } from "./words/reading";

export type * from "./client";

export class Trouble extends Error {
  readonly problem: T.Problem;
  constructor(problem: T.Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

export async function call<R>(method: string, path: string, body?: unknown, more: RequestInit = {}): Promise<R> {
  const headers = new Headers(more.headers);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const sent = { ...more, method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  let answer: Response;
  try {
    answer = await fetch(path, sent);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Trouble({ ...words.unreachable, type: "about:blank", status: 0, run_id: "", fields: [] });
  }
  if (!answer.ok) throw new Trouble(await problemOf(answer));
  return (answer.status === 204 ? undefined : await answer.json().catch(() => undefined)) as R;
}

async function problemOf(answer: Response): Promise<T.Problem> {
  const plain = { type: "about:blank", title: words.refused(answer.status), status: answer.status, why: "", fix: "" };
  const told: unknown = await answer.json().catch(() => null);
  return { ...plain, run_id: "", fields: [], ...(told && typeof told === "object" ? told : {}) };
}

export const get = <R>(path: string, signal?: AbortSignal) => call<R>("GET", path, undefined, signal ? { signal } : {});
export const post = <R>(path: string, body: unknown = {}, headers?: Record<string, string>) =>
  call<R>("POST", path, body, headers ? { headers } : {});

/** The text of a file, as the server reads it. */
export const readFile = (file: Blob, name: string) =>
  call<T.FileRead>("POST", `/api/documents/read?${new URLSearchParams({ name })}`, undefined, {
    body: file,
    headers: { "Content-Type": "application/octet-stream" },
  });

/** The address of a debate, or of something under it: `at(id, "view")`. */
export const at = (id: string, ...rest: string[]) =>
  ["/api/debates", ...[id, ...rest].map(encodeURIComponent)].join("/");

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (times, error) =>
        times < 2 && error instanceof Trouble && [0, 502, 503, 504].includes(error.problem.status),
      refetchOnWindowFocus: false,
      staleTime: 5_000,
    },
  },
});

export const useAbout = () =>
  useQuery({
    queryKey: ["about"],
    queryFn: ({ signal }) => get<T.About>("/api/about", signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !SHARED_VIEW,
  });

/** What the caller may do; until the server has told, nothing but read. */
export const useRole = (): T.About["role"] => useAbout().data?.role ?? "viewer";

const stateOf = (id: string) => ({
  queryKey: ["state", id],
  queryFn: ({ signal }: Asked) => get<T.State>(at(id), signal),
});

export const useDebateState = (id: string) => useQuery({ ...stateOf(id), enabled: !SHARED_VIEW && !sampleNamed(id) });

interface Asked {
  signal: AbortSignal;
}

/** A sample comes with the program: it has a view like a debate, and no run behind it. */
const sample = async (name: string, id: string, signal: AbortSignal): Promise<T.View> => {
  const { view } = await get<T.RecordedDebate>(`/api/recordings/${encodeURIComponent(name)}`, signal);
  return { ...view, run_id: id };
};

const viewOf = (id: string) => ({
  queryKey: ["view", id],
  queryFn: ({ signal }: Asked) =>
    sampleNamed(id) ? sample(sampleNamed(id), id, signal) : get<T.View>(at(id, "view"), signal),
});

/** The whole debate. It changes only when it is judged (again), which `useDebateState` tells. */
export const useView = (id: string, ready: boolean) =>
  useQuery({
    ...viewOf(id),
    enabled: (ready || sampleNamed(id) !== "") && !SHARED_VIEW,
    ...(SHARED_VIEW ? { initialData: SHARED_VIEW } : {}),
  });

/** What a page shows first of a long debate: its verdict, or its first turns. */
export type Part = Exclude<NonNullable<T.View["part"]>, "">;

/** The part that a page of a debate can begin with; none where a link leads to some place in it. */
export function partFor(id: string, { pathname, hash }: { pathname: string; hash: string }): Part | null {
  const page = pathname.replace(/\/$/, "").split(`/debates/${encodeURIComponent(id)}`, 2)[1];
  return page === "" ? "verdict" : page === "/transcript" && !hash ? "opening" : null;
}

const partOf = (id: string, part: Part | null) => ({
  queryKey: ["view", id, part],
  queryFn: ({ signal }: Asked) => get<T.View>(`${at(id, "view")}?part=${part}`, signal),
});

/** A part of a debate alone: there at once, however long the debate is; not asked for once all of it is there. */
export const usePart = (id: string, part: Part | null) =>
  useQuery({
    ...partOf(id, part),
    enabled: part !== null && !SHARED_VIEW && !sampleNamed(id) && !client.getQueryData(viewOf(id).queryKey),
  });

/** Sends for a debate while the program of its page is still on its way. */
export async function sendFor(id: string, part: Part | null): Promise<void> {
  if (SHARED_VIEW || sampleNamed(id)) return;
  try {
    const state = await client.ensureQueryData(stateOf(id));
    if (state.viewable) await client.ensureQueryData(part && state.large ? partOf(id, part) : viewOf(id));
  } catch {
    // The page asks again, and tells what is wrong.
  }
}

/** The documents of a debate that may be read here, and the quotes in what was said; `turns` of it are over. */
export const useDocuments = (id: string, turns = 0, enabled = true) =>
  useQuery({
    queryKey: ["documents", id, turns],
    queryFn: ({ signal }) => get<T.DocumentList>(at(id, "documents"), signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: enabled && !SHARED_VIEW && !sampleNamed(id),
  });

export const useDocument = (id: string, document: string) =>
  useQuery({
    queryKey: ["document", id, document],
    queryFn: ({ signal }) => get<T.DocumentReading>(at(id, "documents", document), signal),
    enabled: Boolean(document) && !SHARED_VIEW && !sampleNamed(id),
  });

/** What went wrong, in the shape that `<Problem>` shows. */
export function asProblem(error: unknown): T.Problem {
  if (error instanceof Trouble) return error.problem;
  return {
    type: "about:blank",
    title: words.broken,
    status: 0,
    why: String(error),
    fix: words.reload,
    run_id: "",
    fields: [],
  };
}
