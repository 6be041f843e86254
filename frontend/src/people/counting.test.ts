// @vitest-environment node
import { expect, it } from "vitest";
import { countWords } from "./counting";

it.each([
  ["", 0],
  ["Nobody has paid yet.", 4],
  ["It's a well-known, twenty‑year-old trick", 5],
  ["**Bold** claims — (really) ...", 3],
  ["about 3.5 of 1,000 at 10:30", 6],
  ["end.Start", 2],
  ["# Title\n\n* one\n* two", 3],
  ["data_driven", 1],
  ["cafe\u0301 au lait", 3],
  ["हिन्दी भाषा", 2],
  ["لا أحد يدفع", 3],
  ["저는 동의합니다", 2],
  ["我同意。", 3],
  ["AI技术很好", 5],
  ["私は学校に行きます", 8],
  ["コーヒー", 2],
  ["ภาษาไทย", 2],
  ["ភាសាខ្មែរ", 2],
  ["🙂 👍🏽", 0],
])("counts %j as the server does", (text, many) => {
  expect(countWords(text)).toBe(many);
});
