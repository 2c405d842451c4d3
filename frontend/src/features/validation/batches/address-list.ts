// How a typed or pasted text is understood: one address a line, as a table holds them, or with the names of people.

export interface AddressList {
  /** What is sent, in order: an address, or else the line as it was written. */
  lines: string[];
  /** How many different ones: that many are checked. */
  unique: number;
  /** How many of these look like addresses at all: that many can cost a credit, the others cost nothing. */
  possible: number;
  /** The first lines without an address. */
  odd: string[];
  /** An address that was taken out of a longer line. */
  taken: { line: string; address: string } | null;
  /** How many lines held more than their address. */
  longer: number;
  /** The first line of a table, which names its columns. */
  header: string | null;
}

const WHOLE = /^(?:"[^"]+"|[^\s@,;<>|"]+)@[^\s@,;<>|"]+$/;
const BETWEEN = /[\s,;|<>()"]+/;
const COLUMNS = /[\t,;|]/;
const NAME_OF_COLUMN = /^"?e-?mail(?:[ _-]?address)?"?$/i;
const SHOWN = 3;

/** The addresses of a line; none where it holds none. */
function findAddresses(line: string): string[] {
  if (WHOLE.test(line)) return [line];
  return line
    .split(BETWEEN)
    .map((word) => word.replace(/^mailto:/i, ""))
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
  const longer = listed.filter(({ text: line, found }) => found.length > 0 && found[0] !== line);
  const odd = new Set(listed.filter(({ found }) => found.length === 0).map(({ text: line }) => line));
  const lines = listed.flatMap(({ text: line, found }) => (found.length > 0 ? found : [line]));
  const unique = new Set(lines.map((line) => line.toLowerCase())).size;
  const [example] = longer;
  return {
    lines,
    unique,
    possible: unique - new Set([...odd].map((line) => line.toLowerCase())).size,
    odd: [...odd].slice(0, SHOWN),
    taken: example ? { line: example.text, address: example.found[0] ?? "" } : null,
    longer: longer.length,
    header: header?.text ?? null,
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
