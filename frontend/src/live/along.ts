/** An answer that is still coming, as words: of JSON that is not complete, what is there already, in lines. */

const BARE: Record<string, string> = { true: "yes", false: "no", null: "none" };
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
const DEEPEST = 8;

interface Level {
  list: boolean;
  depth: number;
  /** What comes first stands on the line that is begun. */
  inline: boolean;
  ofField: boolean;
  empty: boolean;
}

/** Plain words as they are; a form in lines, as far as it has come. More of an answer only adds to what was read. */
export function readable(text: string): string {
  const start = text.trimStart();
  if (start.startsWith("`")) {
    const newline = start.indexOf("\n");
    const inside = newline < 0 ? "" : start.slice(newline).trimStart();
    if (!inside && start.length < 200) return "";
    return start.startsWith("```") && /^[{[]/.test(inside) ? inLines(inside) : start;
  }
  return /^[{[]/.test(start) ? inLines(start) : start;
}

function inLines(text: string): string {
  const reader = new Reader();
  for (const sign of text) {
    if (reader.over) break;
    reader.read(sign);
  }
  return reader.words;
}

/** One sign after the other: strings, bare words and brackets open and close; everything else is passed over. */
class Reader {
  words = "";
  over = false;
  private levels: Level[] = [];
  private inString = false;
  private isName = false;
  private escape = "";
  private bare = "";
  private afterName = false;

  read(sign: string): void {
    if (this.inString) this.inside(sign);
    else this.between(sign);
  }

  private between(sign: string): void {
    if ('{}[],:" \n\r\t'.includes(sign)) this.endBare();
    if (sign === "{" || sign === "[") this.open(sign === "[");
    else if (sign === "}" || sign === "]") this.close();
    else if (sign === '"') this.quote();
    else if (sign === ":") this.afterName = !this.here?.list;
    else if (sign === ",") this.afterName = false;
    else if (!" \n\r\t".includes(sign)) this.bare = (this.bare + sign).slice(0, 40);
  }

  private get here(): Level | undefined {
    return this.levels.at(-1);
  }

  private open(list: boolean): void {
    const here = this.here;
    if (!here) {
      this.levels.push({ list, depth: 0, inline: true, ofField: true, empty: true });
      return;
    }
    if (here.list) this.item();
    here.empty = false;
    this.levels.push({ list, depth: here.depth + 1, inline: here.list, ofField: !here.list, empty: true });
    this.afterName = false;
  }

  private close(): void {
    const level = this.levels.pop();
    if (level?.empty && this.here) this.words += level.ofField ? " none" : "none";
    this.afterName = false;
    this.over = !this.here;
  }

  private quote(): void {
    this.inString = true;
    this.isName = !this.here?.list && !this.afterName;
    if (this.isName) this.line();
    else this.value();
  }

  private item(): void {
    this.line();
    this.words += "- ";
  }

  private value(): void {
    if (this.here?.list) this.item();
    else this.words += " ";
  }

  private line(): void {
    const level = this.here;
    if (!level) return;
    if (!(level.empty && level.inline)) this.words += `\n${"  ".repeat(Math.min(level.depth, DEEPEST))}`;
    level.empty = false;
  }

  private endBare(): void {
    if (this.bare) {
      this.value();
      this.words += BARE[this.bare] ?? this.bare;
    }
    this.bare = "";
  }

  private inside(sign: string): void {
    if (this.escape) {
      this.escape += sign;
      this.unescape();
    } else if (sign === "\\") this.escape = sign;
    else if (sign === '"') {
      this.inString = false;
      if (this.isName) this.words += ":";
    } else this.words += this.isName ? sign.replace("_", " ") : sign;
  }

  private unescape(): void {
    const kind = this.escape[1] ?? "";
    const code = this.escape.slice(2);
    if (kind !== "u") {
      this.escape = "";
      this.words += ESCAPES[kind] ?? kind;
    } else if (code.length >= 4) {
      this.escape = "";
      this.words += /^[0-9a-fA-F]{4}$/.test(code) ? String.fromCharCode(Number.parseInt(code, 16)) : `\\u${code}`;
    }
  }
}
