import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useKeys } from "./keys";

afterEach(cleanup);

function Page({ does }: { does: () => void }) {
  useKeys({ j: does, " ": does, "g t": does });
  return (
    <>
      <input aria-label="field" />
      <button type="button">press</button>
    </>
  );
}

function page() {
  const does = vi.fn();
  render(<Page does={does} />);
  return does;
}

test("a key does what it is for", () => {
  const does = page();
  fireEvent.keyDown(document.body, { key: "j" });
  expect(does).toHaveBeenCalledTimes(1);
});

test("two keys one after the other are one command", () => {
  const does = page();
  fireEvent.keyDown(document.body, { key: "t" });
  expect(does).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: "g" });
  fireEvent.keyDown(document.body, { key: "t" });
  expect(does).toHaveBeenCalledTimes(1);
});

test("typing gives no command", () => {
  const does = page();
  fireEvent.keyDown(screen.getByLabelText("field"), { key: "j" });
  expect(does).not.toHaveBeenCalled();
});

test("space presses the button that has the focus, and nothing else", () => {
  const does = page();
  fireEvent.keyDown(screen.getByRole("button"), { key: " " });
  expect(does).not.toHaveBeenCalled();
});

test("keys of the browser stay with the browser", () => {
  const does = page();
  fireEvent.keyDown(document.body, { key: "j", ctrlKey: true });
  expect(does).not.toHaveBeenCalled();
});
