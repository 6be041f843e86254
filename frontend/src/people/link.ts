/** A link to a seat: its token stands behind the `#`, which no server sees, and is exchanged for a session at once. */
import { post } from "../api";

const LINK = "#link=";

/** The token of a link, if the address is one. */
export const tokenOf = (hash: string): string => (hash.startsWith(LINK) ? hash.slice(LINK.length) : "");

let refused = false;
/** Whether this page was opened by a link that the server no longer takes. */
export const linkRefused = () => refused;

/** Sign in by the link that was opened, and take the token out of the address. */
export async function signInByLink(): Promise<void> {
  const token = tokenOf(location.hash);
  if (!token) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  // A link that has expired leaves the page to say so, and that it needs a token.
  await post("/api/session", { token }).catch(() => {
    refused = true;
  });
}
