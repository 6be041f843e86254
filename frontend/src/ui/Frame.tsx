/** What stands around every page: the way home, colours, keyboard help, and room to read. */

import { CircleHelp, Languages, Moon, Plus, Search, Settings, Sun, SunMoon } from "lucide-react";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { useAbout } from "../api";
import { Link, Outlet, useNavigate, useRouterState } from "../router";
import { choose, LANGUAGES, type Language, language } from "../words/language";
import { words } from "../words/reading";
import { palette } from "../words/runs";
import { buttonLook, IconButton } from "./Button";
import { Dialog } from "./Dialog";
import { useKeys } from "./keys";
import { Menu, menuLook } from "./Menu";
import { Palette } from "./Palette";
import { Skeleton } from "./Skeleton";
import { Table } from "./Table";
import { type Theme, useTheme } from "./theme";

const PICTURES: Record<Theme, typeof Sun> = { auto: SunMoon, light: Sun, dark: Moon };

const NeedsYou = SHARED ? null : lazy(() => import("../own/NeedsYou"));

export function Frame() {
  const [theme, nextTheme] = useTheme();
  const [help, setHelp] = useState(false);
  const [finding, setFinding] = useState(false);
  const main = useFocusOnNewPage();
  useKeys({ "?": () => setHelp(true), "g v": useVerdictPage() });
  usePaletteKey(() => setFinding(true));
  const Picture = PICTURES[theme];
  const about = useAbout();
  const role = about.data?.role;
  return (
    <div className={`mx-auto flex min-h-dvh flex-col px-4 sm:px-6 ${useBroad() ? "max-w-[88rem]" : "max-w-[78rem]"}`}>
      <button
        type="button"
        className="sr-only focus:not-sr-only focus:absolute focus:bg-raised focus:p-3"
        onClick={() => main.current?.focus()}
      >
        {words.toContent}
      </button>
      <header className="no-print group/frame flex h-[52px] shrink-0 items-center gap-1 sm:gap-2">
        <nav aria-label={words.nav.label} className="mr-auto flex items-center gap-4">
          {SHARED ? (
            <span className="text-lg font-bold tracking-tight">{words.product}</span>
          ) : (
            <Link to="/" className="flex min-h-10 items-center gap-4">
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
        {NeedsYou && role === "owner" && (
          <Suspense>
            <NeedsYou />
          </Suspense>
        )}
        {!SHARED && !about.error && (
          <button
            type="button"
            aria-keyshortcuts="Control+K"
            className="flex min-h-10 items-center gap-2 rounded-md border border-edge bg-raised px-3 text-sm whitespace-nowrap text-muted hover:text-ink max-lg:border-transparent max-lg:bg-transparent max-lg:px-2 lg:min-w-64"
            onClick={() => setFinding(true)}
          >
            <Search size={18} aria-hidden="true" />
            <span className="max-lg:sr-only">{palette.open}</span>
            <span
              aria-hidden="true"
              className="ml-auto rounded border border-line bg-sunken px-1.5 font-mono text-xs max-lg:hidden"
            >
              {palette.key}
            </span>
          </button>
        )}
        <IconButton
          label={words.theme.next(words.theme[theme])}
          className="max-[22rem]:hidden max-[28rem]:group-has-[[data-needed]]/frame:hidden"
          onClick={nextTheme}
        >
          <Picture size={18} aria-hidden="true" />
        </IconButton>
        <span className="max-[22rem]:group-has-[[data-needed]]/frame:hidden">
          <LanguageMenu />
        </span>
        {/* On a phone there is no keyboard to help with; the palette has it too. */}
        <IconButton label={words.help.open} className="max-[30rem]:hidden" onClick={() => setHelp(true)}>
          <CircleHelp size={18} aria-hidden="true" />
        </IconButton>
        {!SHARED && (role === "owner" || role === "viewer") && <More operator={about.data?.owner === "local"} />}
        {!SHARED && role === "owner" && (
          <Link to="/new" className={buttonLook()}>
            <Plus size={16} aria-hidden="true" />
            <span className="max-[26rem]:sr-only max-[30rem]:group-has-[[data-needed]]/frame:sr-only">
              {words.nav.start}
            </span>
          </Link>
        )}
      </header>
      <main ref={main} id="main" tabIndex={-1} className="flex-1 pt-4 pb-24 outline-none">
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
      {!SHARED && (
        <Palette
          open={finding}
          close={() => setFinding(false)}
          changeColours={nextTheme}
          showHelp={() => setHelp(true)}
        />
      )}
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

/** Whether the page is drawn, not read: a map has use for a wide window. */
const useBroad = () => useRouterState({ select: (state) => state.location.pathname.endsWith("/map") });

/** Each language by its own name; a change loads the page again. */
function LanguageMenu() {
  return (
    <Menu face={<Languages size={18} aria-hidden="true" />} label={words.language.menu} look="quiet">
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-current={code === language()}
          className={`${menuLook} aria-[current=true]:font-semibold`}
          onClick={() => choose(code as Language)}
        >
          {name}
        </button>
      ))}
    </Menu>
  );
}

/** Pages about what one has spent and how this machine is set up; the latter only for its operator. */
function More({ operator }: { operator: boolean }) {
  const leave = () => document.activeElement instanceof HTMLElement && document.activeElement.blur();
  return (
    <Menu look="quiet" label={words.nav.more} face={<Settings size={18} aria-hidden="true" />}>
      <Link to="/costs" search={{ since: "" }} className={menuLook} onClick={leave}>
        {words.nav.costs}
      </Link>
      {operator && (
        <>
          <Link to="/settings" className={menuLook} onClick={leave}>
            {words.nav.settings}
          </Link>
          <Link to="/doctor" className={menuLook} onClick={leave}>
            {words.nav.doctor}
          </Link>
        </>
      )}
    </Menu>
  );
}

/** The first page of the debate that is open. */
function useVerdictPage() {
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const debate = /^\/debates\/[^/]+/.exec(path)?.[0];
  return () => debate && void navigate({ to: debate });
}

/** Ctrl K or Cmd K, even while a person types. */
function usePaletteKey(open: () => void) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (SHARED || event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    if (!document.querySelector("dialog[open]")) open();
  });
  useEffect(() => {
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

const HEADING_MS = 3_000;

/** On a new page the focus goes to its heading, as soon as that is there, unless the page has put it somewhere itself. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const known = useRef(path);
  useEffect(() => {
    if (known.current === path) return;
    known.current = path;
    const frame = main.current;
    if (!frame) return;
    frame.focus({ preventScroll: true });
    const look = () => {
      const heading = frame.querySelector<HTMLElement>("h1");
      if (!heading || (document.activeElement !== frame && document.activeElement !== document.body)) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    look();
    // The heading of the page before may still stand there, and takes the focus with it when it goes.
    const watch = new MutationObserver(look);
    watch.observe(frame, { childList: true, subtree: true });
    const enough = setTimeout(() => watch.disconnect(), HEADING_MS);
    return () => {
      watch.disconnect();
      clearTimeout(enough);
    };
  }, [path]);
  return main;
}
