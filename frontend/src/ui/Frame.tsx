/** What stands around every page: the way home, colours, keyboard help, and room to read. */
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { CircleHelp, Moon, Plus, Sun, SunMoon } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { useAbout } from "../api";
import { words } from "../words/reading";
import { buttonLook, IconButton } from "./Button";
import { Dialog } from "./Dialog";
import { useKeys } from "./keys";
import { Skeleton } from "./Skeleton";
import { Table } from "./Table";
import { type Theme, useTheme } from "./theme";

const PICTURES: Record<Theme, typeof Sun> = { auto: SunMoon, light: Sun, dark: Moon };

export function Frame() {
  const [theme, nextTheme] = useTheme();
  const [help, setHelp] = useState(false);
  const main = useFocusOnNewPage();
  useKeys({ "?": () => setHelp(true) });
  const Picture = PICTURES[theme];
  const role = useAbout().data?.role;
  return (
    <div className="mx-auto flex min-h-dvh max-w-[78rem] flex-col px-4 sm:px-6">
      <button
        type="button"
        className="sr-only focus:not-sr-only focus:absolute focus:bg-raised focus:p-3"
        onClick={() => main.current?.focus()}
      >
        {words.toContent}
      </button>
      <header className="no-print flex h-[52px] shrink-0 items-center gap-1 sm:gap-2">
        <nav aria-label={words.nav.label} className="mr-auto flex items-center gap-4">
          {SHARED ? (
            <span className="text-lg font-bold tracking-tight">{words.product}</span>
          ) : (
            <Link to="/" className="flex min-h-10 items-center gap-4" activeOptions={{ exact: true }}>
              <span className="text-lg font-bold tracking-tight">{words.product}</span>
              <span className="text-sm text-muted hover:text-ink max-sm:sr-only">{words.nav.debates}</span>
            </Link>
          )}
          {!SHARED && (role === "owner" || role === "viewer") && (
            <Link
              to="/stats"
              search={{ by: "", since: "" }}
              className="flex min-h-10 items-center text-sm text-muted hover:text-ink max-[26rem]:sr-only"
            >
              {words.nav.stats}
            </Link>
          )}
        </nav>
        <IconButton label={words.theme.next(words.theme[theme])} onClick={nextTheme}>
          <Picture size={18} aria-hidden="true" />
        </IconButton>
        <IconButton label={words.help.open} onClick={() => setHelp(true)}>
          <CircleHelp size={18} aria-hidden="true" />
        </IconButton>
        {!SHARED && role === "owner" && (
          <Link to="/new" className={buttonLook()}>
            <Plus size={16} aria-hidden="true" />
            <span className="max-[20rem]:sr-only">{words.nav.start}</span>
          </Link>
        )}
      </header>
      <main ref={main} id="main" tabIndex={-1} className="flex-1 pt-4 pb-24 outline-none">
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <Dialog title={words.help.title} open={help} close={() => setHelp(false)}>
        <Table
          caption={words.help.caption}
          quiet
          rows={words.help.keys}
          name={([key]) => key}
          columns={[
            { key: "key", head: words.help.key, cell: ([key]) => <kbd className="font-mono">{key}</kbd> },
            { key: "does", head: words.help.does, cell: ([, does]) => does },
          ]}
        />
      </Dialog>
    </div>
  );
}

/** Whoever listens to the page hears the new one; whoever sees it is not moved. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const known = useRef(path);
  useEffect(() => {
    if (known.current !== path) main.current?.focus({ preventScroll: true });
    known.current = path;
  }, [path]);
  return main;
}
