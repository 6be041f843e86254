/** What the pages say on which something is done: starting, watching, speaking, judging, comparing. */
import type { Judgement } from "../api";
import { capital, count, spaced } from "./figures";
import { live } from "./live";
import { people } from "./people";
import { runs } from "./runs";

export * from "./figures";

const endings: Record<string, string> = {
  played: "finished",
  budget_stopped: "stopped at its limit",
  cancelled: "cancelled",
  failed: "failed",
};

/** What judging found, in a few words; why is told where it is read. */
function outcome(found: Judgement["outcome"] | null | undefined): string {
  switch (found?.kind) {
    case "decided":
      return `decided${found.extent === "partial" ? " in part" : ""}: ${found.what}`;
    case "too_close":
      return "no clear winner";
    case "no_quorum":
      return "no verdict: too few valid answers";
    case "deadlocked":
      return `deadlocked: ${found.issues.join(", ")}`;
    case "budget_stopped":
      return "stopped at its limit";
    case "cancelled":
      return "cancelled";
    case "failed":
      return "judging failed";
    default:
      return "not judged";
  }
}

export const words = {
  outcome,
  title: (page: string) => `${page} – hustings`,
  ending: (kind: string) => endings[kind] ?? spaced(kind),
  person: "a person",
  PERSON: "human",
  cancel: "Cancel",
  none: "none",
  states: { waiting: "waiting for a worker", running: "running", paused: "paused", ended: "ended", broken: "broken" },
  back: "All debates",

  runs,

  judgeAgain: {
    why: (most: string) =>
      `The transcript does not change. You see the newest result. It costs up to ${most}, or nothing with free models.`,
    go: "Judge it",
  },

  start: {
    title: "New debate",
    motion: "Your question",
    motionHint: "A question to answer, or a statement to defend.",
    motionPlaceholder: "Should towns close their centres to cars?",
    motionNeeded: "Enter a question.",
    documents: {
      title: "Documents (optional)",
      hint: "Speakers read and quote them, and code checks every quote. Long ones cost more.",
      drop: "Drop files here",
      or: "or",
      choose: "Choose files",
      paste: "Paste text",
      pasted: "Text of the document",
      add: "Add this text",
      list: "Documents of this debate",
      reads: (title: string) => `Who reads ${title}`,
      all: "All speakers",
      allAndJudges: "Speakers and judges",
      team: (name: string) => `Team ${name} only`,
      seat: (name: string) => `${name} only`,
      remove: (title: string) => `Remove ${title}`,
      reading: (name: string) => `Reading ${name}…`,
      failed: (name: string) => `${name} could not be read`,
      dismiss: (name: string) => `Dismiss: ${name}`,
      told: (added: number, failed: number) =>
        [added && `${count(added, "document")} added.`, failed && `${count(failed, "file")} could not be read.`]
          .filter(Boolean)
          .join(" "),
      words: (many: number) => count(many, "word"),
      pages: (many: number) => count(many, "page"),
      tooMany: (most: number) => `At most ${most} documents. The rest was left out.`,
      needed: "Add the document that is to be tested.",
      readerGone: (title: string, reader: string) => `Choose who reads “${title}”: ${reader} does not speak here.`,
    },
    protocol: "Protocol",
    calls: (many: number) => `about ${count(many, "call")}`,
    seatsOf: (many: number) => count(many, "speaker"),
    settings: "Settings",
    settingsUsual: "defaults",
    settingsChanged: (many: number) => `${many} changed`,
    reset: "Reset to defaults",
    seats: "Speakers",
    everyone: "Model for every speaker",
    noModels: "This server has no models.",
    asEveryone: "same as above",
    own: "Choose per speaker",
    ownChanged: (many: number) => `${many} chosen`,
    ownHint: "Give a speaker another model, or take the seat yourself.",
    bySettings: "Settings can change who speaks. These are the default speakers.",
    modelFree: (label: string, where: string) =>
      where && where !== label ? `${label} · ${where} · free` : `${label} · free`,
    modelPaid: (label: string, where: string) => (where && where !== label ? `${label} · ${where}` : label),
    judging: "Judging",
    judges: { auto: "Judges chosen by the server", none: "No judging", own: "These models:" },
    judgesNeeded: "Choose at least one judge.",
    control: "Compare with no debate",
    controlHint: "The same models also answer alone. You see what the debate changed.",
    budget: "Budget in dollars",
    budgetHint: "For the debate and its judging. If empty: $1.00 for paid models.",
    budgetWrong: "Enter an amount between 0 and 1,000.",
    language: "Language",
    languageHint: "A language code, such as en or pt-BR.",
    languageWrong: "Enter a code such as en, de or pt-BR.",
    forecast: "Estimate",
    forecastHeads: { what: "for", calls: "calls", tokens: "tokens", dollars: "cost" },
    forecastCaption: "Typical and worst case",
    forecastEach: "Typical and worst case of each debate",
    expected: (times: number) => (times > 1 ? `expected for ${count(times, "debate")}` : "expected"),
    atWorst: "at worst",
    costBar: (usual: string, worst: string) => `About ${usual}, at worst ${worst}`,
    costUnknown: "Cost unknown",
    total: "total",
    range: (usual: string, worst: string) => (usual === worst ? usual : `${usual} – ${worst}`),
    unknown: "unknown",
    free: "free",
    within: (budget: string) => `Even in the worst case it stays within ${budget}.`,
    beyond: (budget: string) => `The debate stops at your ${budget} budget.`,
    noBudget: "It is free.",
    estimating: "Estimating…",
    go: "Start the debate",
    goMany: (many: number) => `Start ${count(many, "debate")}`,
    going: "Starting…",
    goKeys: "Ctrl+Enter starts it.",
    restored: "Your draft is back. This tab keeps it until you start.",
    startOver: "Start over",
    repeats: "How often",
    repeatsHint: "More than once shows whether the result repeats.",
    repeatsWrong: (most: number) => `Enter a number from 1 to ${most}.`,
    swapped: "Also with sides swapped",
    swappedHint: "Shows whether a side won, or its model.",
    swappedSame: "Takes effect when the two sides have different models.",
    fix: "Please fix:",
    add: (what: string) => `Add to ${what}`,
    addPlain: "Add",
    item: (what: string, n: number) => `${what.replace(/(?<=[^s])s$/, "")} ${n}`,
    takeAway: (what: string) => `Remove ${what}`,
    between: (low: number, high: number) => `from ${low.toLocaleString("en")} to ${high.toLocaleString("en")}`,
    usual: (value: string) => `default ${value}`,
    faults: {
      needed: "Required.",
      number: "Enter a number.",
      whole: "Enter a whole number.",
      least: (least: number) => `At least ${least.toLocaleString("en")}.`,
      most: (most: number) => `At most ${most.toLocaleString("en")}.`,
      short: (least: number) => `At least ${least} characters.`,
      long: (most: number) => `At most ${most} characters.`,
      few: (least: number) => `At least ${least}.`,
      many: (most: number) => `At most ${most}.`,
    },
  },

  live,
  ...people,

  compare: {
    title: "Two debates side by side",
    first: "first",
    second: "second",
    need: "Select two debates to compare.",
    needWhy: "Select two finished debates in the list.",
    care: "Limits of this comparison",
    notComparable: "Different question or protocol",
    outcome: "Verdict",
    sameOutcome: "Both have the same verdict.",
    otherOutcome: "The verdicts differ.",
    unknownOutcome: "One of them is not judged.",
    agreement: "Agreement",
    agreementSays: (share: string, common: number) =>
      `${share} of ${count(common, "shared argument")} have the same status`,
    agreementNone: "no shared argument has a status in both",
    alone: (first: number, second: number) => `${first} only in the first, ${second} only in the second`,
    cost: "Cost",
    took: (calls: number, tokens: number, spent: string) =>
      `${spent} · ${count(calls, "call")} · ${count(tokens, "token")}`,
    differ: "Arguments with a different status",
    noDiffer: "All shared arguments have the same status.",
    same: (many: number) => `${count(many, "argument")} with the same status`,
    argument: "argument",
    settings: "Settings that differ",
    noSettings: "The settings are the same.",
    setting: "setting",
    totals: "How well each side argued (out of 10)",
    side: "side",
    spoke: "How much each speaker said",
    seatHead: "speaker",
    spokeCell: (turns: number, many: number, model: string) =>
      `${count(turns, "turn")}, ${count(many, "word")} · ${model}`,
    turns: "Turns side by side",
    turnsWhy: "Turns at the same place in both debates.",
    missing: "No turn here.",
    silent: "No answer.",
    lost: (many: number) => `${count(many, "turn")} without an answer`,
    more: (many: number) => `Show ${count(many, "more turn")}`,
    absent: "–",
    ended: "Ended",
  },

  stability: {
    title: "Do results repeat?",
    need: "Select several debates on one question.",
    needWhy: "Select two or more finished debates on the same question in the list.",
    caption: "Status of each argument in each debate",
    argument: "argument",
    run: (n: number) => `debate ${n}`,
    runHead: "debate",
    most: "most often",
    share: "share",
    shareSays: (share: string, runs: number) => `${share} of ${count(runs, "debate")}`,
    split: (counts: readonly number[]) => `split ${counts.join(" : ")}`,
    absent: "not made",
    runs: "Debates",
    held: "date",
    name: "name",
    protocol: "protocol",
    cost: "cost",
    none: "These debates share no judged argument.",
    noneWhy: "Arguments match if they make the same claim. Debates without judging have no statuses.",
    wavers: (many: number, all: number) => `${many} of ${count(all, "argument")} changed status between debates.`,
    steady: (all: number) => `${capital(count(all, "argument"))}: none changed status between debates.`,
  },
};
