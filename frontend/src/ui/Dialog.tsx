/** A native dialog: the browser keeps the focus inside, and Esc closes it. */
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { words } from "../words/reading";
import { IconButton } from "./Button";

interface Props {
  title: ReactNode;
  open: boolean;
  close: () => void;
  children: ReactNode;
  /** For what is read, not filled in. */
  wide?: boolean;
}

export function Dialog({ title, open, close, children, wide = false }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (open) element.current?.showModal();
    else element.current?.close();
  }, [open]);
  return (
    <dialog
      ref={element}
      onClose={close}
      aria-labelledby={id}
      className={`max-h-[85dvh] ${wide ? "w-[min(56rem,calc(100vw-1rem))]" : "w-[min(34rem,calc(100vw-2rem))]"} overflow-auto rounded-lg border border-line bg-raised p-5 text-ink backdrop:bg-black/50`}
    >
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        <IconButton label={words.close} onClick={close}>
          <X size={18} aria-hidden="true" />
        </IconButton>
      </div>
      {open && children}
    </dialog>
  );
}
