/** The little that our charts need: a scale, round ticks, and steps as a path. */
export type Point = readonly [x: number, y: number];

export function scaled([low, high]: Point, [from, to]: Point): (value: number) => number {
  const width = high - low || 1;
  return (value) => from + ((value - low) / width) * (to - from);
}

/** Round figures that hold both ends, about five of them. */
export function ticks(low: number, high: number): number[] {
  const rough = (high - low || 1) / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((by) => by * unit).find((size) => size >= rough) ?? unit;
  const first = Math.floor(low / step);
  const count = Math.ceil(high / step) - first;
  return Array.from({ length: Math.max(1, count) + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

/** A value holds until the next one. */
export const path = (points: readonly Point[]) =>
  points.map(([x, y], n) => (n ? `H${round(x)}V${round(y)}` : `M${round(x)} ${round(y)}`)).join("");

const round = (value: number) => Math.round(value * 10) / 10;
