/** A command to type in a terminal. A press copies it, where the browser allows that; else it can be marked by hand. */
import { useState } from "react";
import { starting } from "../words/starting";
import { Button } from "./Button";
import { Announced } from "./Said";

const w = starting.first;

export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className="mt-auto flex items-center justify-between gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
      <code className="min-w-0 py-1.5 text-sm wrap-anywhere">{text}</code>
      {"clipboard" in navigator && (
        <Button look="quiet" aria-label={w.copyOf(text)} onClick={() => void copy()}>
          {copied ? w.copied : w.copy}
        </Button>
      )}
      <Announced>{copied ? w.copied : ""}</Announced>
    </div>
  );
}
