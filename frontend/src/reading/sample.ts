/** A small debate for tests: two sides, two rounds, judged. `words` stands wherever a person could have written. */
import type { QuoteView, SpeechPart, View } from "../api";
import { evaluationOf } from "../evaluation/sample";

/** A quote that was checked; `written` is how it stands in its turn. */
export function quote(id: string, words: string, written: string, accepted: boolean): QuoteView {
  return {
    id,
    turn: "r1.t0",
    seat: "pro",
    written,
    quote: words,
    named: "DOC-1",
    document: "DOC-1",
    passage: accepted ? "DOC-1.1" : "",
    page: accepted ? 3 : null,
    accepted,
    verdict: accepted ? "verbatim" : "altered",
    why: accepted ? "" : words,
    start: accepted ? 0 : -1,
    end: accepted ? words.length : -1,
    excerpt: accepted ? { before: words, words, after: words } : null,
  };
}

const part = (id: string, kind: string, target: string, words: string): SpeechPart => ({
  id,
  kind,
  target,
  text: words,
  quote: target && words,
  extent: "",
  details: [{ label: target ? "Question" : "Reasoning", text: words }],
});

/** The first turns have forms, the others are plain words. */
const PARTS: readonly ((words: string) => SpeechPart[])[] = [
  (words) => [part("PRO-1", "argument", "", words), part("", "statement", "", words)],
  (words) => [part("CON-1", "argument", "", words)],
  (words) => [part("PRO-1.r", "refute", "CON-1", words)],
];

export function sample(words = "Cars take room.", turns = 4): View {
  const seats: View["seats"] = [
    { id: "pro", name: words, role: "debater", team: "pro", side: "pro", model: words, person: false, lens: words },
    { id: "con", name: words, role: "debater", team: "con", side: "con", model: words, person: false, lens: words },
  ];
  const ids = Array.from({ length: turns }, (_, n) => `r${1 + (n >> 1)}.t${n % 2}`);
  const speeches: View["speeches"] = ids.map((id, n) => ({
    id,
    round: 1 + (n >> 1),
    label: words,
    kind: words,
    seat: n % 2 ? "con" : "pro",
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, n * 3)).toISOString(),
    words: `${words} (${n})`,
    count: 4,
    allowed: n % 2 ? null : 300,
    retries: 0,
    readers: [],
    lost: "",
    remarks: [words],
    claims: n === 0 ? ["PRO-1"] : n === 1 ? ["CON-1"] : [],
    replies: n === 2 ? ["PRO-1.r"] : [],
    speaks_to: [{ words, seat: "pro", turn: "r1.t0" }],
    parts: PARTS[n]?.(words) ?? [],
  }));
  const row = (
    id: string,
    seat: string,
    turn: string,
    standing: "upheld" | "refuted",
  ): View["trace"]["rows"][number] => ({
    id,
    seat,
    side: seat,
    turn,
    claim: words,
    quote: words,
    standing,
    strength: standing === "upheld" ? 0.8 : 0.1,
    interval: null,
    certainty: 0.9,
    score: 7,
    cells: [id, seat, words, words, standing, "0.80", "90 %", words],
    moved: [id, "0.80", "", words, words, words],
  });
  const cell = { mean: 7, shown: "7.0", heat: 7, judges: [{ judge: words, mark: 7, shown: "7.0" }], spread: "" };
  const table = { caption: words, heads: [words, "points"], rows: [[words, "1.0"]] };
  return {
    part: "",
    turns: speeches.length,
    run_id: "d-1",
    topic: words,
    background: null,
    documents: [{ id: "DOC-1", title: words, digest: "", words: 4, seats: ["pro"], origin: "given" }],
    quotes: [
      quote("c-r1.t0-1", words, `${words} (0)`, true),
      { ...quote("c-r1.t1-1", words, "", false), turn: "r1.t1", seat: "con" },
    ],
    protocol: "structured/1",
    language: "en",
    created_at: "2026-01-01T00:00:00Z",
    made: "performed",
    blind: false,
    ending: { kind: "played" },
    summary: words,
    first: {
      chip: words,
      sentence: words,
      more: words,
      weak: false,
      bars: [
        { side: "pro", name: words, mean: 7, interval: [6, 8], shown: "7.0", ended: "", within: words, told: words },
      ],
      bars_note: words,
      trust: { word: "Medium", reason: words },
      care: [words],
      facts: [{ label: "Cost", text: words }],
      failure: null,
    },
    seats,
    rounds: [...new Set(speeches.map((speech) => speech.round))].map((index) => ({
      index,
      label: words,
      status: "",
      speeches: speeches.filter((speech) => speech.round === index).map((speech) => speech.id),
      absent: [],
    })),
    speeches,
    claims: [
      { id: "PRO-1", seat: "pro", side: "pro", turn: "r1.t0", claim: words, standing: "upheld", replies: [] },
      { id: "CON-1", seat: "con", side: "con", turn: "r1.t1", claim: words, standing: "refuted", replies: ["PRO-1.r"] },
    ],
    replies: [
      {
        id: "PRO-1.r",
        kind: "refute",
        deed: words,
        target: "CON-1",
        seat: "pro",
        side: "pro",
        turn: "r2.t0",
        words,
        attacks: true,
        source: "",
        replies: [],
      },
    ],
    told: [words],
    thoughts: [{ id: "n0", kind: words, by: "pro", about: [], after: "r2.t1", words }],
    judgement: null,
    digest: {
      bottom_line: words,
      sure: { label: "High", text: words },
      issues: [words],
      strongest: [{ side: words, id: "PRO-1", standing: "upheld", claim: words, happened: words, text: words }],
      would_change: words,
      check_first: [{ id: "CON-1", text: words }],
      without_debate: words,
      limits_head: words,
      limits: [words, `${words}!`],
      facts: [{ label: "Scores", text: words }],
      caveat: words,
      judged: true,
      held_up: [{ id: "PRO-1", text: `PRO-1 (pro): ${words}` }],
      refuted: [],
      withdrawn: [],
      unresolved: [],
    },
    trace: {
      heads: ["ID", "Speaker", "Claim", "What happened", "Status", "Strength", "How sure", "Why"],
      moved_heads: ["ID", "Strength", "Second method", "Resampling", "What moved it", "What would change it"],
      key: words,
      rows: [row("PRO-1", "pro", "r1.t0", "upheld"), row("CON-1", "con", "r1.t1", "refuted")],
    },
    marks: [
      {
        caption: words,
        what: "argument",
        dimensions: [words],
        rows: [{ about: "PRO-1", seat: "pro", words, cells: [cell], total: cell }],
      },
    ],
    totals: [{ label: words, text: words }],
    board: {
      best: words,
      teams: table,
      debater_heads: ["debater", "points"],
      debaters: [{ seat: "pro", cells: ["pro", "7.0"], speeches: [{ label: "r1.t0", text: "7.0" }] }],
      stages: table,
      summaries: [words],
      penalties: table,
      course_heads: ["turn", "by", "marks", "penalties", "pro", "con"],
      course: ids.slice(0, 2).map((turn, n) => ({
        turn,
        seat: n ? "con" : "pro",
        team: n ? "con" : "pro",
        score: 7,
        penalties: n ? [words] : [],
        totals: { pro: 7, con: n ? 5 : 0 },
        penalty_totals: { pro: 0, con: n ? -2 : 0 },
        cells: [turn, n ? "con" : "pro", "7.0", n ? "−2" : "", "7.0", n ? "5.0" : "0.0"],
      })),
    },
    votes: table,
    hints: [{ about: "PRO-1", seat: "pro", kind: words, word: "suspected", quote: words, text: words }],
    hint_key: words,
    checks: { reliability: [words], panel: table, control: words, control_lines: [words], origin: [words] },
    expenses: [],
    bill: table,
    cost: words,
    result: null,
    model_summary: { title: words, sentences: [{ text: words, ids: ["PRO-1"], quote: words }], key: words },
    result_sections: [{ title: words, lines: [words], table }],
    sections: { evaluation: evaluationOf(words) },
  };
}
