import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazy,
  Outlet,
  RouterProvider,
  useLocation,
} from "./router";
import { router as ours } from "./routes";
import { SAMPLES_OUTSIDE } from "./samples/address";

afterEach(cleanup);

function Links() {
  return (
    <>
      <Link to="/debates/$id" params={{ id: "a b" }}>
        debate
      </Link>
      <Link to="/debates/$id/map" params={{ id: "a b" }} hash="PRO-1/CON-2">
        map
      </Link>
      <Link to="/" search={{ tag: "x", run: ["1", "2"], empty: "" }}>
        list
      </Link>
      <Link to="/fault">fault</Link>
      <Outlet />
    </>
  );
}

function shown(at: string, rewrite = {}) {
  const root = createRootRoute({ component: Links, notFoundComponent: () => <p>no page</p> });
  const debate = createRoute({
    getParentRoute: () => root,
    path: "/debates/$id",
    component: () => (
      <>
        <p>debate {debate.useParams().id}</p>
        <Outlet />
      </>
    ),
  });
  const list = createRoute({
    getParentRoute: () => root,
    path: "/",
    validateSearch: ({ tag }) => ({ tag: String(tag ?? "none") }),
    component: () => <p>tag {list.useSearch().tag}</p>,
  });
  const map = createRoute({
    getParentRoute: () => debate,
    path: "/map",
    component: () => <p>map of {useLocation().hash}</p>,
  });
  const fault = createRoute({
    getParentRoute: () => root,
    path: "/fault",
    component: () => {
      throw new Error("out of order");
    },
  });
  const first = createRoute({ getParentRoute: () => debate, path: "/", component: () => <p>verdict</p> });
  const router = createRouter({
    routeTree: root.addChildren([debate.addChildren([first, map]), list, fault]),
    history: createMemoryHistory({ initialEntries: [at] }),
    defaultErrorComponent: ({ error }) => <p>{String(error)}</p>,
    ...rewrite,
  });
  return render(<RouterProvider router={router} />).container;
}

const href = (name: string) => screen.getByText(name).getAttribute("href");

test("a page has what its address names, and stands inside the page above it", () => {
  expect(shown("/debates/a%20b/map#PRO-1").textContent).toContain("debate a bmap of PRO-1");
});

test("a slash at the end makes no difference", () => {
  expect(shown("/debates/a/").textContent).toContain("verdict");
});

test("an address that cannot be decoded is shown as it is", () => {
  expect(shown("/debates/%ff/map#%ff").textContent).toContain("debate %ffmap of %ff");
});

test("a name that looks like a step back is a name", () => {
  expect(shown("/debates/../map").textContent).toContain("debate ..map");
});

test("an address without a page says so inside the frame", () => {
  expect(shown("/debates/a/nothing").textContent).toContain("no page");
});

test("a link says its address in full, without what is empty", () => {
  shown("/");
  expect([href("debate"), href("map"), href("list")]).toEqual([
    "/debates/a%20b",
    "/debates/a%20b/map#PRO-1/CON-2",
    "/?tag=x&run=1&run=2",
  ]);
});

test("a link opens its page and is marked, and no other", async () => {
  const container = shown("/?tag=y");
  expect(container.textContent).toContain("tag y");
  fireEvent.click(screen.getByText("map"));
  await screen.findByText("map of PRO-1/CON-2");
  expect([...container.querySelectorAll("a.active[aria-current=page]")].map((one) => one.textContent)).toEqual(["map"]);
});

test("a link that is pressed with Ctrl is left to the browser", () => {
  const container = shown("/");
  fireEvent.click(screen.getByText("map"), { ctrlKey: true });
  expect(container.textContent).toContain("tag none");
});

test("a page that fails says so, until another one is opened", async () => {
  shown("/");
  fireEvent.click(screen.getByText("fault"));
  await screen.findByText("Error: out of order");
  fireEvent.click(screen.getByText("list"));
  await screen.findByText("tag x");
});

test("a sample is a debate inside, and its links name it as outside", () => {
  const container = shown("/samples/bread/map", { rewrite: SAMPLES_OUTSIDE });
  expect(container.textContent).toContain("debate ~bread");
});

test("a page that was sent for is there at once", async () => {
  const Page = lazy(async () => ({ default: () => <p>page</p> }));
  await Page.preload();
  expect(render(<Page />).container.textContent).toBe("page");
});

const SOURCES = import.meta.glob<string>(["./**/*.tsx", "!./**/*.test.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
});

test("every address that a page names opens a page", () => {
  const named = Object.values(SOURCES).flatMap((text) => [...text.matchAll(/\bto(?:=|: )"(\/[^"]*)"/g)]);
  const addresses = new Set(named.map(([, path = ""]) => path.replace(/\$\w+/g, "x")));
  expect(addresses.size).toBeGreaterThan(8);
  expect([...addresses].filter((path) => !ours.matches(path))).toEqual([]);
});
