/** Addresses inside the app: read into parts, and made of a path with names, a search and a hash. */

export type Search = Record<string, unknown>;

export interface Place {
  /** As it stands in the address, without a slash at the end. */
  pathname: string;
  search: Search;
  /** Without its sign, and decoded. */
  hash: string;
}

export interface Target {
  /** `/debates/$id`, or `.` for where the reader is. */
  to?: string;
  params?: Record<string, string>;
  search?: Search;
  hash?: string;
}

/** Some addresses are one thing outside and another one inside. */
export interface Rewrite {
  input: (place: { url: URL }) => URL;
  output: (place: { url: URL }) => URL;
}

const url = (address: string) => new URL(`http://app${address}`);

/** As it is written: a URL would take the name `..` for a step back. */
function split(address: string): Pick<URL, "pathname" | "search" | "hash"> {
  const [, pathname = "", search = "", hash = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  return { pathname, search, hash };
}

export function placeOf(address: string, rewrite?: Rewrite): Place {
  const { pathname, search, hash } = rewrite ? rewrite.input({ url: url(address) }) : split(address);
  return { pathname: pathname.replace(/(.)\/+$/, "$1"), search: parsed(search), hash: decoded(hash.slice(1)) };
}

export function addressOf({ to = ".", params, search, hash }: Target, here: Place, rewrite?: Rewrite): string {
  const path = params ? to.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "")) : to;
  const made = `${path === "." ? here.pathname : path}${written(search)}${hash ? `#${encodeURI(hash)}` : ""}`;
  if (!rewrite) return made;
  const { pathname, search: query, hash: mark } = rewrite.output({ url: url(made) });
  return pathname + query + mark;
}

/** What cannot be decoded stands for itself: anybody can write an address. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `?run=a&run=b`, as the server writes it too. */
function parsed(text: string): Search {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = search[name];
    search[name] = before === undefined ? value : [before, value].flat();
  }
  return search;
}

function written(search: Search = {}): string {
  const made = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const one of [value].flat()) if (one !== undefined && one !== "") made.append(name, String(one));
  const text = made.toString();
  return text && `?${text}`;
}
