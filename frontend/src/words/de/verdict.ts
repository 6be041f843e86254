/** Was die Seite des Urteils und die Karten der Argumente sagen. */
import type { Translated } from "../language";
import type { words as english } from "../verdict";
import { number } from "./figures";

const CHIPS: Record<string, string> = {
  played: "Noch nicht bewertet",
  too_close: "Zu knapp",
  deadlocked: "Keine Einigung",
  no_quorum: "Kein Urteil",
  budget_stopped: "Am Budget angehalten",
  cancelled: "Beendet",
  failed: "Abgebrochen",
};

export const words: Translated<typeof english> = {
  verdict: "Urteil",
  chip: (told, kind) =>
    CHIPS[kind] ??
    told
      .replace(/^Decided in part/, "Teils entschieden")
      .replace(/^Decided/, "Entschieden")
      .replace(/^(Teils e|E)ntschieden for /, "$1ntschieden für "),
  howSure: "Wie sicher",
  wouldChange: "Was es ändern würde",
  sure: {
    High: "Hoch",
    Medium: "Mittel",
    Low: "Gering",
    "Not reliable": "Nicht verlässlich",
    "Not measured": "Nicht gemessen",
  },
  evidence: "Belege",
  strength: (share) => `Stärke ${share}`,
  care: "Grenzen dieses Ergebnisses",
  careMore: (many) => `Alle ${many} anzeigen`,
  axis: [", schwach argumentiert", ", fehlerfrei"],
  judgeIt: "Selbst bewerten",
  readIt: "Mitschrift lesen",
  strongest: "Stärkste These jeder Seite",
  strongestLeft: "stärkste verbliebene These",
  fates: "Was aus jedem Argument wurde",
  asTable: "Als Tabelle",
  heldUp: "Standgehalten",
  refuted: "Widerlegt",
  toCheck: "Vor der Entscheidung prüfen",
  noneHeldUp: "Kein Argument hat standgehalten.",
  noneRefuted: "Kein Argument wurde widerlegt.",
  noneToCheck: "Keine offenen Fragen.",
  showAll: (many) => `Alle ${number(many)} anzeigen`,
  rests: {
    cited: { source: "Dokumente", found: "wörtlich", passed: true },
    "own knowledge": { source: "eigenes Wissen", found: "ohne Zitat" },
    "false quote": { source: "ein Zitat", found: "nicht in den Dokumenten" },
  },
  question: "Die Frage im Wortlaut",
  result: "Ergebnis der Debatte",
  board: "Punktestand",
  allScores: "Alle Wertungen",
  ended: "Wo die Redner am Ende standen",
  moves: "Wer die Meinung änderte",
  move: (began, ended, changed) => (changed ? `${began} → ${ended}` : `${ended || began}, unverändert`),
  movedBy: (reason) => `Anlass: ${reason}`,
  failure: {
    chip: (debate) => (debate ? "Abgebrochen" : "Nicht bewertet"),
    why: "Warum",
    fix: "Was Sie tun können",
    kept: "Was erhalten blieb",
  },
};
