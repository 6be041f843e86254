/** Links between the views of one thing; the one that is open is marked by weight and line. */
import { Link, useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";

interface Tab {
  to: string;
  label: ReactNode;
  /** Whether pages under it belong to it. */
  deep?: boolean;
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another view is open
  useEffect(() => {
    const open = row.current?.querySelector<HTMLElement>("a.active");
    if (row.current && open) row.current.scrollLeft = open.offsetLeft - row.current.offsetWidth / 2;
  }, [pathname]);
  return (
    <nav
      ref={row}
      aria-label={label}
      className="no-print -mx-4 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0"
    >
      <ul className="flex gap-5 text-sm">
        {tabs.map((tab) => (
          <li key={tab.to}>
            <Link
              to={tab.to}
              activeOptions={{ exact: !tab.deep, includeHash: false, includeSearch: false }}
              className="-mb-px flex min-h-11 items-center border-b-2 border-transparent whitespace-nowrap text-muted hover:text-ink [&.active]:border-accent [&.active]:font-semibold [&.active]:text-ink"
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
