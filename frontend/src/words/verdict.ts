/** What the verdict page and the cards of arguments say. */
export const words = {
  verdict: "Verdict",
  howFar: "How far to trust it",
  wouldChange: "What would change it",
  trust: {
    clear: "Clear",
    tentative: "Tentative",
    "do not rely": "Do not rely on it",
    "not measured": "Not measured",
  },
  evidence: "Evidence",
  strength: (share: number) => `strength ${share}`,
  care: (many: number) => (many === 1 ? "Read with care: 1 reason" : `Read with care: ${many} reasons`),
  careMore: "What these mean",
  failure: { why: "Why", cure: "What to do", kept: "What was kept" },
};
