import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Menu } from "./Menu";

afterEach(cleanup);

test("Esc closes an open menu and gives its button the focus back", () => {
  render(
    <Menu face="More">
      <button type="button">Do it</button>
    </Menu>,
  );
  const menu = screen.getByText("More").closest("details") as HTMLDetailsElement;
  menu.open = true;
  const item = screen.getByText("Do it");
  item.focus();
  fireEvent.keyDown(item, { key: "Escape" });
  expect([menu.open, document.activeElement]).toEqual([false, screen.getByText("More")]);
});
