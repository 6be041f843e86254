/** Words of a model as Markdown: HTML in it is words like the others, there is no image, and a link says where it leads. */
import type { ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import sanitize, { defaultSchema } from "rehype-sanitize";
import gfm from "remark-gfm";
import { words } from "../words/reading";
import { useSpoken } from "./spoken";

const LEFT_OUT = new Set(["img", "input", "picture", "source", "video", "audio"]);
const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((tag) => !LEFT_OUT.has(tag)),
  protocols: { ...defaultSchema.protocols, href: ["http", "https", "mailto"] },
};

const components: Components = {
  a: ({ href, children }) => {
    const where = href ? hostOf(href) : "";
    if (!where) return <span>{children}</span>;
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
        <span className="text-muted">{words.linkTo(where)}</span>
      </a>
    );
  },
};

/** What looks like HTML is not read as HTML, so that nothing which was said is left out. */
function plain(this: { data(): object }) {
  const data: { micromarkExtensions?: unknown[] } = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: ["htmlFlow", "htmlText"] } }];
}

/** Where a link leads; nothing if it leads nowhere a reader should be sent. */
export function hostOf(href: string): string {
  try {
    const { protocol, host, pathname } = new URL(href);
    if (protocol === "mailto:") return pathname;
    return protocol === "http:" || protocol === "https:" ? host : "";
  } catch {
    return "";
  }
}

/** What is shown in place of some of the words: of each place where they stand, the first shows the first. */
export interface Shown {
  words: string;
  as: ReactNode;
}

interface Props {
  children: string;
  className?: string;
  shown?: readonly Shown[];
}

export function Markdown({ children, className = "", shown = NONE }: Props) {
  const { text, used } = held(children, shown);
  return (
    <div className={`prose ${className}`} dir="auto" lang={useSpoken()}>
      <ReactMarkdown
        skipHtml
        remarkPlugins={[gfm, plain]}
        rehypePlugins={[
          [sanitize, schema],
          [placed, used],
        ]}
        components={
          used.length ? { ...components, cite: ({ node }) => used[Number(node?.properties.place)]?.as } : components
        }
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

const NONE: readonly Shown[] = [];
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const PLACE = new RegExp(`${OPEN}(\\d+)${CLOSE}`);

/** The text with a mark for each of them, which no author can have written. Those that do not stand there are left out. */
function held(text: string, shown: readonly Shown[]): { text: string; used: readonly Shown[] } {
  if (!shown.length) return { text, used: NONE };
  let rest = text.replaceAll(OPEN, "\uFFFD").replaceAll(CLOSE, "\uFFFD");
  let done = "";
  const used: Shown[] = [];
  for (const one of shown) {
    const at = one.words ? rest.indexOf(one.words) : -1;
    if (at < 0) continue;
    done += `${rest.slice(0, at)}${OPEN}${used.length}${CLOSE}`;
    rest = rest.slice(at + one.words.length);
    used.push(one);
  }
  return { text: done + rest, used };
}

interface Node {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

/** Puts elements where the marks are; inside a link, which can hold no other, the words as they were. */
function placed(used: readonly Shown[]) {
  const within = (node: Node, linked: boolean): void => {
    node.children = node.children?.flatMap((child) => {
      if (child.type !== "text") {
        within(child, linked || child.tagName === "a");
        return [child];
      }
      return (child.value ?? "")
        .split(PLACE)
        .map(
          (part, n): Node =>
            n % 2 === 0
              ? { type: "text", value: part }
              : linked
                ? { type: "text", value: used[Number(part)]?.words ?? "" }
                : { type: "element", tagName: "cite", properties: { place: part }, children: [] },
        );
    }) as Node[];
  };
  return (tree: Node) => {
    if (used.length) within(tree, false);
  };
}
