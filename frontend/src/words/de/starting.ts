/** Was die Seiten am Anfang sagen: Beispiele, die erste Seite, und wofür eine neue Debatte ist. */
import { capital } from "../figures";
import type { Translated } from "../language";
import type { starting as english } from "../starting";
import { count, listed } from "./figures";

const PROVIDERS: Record<string, string> = {
  ollama: "Ollama",
  lmstudio: "LM Studio",
  llamacpp: "llama.cpp",
  vllm: "vLLM",
  openai_compatible: "Ihr Server",
};

export const starting: Translated<typeof english> = {
  samples: {
    title: "Beispieldebatten",
    why: "Sie gehören zu hustings. Zum Ansehen wird kein Modell aufgerufen.",
    all: "Alle Beispiele",
    watch: "Ansehen",
    watchOf: (topic) => `Ansehen: ${topic}`,
    read: "Urteil lesen",
    readOf: (topic) => `Urteil lesen: ${topic}`,
    seats: (many) => `${many} Redner`,
    length: (seconds) => count(Math.max(1, Math.round(seconds / 60)), "Minute", "Minuten"),
    written: "Jedes Wort ist von uns. Kein Modell hat gesprochen.",
    writtenShort: "von uns geschrieben",
    recorded: (models) => `Aufgezeichnet mit ${listed(models) || "einem ungenannten Modell"}.`,
    recordedShort: (models) => models.join(", "),
    label: "Beispiel",
    own: "Eigene Debatte beginnen",
    gone: "Ein Beispiel mit diesem Namen gibt es nicht.",
  },

  first: {
    page: "Willkommen",
    title: "Hören Sie beide Seiten, bevor Sie entscheiden.",
    why: "Modelle debattieren eine Frage nach Regeln, eine Jury wägt jede These ab, und das Urteil sagt Ihnen, wie verlässlich es ist.",
    watch: "Beispieldebatte ansehen",
    ready: "Modelle sind bereit",
    readyDo: "Erste Debatte beginnen",
    noModel: "Noch kein Modell gefunden",
    ways: "Drei Wege zu einem Modell",
    otherWays: "Weitere Wege zu einem Modell",
    again: "Erneut suchen",
    looking: "Suche läuft…",
    lookedAgain: (ready) => (ready ? "Ein Modell wurde gefunden." : "Kein Modell gefunden."),
    way: [
      {
        title: "Auf diesem Rechner, kostenlos",
        why: "Installieren Sie Ollama von ollama.com und laden Sie ein Modell:",
        has: "Ollama antwortet, hat aber kein Modell. Laden Sie eines:",
        command: "ollama pull llama3.2",
      },
      {
        title: "Der Schlüssel eines Anbieters",
        why: "Er bleibt auf diesem Rechner und gelangt nie in den Browser. Im Terminal:",
        command: "hustings keys set anthropic",
      },
      {
        title: "Ein kompatibler Server",
        why: "Einer, der das OpenAI-Protokoll spricht. Starten Sie hustings mit Modell und Adresse:",
        command: "hustings serve --allow openai_compatible/MODEL@URL",
      },
    ],
    copy: "Kopieren",
    copyOf: (command) => `${command} kopieren`,
    copied: "Kopiert",
    looked: "Gesucht:",
    server: (name, where) => `${PROVIDERS[name] ?? capital(name)} unter ${where}`,
    states: {
      ready: (models) => count(models, "Modell", "Modelle"),
      "no model": () => "antwortet, kein Modell",
      "not there": () => "nicht gefunden",
    },
    keys: "Schlüssel von Anbietern",
    noKeys: "keine",
    rehearse: "Mit dem Improvisator proben",
    rehearseWhy: "Er erfindet Worte, kostet nichts und entscheidet nichts.",
    askOperator: "Bitten Sie den Betreiber dieses Servers um ein Modell.",
    notYours: "Noch keine Debatten.",
  },

  purposes: {
    title: "Wofür ist die Debatte?",
    of: {
      decide: ["Entscheiden", "Zwei Seiten und eine Jury.", ""],
      stress: ["Dokument prüfen", "Kritiker suchen, was daran nicht hält.", ""],
      practise: ["Üben", "Sie vertreten eine Seite und erhalten Rückmeldung.", ""],
      research: ["Forschen", "Dieselbe Frage mehrmals, mit Kontrolle.", "3-mal, Seiten getauscht"],
    },
  },
};
