/** Was der Rahmen sagt, wenn eine Debatte auf einen Menschen wartet. */
import type { Translated } from "../language";
import type { needed as english } from "../needed";

export const needed: Translated<typeof english> = {
  mark: "Wartet auf Sie:",
  badge: (many) => `(${many}) `,
  title: "Sie sind an der Reihe",
  ask: "Benachrichtigen, wenn ich an der Reihe bin",
  askWhy:
    "Ihr Browser fragt um Erlaubnis. Es wirkt, solange ein Tab von hustings offen ist. Nichts verlässt Ihr Gerät.",
  granted: "Sie werden benachrichtigt, wenn Sie an der Reihe sind, solange ein Tab von hustings offen ist.",
  denied: "Ihr Browser blockiert Benachrichtigungen dieser Seite. Erlauben Sie sie in seinen Einstellungen.",
  heading: "Benachrichtigungen",
};
