/** Links between the views of one thing; the one that is open is marked by weight and line. */

import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "../router";

interface Tab {
  to: string;
  label: ReactNode;
  /** Whether pages under it belong to it. */
  deep?: boolean;
}

interface Props {
  label: string;
  tabs: readonly Tab[];
  /** At the end of the line, where there is room. */
  aside?: ReactNode;
}

export function Tabs({ label, tabs, aside }: Props) {
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another view is open
  useEffect(() => {
    const open = row.current?.querySelector<HTMLElement>("a.active");
    if (row.current && open) row.current.scrollLeft = open.offsetLeft - row.current.offsetWidth / 2;
  }, [pathname]);
  return (
    <div className="no-print flex items-center justify-between gap-6 border-b border-line">
      {/* The faded edge says that there is more. */}
      <nav
        ref={row}
        aria-label={label}
        className="-mb-px min-w-0 overflow-x-auto [scrollbar-width:none] max-md:-mr-4 max-md:[mask-image:linear-gradient(to_right,black_calc(100%-2.5rem),transparent)] max-md:pr-8"
      >
        <ul className="flex gap-5 text-sm">
          {tabs.map((tab) => (
            <li key={tab.to}>
              <Link
                to={tab.to}
                activeOptions={{ exact: !tab.deep }}
                className="flex min-h-10 items-center border-b-2 border-transparent whitespace-nowrap text-muted hover:text-ink pointer-coarse:min-h-11 [&.active]:border-accent [&.active]:font-semibold [&.active]:text-ink"
              >
                {tab.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {/* However long it is, it makes way for the tabs. */}
      {aside && <div className="min-w-0 shrink-9999 max-xl:hidden">{aside}</div>}
    </div>
  );
}
