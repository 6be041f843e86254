/** Light, dark, or as the system says; the choice is kept in this browser. */
import { useState } from "react";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
const KEPT = "hustings.theme";

export function kept(): Theme {
  try {
    const found = localStorage.getItem(KEPT);
    return THEMES.find((theme) => theme === found) ?? "auto";
  } catch {
    return "auto"; // A page from disk may have no storage.
  }
}

export function wear(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEPT, theme);
  } catch {
    // Then it lasts as long as the page.
  }
}

export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(kept);
  const next = () => {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
    wear(chosen);
    setTheme(chosen);
  };
  return [theme, next];
}
