/** Where samples stand: outside `/samples/NAME/…`, inside like a debate whose id no run can have. */

/** No id of a run begins with it. */
const SIGN = "~";
const OUTSIDE = /^\/samples\/([^/]+)(\/.*)?$/;
const INSIDE = /^\/debates\/~([^/]+)(\/.*)?$/;

export const sampleId = (name: string): string => `${SIGN}${name}`;

/** The name of the sample with this id; empty for a debate. */
export const sampleNamed = (id: string): string => (id.startsWith(SIGN) ? id.slice(SIGN.length) : "");

const moved = (url: URL, from: RegExp, to: (name: string) => string): URL => {
  const [, name, rest = ""] = from.exec(url.pathname) ?? [];
  if (name) url.pathname = `${to(name)}${rest}`;
  return url;
};

/** For the router: every page of a debate, and every link on it, is one of a sample too. */
export const SAMPLES_OUTSIDE = {
  input: ({ url }: { url: URL }) => moved(url, OUTSIDE, (name) => `/debates/${SIGN}${name}`),
  output: ({ url }: { url: URL }) => moved(url, INSIDE, (name) => `/samples/${name}`),
};
