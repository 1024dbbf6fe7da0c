// Tables of numbers and words, as graspmap writes them: no field has a comma or a quote.

/** The rows of a CSV text as records of texts by column. */
export function parseCsv(text: string): Record<string, string>[] {
  const lines = text.split("\n").filter((line) => line !== "");
  const header = (lines[0] ?? "").split(",");
  return lines.slice(1).map((line) => {
    const fields = line.split(",");
    return Object.fromEntries(header.map((name, k) => [name, fields[k] ?? ""]));
  });
}
