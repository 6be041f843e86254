/** Something to press. One of them on a page may be `main`. */
import type { ButtonHTMLAttributes, MouseEvent } from "react";

export type Look = "main" | "plain" | "quiet" | "danger";

const LOOKS: Record<Look, string> = {
  main: "bg-accent text-on-accent border-accent hover:opacity-90",
  plain: "bg-raised text-ink border-edge hover:bg-sunken",
  quiet: "bg-transparent text-ink border-transparent hover:bg-sunken",
  danger: "bg-raised text-wrong border-wrong hover:bg-sunken",
};

/** For a link that should look like a button. */
export const buttonLook = (look: Look = "plain") =>
  `inline-flex min-h-[34px] pointer-coarse:min-h-11 items-center justify-center gap-2 rounded-md border whitespace-nowrap px-3 py-1 text-sm font-medium no-underline ${LOOKS[look]} disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55 aria-disabled:cursor-not-allowed`;

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  /** It was pressed and is still at work: another press does nothing, and the keyboard stays on it. */
  busy?: boolean;
}

export function Button({ look = "plain", busy = false, className = "", type = "button", ...rest }: Props) {
  const held = busy ? { "aria-disabled": true, onClick: (event: MouseEvent) => event.preventDefault() } : {};
  return <button type={type} className={`${buttonLook(look)} ${className}`} {...rest} {...held} />;
}

/** A button that shows only a picture, with its word for those who do not see it. */
export function IconButton({ label, className = "", ...rest }: Props & { label: string }) {
  return (
    <Button
      look="quiet"
      aria-label={label}
      title={label}
      className={`min-w-[34px] px-2 pointer-coarse:min-w-11 ${className}`}
      {...rest}
    />
  );
}
