/** Zahlen und Mengen, wie deutsche Seiten sie schreiben. */
export const number = (value: number) => value.toLocaleString("de");
export const count = (many: number, one: string, more: string) => `${number(many)} ${many === 1 ? one : more}`;

/** `Ada, Ben und Cleo`. */
export const listed = (names: readonly string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} und ${names.at(-1)}` : (names[0] ?? "");
