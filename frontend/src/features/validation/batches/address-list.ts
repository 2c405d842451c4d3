// What a typed or pasted text holds as far as the page can tell before it is sent; the server reads it anew.

export interface AddressList {
  /** What it holds, in order: an address, or else the line as it was written. */
  lines: string[];
  /** How many different ones. */
  unique: number;
  /** How many of these look like addresses at all: that many can cost a credit, the others cost nothing. */
  possible: number;
  /** The first lines without an address. */
  odd: string[];
}

const WHOLE = /^(?:"[^"]+"|[^\s@,;<>|"]+)@[^\s@,;<>|"]+$/;
const BETWEEN = /[\s,;|<>()"]+/;
const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
const AT = /\s*[@＠﹫]\s*/g;
const STRAY = /^[.:]+|[.:]+$|^mailto:|\?.*$/gi;
const COLUMNS = /[\t,;|]/;
const NAME_OF_COLUMN = /^"?e-?mail(?:[ _-]?address)?"?$/i;
const SHOWN = 3;

/** A slash divides where both sides hold an address. */
function splitSlashes(word: string): string[] {
  const parts = word.split("/");
  return parts.every((part) => part.includes("@")) ? parts : [word];
}

/** The addresses of a line; none where it holds none. */
function findAddresses(line: string): string[] {
  if (WHOLE.test(line) && line.search(INVISIBLE) < 0) return [line];
  return line
    .replace(INVISIBLE, "")
    .replace(AT, "@")
    .split(BETWEEN)
    .flatMap(splitSlashes)
    .map((word) => word.replace(STRAY, ""))
    .filter((word) => WHOLE.test(word));
}

interface Line {
  text: string;
  found: string[];
}

/** The first line names the columns where it holds no address and the others are a table, or where it just says so. */
function findHeader([first, ...others]: Line[]): Line | null {
  if (!first || first.found.length > 0 || !others.some(({ found }) => found.length > 0)) return null;
  const isTable = COLUMNS.test(first.text) && others.some(({ text }) => COLUMNS.test(text));
  return isTable || NAME_OF_COLUMN.test(first.text) ? first : null;
}

export function readAddresses(text: string): AddressList {
  const read = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line): Line => ({ text: line, found: findAddresses(line) }));
  const header = findHeader(read);
  const listed = read.filter((line) => line !== header);
  const odd = new Set(listed.filter(({ found }) => found.length === 0).map(({ text: line }) => line));
  const lines = listed.flatMap(({ text: line, found }) => (found.length > 0 ? found : [line]));
  const unique = new Set(lines.map((line) => line.toLowerCase())).size;
  return {
    lines,
    unique,
    possible: unique - new Set([...odd].map((line) => line.toLowerCase())).size,
    odd: [...odd].slice(0, SHOWN),
  };
}

/** A short list that shows every kind of verdict; these addresses live in the simulated world only. */
export const SAMPLE = [
  "anna.keller@gmail.com",
  "gone@gmail.com",
  "former@outlook.com",
  "james.wilson@harborquill.com",
  "maria.rossi@velvetcircuit.com",
  "visitor@mailinator.com",
  "peter.novak@brickwallbank.com",
  "not-an-address",
].join("\n");
