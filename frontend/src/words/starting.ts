/** What the pages say to a person who begins: samples, the first page, and what a new debate is for. */
import { capital, count } from "./figures";

const PROVIDERS: Record<string, string> = {
  ollama: "Ollama",
  lmstudio: "LM Studio",
  llamacpp: "llama.cpp",
  vllm: "vLLM",
  openai_compatible: "Your server",
};

const minutes = (seconds: number) => {
  const many = Math.max(1, Math.round(seconds / 60));
  return count(many, "minute");
};

export const starting = {
  samples: {
    title: "Sample debates",
    why: "They come with hustings. Watching one calls no model.",
    all: "All samples",
    watch: "Watch",
    watchOf: (topic: string) => `Watch ${topic}`,
    read: "Read the verdict",
    readOf: (topic: string) => `Read the verdict: ${topic}`,
    seats: (many: number) => count(many, "speaker"),
    length: (seconds: number) => minutes(seconds),
    written: "We wrote every word of it. No model spoke.",
    writtenShort: "written by us",
    recorded: (models: readonly string[]) => `Recorded with ${models.join(" and ") || "an unnamed model"}.`,
    recordedShort: (models: readonly string[]) => models.join(", "),
    label: "Sample",
    own: "Start your own debate",
    gone: "There is no sample of that name.",
  },

  first: {
    page: "Welcome",
    title: "Hear both sides before you decide.",
    why: "Models argue a question by rules, judges weigh every claim, and you get a verdict that says how far to trust it.",
    watch: "Watch a sample debate",
    ready: "Models are ready",
    readyDo: "Start your first debate",
    noModel: "No model found yet",
    ways: "Three ways to get one",
    otherWays: "More ways to get a model",
    again: "Look again",
    looking: "Looking…",
    lookedAgain: (ready: boolean) => (ready ? "A model was found." : "No model found."),
    way: [
      {
        title: "On this machine, free",
        why: "Install Ollama from ollama.com, then fetch a model:",
        has: "Ollama answers, but has no model. Fetch one:",
        command: "ollama pull llama3.2",
      },
      {
        title: "A provider’s key",
        why: "It stays on this machine and never reaches the browser. In a terminal:",
        command: "hustings keys set anthropic",
      },
      {
        title: "Any compatible server",
        why: "One that speaks the OpenAI protocol. Start hustings with its model and address:",
        command: "hustings serve --allow openai_compatible/MODEL@URL",
      },
    ],
    copy: "Copy",
    copyOf: (command: string) => `Copy ${command}`,
    copied: "Copied",
    looked: "Looked for:",
    server: (name: string, where: string) => `${PROVIDERS[name] ?? capital(name)} at ${where}`,
    states: {
      ready: (models: number) => count(models, "model"),
      "no model": () => "answers, no model",
      "not there": () => "not there",
    },
    keys: "keys of providers",
    noKeys: "none",
    rehearse: "Rehearse with the improviser",
    rehearseWhy: "It makes up words, costs nothing and decides nothing.",
    askOperator: "Ask the operator of this server for a model.",
    notYours: "No debates yet.",
  },

  purposes: {
    title: "What is it for?",
    of: {
      decide: ["Decide", "Two sides, judged.", ""],
      stress: ["Stress-test a document", "Critics look for what breaks it.", ""],
      practise: ["Practise", "You take a side and get feedback.", ""],
      research: ["Research", "The same question again and again, with a control.", "3 times, sides swapped"],
    } as const,
  },
};
