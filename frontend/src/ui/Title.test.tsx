import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Title } from "./Title";

afterEach(cleanup);

test("a page names the tab while it is open", () => {
  const { unmount } = render(<Title>A debate</Title>);
  expect(document.title).toBe("A debate");
  unmount();
  expect(document.title).toBe("hustings");
});

const SOURCES = import.meta.glob<string>(["../**/*.tsx", "!../**/*.test.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
});

test("a title that is not part of a drawing is one of the tab", () => {
  const wrong = Object.entries(SOURCES).filter(([, text]) => text.includes("<title>") && !text.includes("<svg"));
  expect(wrong.map(([path]) => path)).toEqual([]);
});
