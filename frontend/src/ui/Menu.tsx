/** A button that opens a short list of things to do; leaving it or Esc closes it. */
import type { FocusEvent, KeyboardEvent, ReactNode } from "react";
import { buttonLook, type Look } from "./Button";

interface Props {
  /** What the button shows. */
  face: ReactNode;
  /** Its name, where the face is only a sign. */
  label?: string;
  look?: Look;
  children: ReactNode;
}

export function Menu({ face, label, look = "plain", children }: Props) {
  return (
    <details className="relative" onBlur={closeWhenLeft} onKeyDown={closeOnEscape}>
      <summary
        aria-label={label}
        title={label}
        className={`${buttonLook(look)} list-none [&::-webkit-details-marker]:hidden`}
      >
        {face}
      </summary>
      <div className="absolute right-0 z-20 mt-1 w-max max-w-[calc(100vw-2rem)] min-w-44 rounded-md border border-line bg-raised py-1 text-sm shadow-lg">
        {children}
      </div>
    </details>
  );
}

/** For a link or button in a menu. */
export const menuLook =
  "flex min-h-10 w-full items-center gap-2 px-4 py-2 text-left hover:bg-sunken disabled:opacity-55 pointer-coarse:min-h-11";

function closeWhenLeft(event: FocusEvent<HTMLDetailsElement>) {
  if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
}

function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>) {
  const menu = event.currentTarget;
  if (event.key !== "Escape" || !menu.open) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
}
