/** Was die Seiten sagen, auf denen etwas getan wird: beginnen, zusehen, sprechen, bewerten, vergleichen. */
import type { words as english } from "../doing";
import { spaced } from "../figures";
import type { Translated } from "../language";
import { count, number } from "./figures";
import { live } from "./live";
import { people } from "./people";
import { runs } from "./runs";

const endings: Record<string, string> = {
  played: "zu Ende geführt",
  budget_stopped: "am Budget angehalten",
  cancelled: "abgebrochen",
  failed: "gescheitert",
};
const debates = (many: number) => count(many, "Debatte", "Debatten");
const turns = (many: number) => count(many, "Beitrag", "Beiträge");
const claims = (many: number) => count(many, "Argument", "Argumente");
const calls = (many: number) => count(many, "Aufruf", "Aufrufe");

export const words: Translated<typeof english> = {
  outcome: (found) => {
    switch (found?.kind) {
      case "decided":
        return `${found.extent === "partial" ? "teilweise " : ""}entschieden: ${found.what}`;
      case "too_close":
        return "kein klarer Sieger";
      case "no_quorum":
        return "kein Urteil: zu wenige gültige Antworten";
      case "deadlocked":
        return `festgefahren: ${found.issues.join(", ")}`;
      case "budget_stopped":
        return "am Budget angehalten";
      case "cancelled":
        return "abgebrochen";
      case "failed":
        return "Bewertung gescheitert";
      default:
        return "nicht bewertet";
    }
  },
  title: (page) => `${page} – hustings`,
  ending: (kind) => endings[kind] ?? spaced(kind),
  person: "ein Mensch",
  PERSON: "human",
  cancel: "Abbrechen",
  none: "nichts",
  states: {
    waiting: "wartet auf einen Worker",
    running: "läuft",
    paused: "angehalten",
    ended: "beendet",
    broken: "gescheitert",
  },
  back: "Alle Debatten",

  runs,

  judgeAgain: {
    why: (most) =>
      `Die Mitschrift ändert sich nicht. Sie sehen das neueste Ergebnis. Es kostet höchstens ${most}, mit kostenlosen Modellen nichts.`,
    go: "Bewerten lassen",
  },

  start: {
    title: "Neue Debatte",
    motion: "Ihre Frage",
    motionHint: "Eine Frage, die beantwortet, oder eine Aussage, die verteidigt werden soll.",
    motionPlaceholder: "Sollen Städte ihre Zentren für Autos sperren?",
    motionNeeded: "Geben Sie eine Frage ein.",
    documents: {
      title: "Dokumente (optional)",
      hint: "Die Redner lesen und zitieren sie, und jedes Zitat wird geprüft. Lange Texte kosten mehr.",
      drop: "Dateien hier ablegen",
      or: "oder",
      choose: "Dateien auswählen",
      paste: "Text einfügen",
      pasted: "Text des Dokuments",
      add: "Diesen Text hinzufügen",
      list: "Dokumente dieser Debatte",
      reads: (title) => `Wer ${title} liest`,
      all: "Alle Redner",
      allAndJudges: "Redner und Jury",
      team: (name) => `Nur Team ${name}`,
      seat: (name) => `Nur ${name}`,
      remove: (title) => `${title} entfernen`,
      reading: (name) => `${name} wird gelesen…`,
      failed: (name) => `${name} konnte nicht gelesen werden`,
      dismiss: (name) => `Verwerfen: ${name}`,
      told: (added, failed) =>
        [
          added && `${count(added, "Dokument", "Dokumente")} hinzugefügt.`,
          failed && `${count(failed, "Datei", "Dateien")} nicht lesbar.`,
        ]
          .filter(Boolean)
          .join(" "),
      words: (many) => count(many, "Wort", "Wörter"),
      pages: (many) => count(many, "Seite", "Seiten"),
      tooMany: (most) => `Höchstens ${most} Dokumente. Die übrigen wurden weggelassen.`,
      needed: "Fügen Sie das Dokument hinzu, das geprüft werden soll.",
      readerGone: (title, reader) => `Wählen Sie, wer „${title}“ liest: ${reader} spricht hier nicht.`,
    },
    protocol: "Format",
    calls: (many) => `etwa ${calls(many)}`,
    seatsOf: (many) => `${number(many)} Redner`,
    settings: "Einstellungen",
    settingsUsual: "Standard",
    settingsChanged: (many) => `${many} geändert`,
    reset: "Auf Standard zurücksetzen",
    seats: "Redner",
    everyone: "Modell für alle Redner",
    noModels: "Dieser Server hat keine Modelle.",
    asEveryone: "wie oben",
    own: "Je Redner wählen",
    ownChanged: (many) => `${many} gewählt`,
    ownHint: "Geben Sie einem Redner ein anderes Modell, oder sprechen Sie selbst.",
    bySettings: "Einstellungen können ändern, wer spricht. Dies sind die Redner im Standard.",
    modelFree: (label, where) =>
      where && where !== label ? `${label} · ${where} · kostenlos` : `${label} · kostenlos`,
    modelPaid: (label, where) => (where && where !== label ? `${label} · ${where}` : label),
    judging: "Bewertung",
    judges: { auto: "Jury vom Server gewählt", none: "Ohne Bewertung", own: "Diese Modelle:" },
    judgesNeeded: "Wählen Sie mindestens ein Modell für die Jury.",
    control: "Mit Antworten ohne Debatte vergleichen",
    controlHint: "Dieselben Modelle antworten auch allein. Sie sehen, was die Debatte geändert hat.",
    budget: "Budget in Dollar",
    budgetHint: "Für die Debatte und ihre Bewertung. Ohne Angabe: 1,00 $ bei bezahlten Modellen.",
    budgetWrong: "Geben Sie einen Betrag zwischen 0 und 1.000 ein.",
    language: "Sprache",
    languageHint: "Ein Sprachcode wie de oder pt-BR.",
    languageWrong: "Geben Sie einen Code wie en, de oder pt-BR ein.",
    forecast: "Schätzung",
    forecastHeads: { what: "für", calls: "Aufrufe", tokens: "Tokens", dollars: "Kosten" },
    forecastCaption: "Üblich und schlimmstenfalls",
    forecastEach: "Üblich und schlimmstenfalls, je Debatte",
    expected: (times) => (times > 1 ? `erwartet für ${debates(times)}` : "erwartet"),
    atWorst: "schlimmstenfalls",
    costBar: (usual, worst) => `Etwa ${usual}, schlimmstenfalls ${worst}`,
    costUnknown: "Kosten unbekannt",
    total: "gesamt",
    range: (usual, worst) => (usual === worst ? usual : `${usual} – ${worst}`),
    unknown: "unbekannt",
    free: "kostenlos",
    within: (budget) => `Auch schlimmstenfalls bleibt es innerhalb von ${budget}.`,
    beyond: (budget) => `Die Debatte hält an Ihrem Budget von ${budget} an.`,
    noBudget: "Sie ist kostenlos.",
    estimating: "Schätzung läuft…",
    go: "Debatte beginnen",
    goMany: (many) => `${debates(many)} beginnen`,
    going: "Wird begonnen…",
    goKeys: "Strg+Enter beginnt sie.",
    restored: "Ihr Entwurf ist wieder da. Dieser Tab behält ihn bis zum Beginn.",
    startOver: "Neu anfangen",
    repeats: "Wie oft",
    repeatsHint: "Mehr als einmal zeigt, ob sich das Ergebnis wiederholt.",
    repeatsWrong: (most) => `Geben Sie eine Zahl von 1 bis ${most} ein.`,
    swapped: "Auch mit getauschten Seiten",
    swappedHint: "Zeigt, ob eine Seite gewann oder ihr Modell.",
    swappedSame: "Wirkt, wenn beide Seiten verschiedene Modelle haben.",
    fix: "Bitte korrigieren:",
    add: (what) => `Hinzufügen: ${what}`,
    addPlain: "Hinzufügen",
    item: (what, n) => `${what} ${n}`,
    takeAway: (what) => `${what} entfernen`,
    between: (low, high) => `von ${number(low)} bis ${number(high)}`,
    usual: (value) => `Standard ${value}`,
    faults: {
      needed: "Erforderlich.",
      number: "Geben Sie eine Zahl ein.",
      whole: "Geben Sie eine ganze Zahl ein.",
      least: (least) => `Mindestens ${number(least)}.`,
      most: (most) => `Höchstens ${number(most)}.`,
      short: (least) => `Mindestens ${least} Zeichen.`,
      long: (most) => `Höchstens ${most} Zeichen.`,
      few: (least) => `Mindestens ${least}.`,
      many: (most) => `Höchstens ${most}.`,
    },
  },

  live,
  ...people,

  compare: {
    title: "Zwei Debatten im Vergleich",
    first: "erste",
    second: "zweite",
    need: "Wählen Sie zwei Debatten zum Vergleichen.",
    needWhy: "Wählen Sie zwei beendete Debatten in der Liste aus.",
    care: "Grenzen dieses Vergleichs",
    notComparable: "Andere Frage oder anderes Format",
    outcome: "Urteil",
    sameOutcome: "Beide haben dasselbe Urteil.",
    otherOutcome: "Die Urteile unterscheiden sich.",
    unknownOutcome: "Eine davon ist nicht bewertet.",
    agreement: "Übereinstimmung",
    agreementSays: (share, common) =>
      `${share} von ${count(common, "gemeinsamen Argument", "gemeinsamen Argumenten")} mit gleichem Status`,
    agreementNone: "kein gemeinsames Argument hat in beiden einen Status",
    alone: (first, second) => `${first} nur in der ersten, ${second} nur in der zweiten`,
    cost: "Kosten",
    took: (many, tokens, spent) => `${spent} · ${calls(many)} · ${count(tokens, "Token", "Tokens")}`,
    differ: "Argumente mit unterschiedlichem Status",
    noDiffer: "Alle gemeinsamen Argumente haben denselben Status.",
    same: (many) => `${claims(many)} mit gleichem Status`,
    argument: "Argument",
    settings: "Unterschiedliche Einstellungen",
    noSettings: "Die Einstellungen sind gleich.",
    setting: "Einstellung",
    totals: "Wie gut jede Seite argumentierte (bis 10)",
    side: "Seite",
    spoke: "Wie viel jeder Redner sagte",
    seatHead: "Redner",
    spokeCell: (many, said, model) => `${turns(many)}, ${count(said, "Wort", "Wörter")} · ${model}`,
    turns: "Beiträge nebeneinander",
    turnsWhy: "Beiträge an derselben Stelle beider Debatten.",
    missing: "Hier kein Beitrag.",
    silent: "Keine Antwort.",
    lost: (many) => `${turns(many)} ohne Antwort`,
    more: (many) => `${count(many, "weiteren Beitrag", "weitere Beiträge")} anzeigen`,
    absent: "–",
    ended: "Beendet",
  },

  stability: {
    title: "Wiederholt sich das Ergebnis?",
    need: "Wählen Sie mehrere Debatten über eine Frage.",
    needWhy: "Wählen Sie in der Liste zwei oder mehr beendete Debatten über dieselbe Frage aus.",
    caption: "Status jedes Arguments in jeder Debatte",
    argument: "Argument",
    run: (n) => `Debatte ${n}`,
    runHead: "Debatte",
    most: "am häufigsten",
    share: "Anteil",
    shareSays: (share, runs) => `${share} von ${debates(runs)}`,
    split: (counts) => `geteilt ${counts.join(" : ")}`,
    absent: "nicht vorgebracht",
    runs: "Debatten",
    held: "Datum",
    name: "Name",
    protocol: "Format",
    cost: "Kosten",
    none: "Diese Debatten haben kein bewertetes Argument gemeinsam.",
    noneWhy: "Argumente gelten als gleich, wenn sie dasselbe behaupten. Ohne Bewertung haben sie keinen Status.",
    wavers: (many, all) => `${many} von ${claims(all)} mit wechselndem Status.`,
    steady: (all) => `${claims(all)}: Kein Status hat zwischen den Debatten gewechselt.`,
  },
};
