/** A shared file carries its debate inside, in a JSON island; a served page has an empty one. */
import type { View } from "./client";

const island = document.getElementById("shared-debate")?.textContent?.trim();

export const SHARED_VIEW: View | null = island ? (JSON.parse(island) as View) : null;
