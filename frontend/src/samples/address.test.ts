import { expect, test } from "vitest";
import { SAMPLES_OUTSIDE, sampleId, sampleNamed } from "./address";

const at = (path: string) => new URL(path, "http://127.0.0.1");

test.each([
  ["/samples/monolith", "/debates/~monolith"],
  ["/samples/monolith/map", "/debates/~monolith/map"],
  ["/samples/monolith/replay?play=yes#r1.t0", "/debates/~monolith/replay?play=yes#r1.t0"],
])("%s is a page of a debate inside, and the same address outside", (outside, inside) => {
  const led = SAMPLES_OUTSIDE.input({ url: at(outside) });
  expect(led.href).toBe(at(inside).href);
  expect(SAMPLES_OUTSIDE.output({ url: led }).href).toBe(at(outside).href);
});

test.each(["/", "/samples", "/debates/monolith", "/debates/a~b/map"])("%s stays where it is", (path) => {
  expect(SAMPLES_OUTSIDE.input({ url: at(path) }).href).toBe(at(path).href);
  expect(SAMPLES_OUTSIDE.output({ url: at(path) }).href).toBe(at(path).href);
});

test("a sample is known by its id, a debate by its own", () => {
  expect(sampleNamed(sampleId("monolith"))).toBe("monolith");
  expect(sampleNamed("monolith")).toBe("");
});
