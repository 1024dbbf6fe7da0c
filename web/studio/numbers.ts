// Numbers of the engine's texts, for people.

const DUST = /-?\b(\d+(\.\d+)?e-(1\d|[2-9]\d|\d{3})|0\.0{4,})(?![\d.])/g;

/** What rounding alone keeps from zero is 0: "turned by 7.27636e-19 rad". */
export const withoutDust = (text: string): string => text.replace(DUST, "0").replace(/(\d)\.0{4,}(?!\d)/g, "$1");

/** The same in a table, whose columns stay. */
export const tableWithoutDust = (text: string): string => text.replace(DUST, (dust) => "0".padStart(dust.length));
