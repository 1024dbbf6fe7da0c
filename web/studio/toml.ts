// TOML as far as the page writes it: values of changes. The engine reads; here only the texts of single keys are
// looked up, which a resolved configuration no longer has.

export type Value = string | number | boolean | Value[] | { [key: string]: Value };

export function tomlText(value: Value): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(tomlText).join(", ")}]`;
  const pairs = Object.entries(value).map(([key, one]) => `${key} = ${tomlText(one)}`);
  return `{ ${pairs.join(", ")} }`;
}

/** What a resolved configuration has at "success.0.x_mm"; undefined where it has nothing. */
export function valueAt(document: Record<string, any>, key: string): any {
  return key.split(".").reduce<any>((at, name) => (at === null || at === undefined ? undefined : at[name]), document);
}

/** The lines of a text that begin a table or a key: rows of an array, which may look like them, are left out. */
function firstLines(toml: string): string[] {
  let open = 0; // brackets
  return toml.split(/\r?\n/).filter((line) => {
    const isFirst = open === 0;
    const bare = line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*/g, "");
    open += bare.split("[").length - bare.split("]").length;
    return isFirst;
  });
}

/** The table of a line that is a header; else "". */
const headerOf = (line: string): string => /^\s*\[+\s*([^\]]+?)\s*\]+\s*(?:#.*)?$/.exec(line)?.[1] ?? "";

/** The text of a key in a table, as it was written, without quotes; null when there is no such line. */
export function writtenText(toml: string, table: string, key: string): string | null {
  let inTable = table === "";
  for (const line of firstLines(toml)) {
    const header = headerOf(line);
    if (header !== "") inTable = header === table;
    const pair = inTable ? /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) : null;
    if (pair && pair[1] === key) return pair[2].replace(/^(?:"((?:[^"\\]|\\.)*)"|'([^']*)').*$/, "$1$2");
  }
  return null;
}

/** Whether an inline table has a key, or a table in it. */
function holds(text: string, [name, ...rest]: string[]): boolean {
  return [...text.matchAll(new RegExp(`[{,]\\s*${name}\\s*=\\s*`, "g"))].some(({ index, 0: found }) => {
    const before = text.slice(0, index! + 1);
    const isIn = text.startsWith("{") && before.split("{").length - before.split("}").length === 1;
    return isIn && (rest.length === 0 || holds(text.slice(index! + found.length), rest));
  });
}

/** Whether a text has a key, as a line, as a table, or in an inline table. */
export function isWritten(toml: string, key: string): boolean {
  const begins = (path: string): boolean => `${path}.`.startsWith(`${key}.`);
  let table = "";
  return firstLines(toml).some((line) => {
    const header = headerOf(line);
    if (header !== "") table = header;
    const pair = /^\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*=\s*(.*)$/.exec(line);
    if (!pair) return begins(header);
    const path = (table === "" ? pair[1] : `${table}.${pair[1]}`).replace(/\s/g, "");
    return begins(path) || (key.startsWith(`${path}.`) && holds(pair[2], key.slice(path.length + 1).split(".")));
  });
}
