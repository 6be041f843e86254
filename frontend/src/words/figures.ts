/** Figures and names as pages write them. */
import { language } from "./language";

export const count = (many: number, one: string, more = `${one}s`) =>
  `${many.toLocaleString("en")} ${many === 1 ? one : more}`;

/** Dollars; small sums with the digits that tell them apart. */
export const money = (dollars: number) =>
  dollars.toLocaleString(language(), {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: dollars && dollars < 0.1 ? 4 : 2,
  });
export const number = (value: number, most = 3) => value.toLocaleString(language(), { maximumFractionDigits: most });
export const short = (value: number) =>
  value.toLocaleString(language(), { notation: "compact", maximumFractionDigits: 1 });
/** Rounded as the server rounds, ties to even, so that a figure is the same wherever it stands. */
const asServed = (value: number, digits: number) => {
  const summed = Number(value.toFixed(9));
  const scaled = summed * 10 ** digits;
  const tie = Number.isInteger(summed * 2 ** (digits + 1)) && Math.abs(scaled * 2) % 2 === 1;
  return tie ? (2 * Math.round(scaled / 2)) / 10 ** digits : Number(summed.toFixed(digits));
};
/** Always with as many digits after the point, so that a column is aligned; a dash where there is no figure. */
export const fixed = (value: number | null | undefined, digits: number) =>
  value === null || value === undefined
    ? "–"
    : asServed(value, digits).toLocaleString(language(), {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        useGrouping: false,
      });
/** With a minus that is as wide as a figure. */
export const signed = (points: number) => `${points < 0 ? "−" : ""}${number(Math.abs(points))}`;
export const percent = (share: number) =>
  (Math.round(share * 100) / 100).toLocaleString(language(), { style: "percent" });
export const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;
const dated = (at: string, style: Intl.DateTimeFormatOptions) => {
  const moment = new Date(at);
  const place = language() === "en" ? "en-GB" : language();
  return Number.isNaN(moment.getTime()) ? at : moment.toLocaleString(place, { dateStyle: "medium", ...style });
};
/** `18 Nov 2026, 05:25` */
export const when = (at: string) => dated(at, { timeStyle: "short" });
export const day = (at: string) => dated(at, {});
/** `closing_words` → `Closing words`. */
export const spaced = (name: string) => name.replace(/(?<=[a-z0-9])_(?=[a-z0-9])/gi, " ");
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** What tells runs of one motion apart: their names differ at the end. */
export const tail = (run: string) => `…${run.slice(-6)}`;
export const unversioned = (protocol: string) => protocol.split("/")[0] ?? protocol;
