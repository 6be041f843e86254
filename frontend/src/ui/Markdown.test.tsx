import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { dangers, HOSTILE } from "./hostile";
import { hostOf, Markdown } from "./Markdown";

afterEach(cleanup);

test.each(HOSTILE)("nothing in %j can act or call out", (text) => {
  const { container } = render(<Markdown>{text}</Markdown>);
  expect(dangers(container)).toEqual([]);
});

test("there are enough hostile strings", () => {
  expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(50);
});

test("words are shown as Markdown", () => {
  render(<Markdown>{"Cost *rises*.\n\n| a | b |\n|-|-|\n| 1 | 2 |"}</Markdown>);
  expect(screen.getByText("rises").tagName).toBe("EM");
  expect(screen.getAllByRole("cell")).toHaveLength(2);
});

test.each(["a <b>bold</b> tag", "<div>all of it</div>", "<!-- hidden -->", "<script>alert(1)</script>", "<?php ?>"])(
  "%j is shown as it was written",
  (text) => {
    expect(render(<Markdown>{text}</Markdown>).container.textContent).toBe(text);
  },
);

test("a link says where it leads, and gives nothing away to that place", () => {
  render(<Markdown>{"[a study](https://example.org/paper)"}</Markdown>);
  const link = screen.getByRole("link");
  expect(link.textContent).toBe("a study (example.org)");
  expect(link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
});

test.each(["javascript:alert(1)", "data:text/html,x", "file:///x", "/api/debates", "nonsense"])(
  "%s leads nowhere",
  (href) => {
    expect(hostOf(href)).toBe("");
  },
);
