/** Words of a model as Markdown: HTML in it is words like the others, there is no image, and a link says where it leads. */
import ReactMarkdown, { type Components } from "react-markdown";
import sanitize, { defaultSchema } from "rehype-sanitize";
import gfm from "remark-gfm";
import { words } from "../words/reading";

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

export function Markdown({ children, className = "" }: { children: string; className?: string }) {
  return (
    <div className={`prose ${className}`} dir="auto">
      <ReactMarkdown skipHtml remarkPlugins={[gfm, plain]} rehypePlugins={[[sanitize, schema]]} components={components}>
        {children}
      </ReactMarkdown>
    </div>
  );
}
