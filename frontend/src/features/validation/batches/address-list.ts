export interface AddressList {
  /** Trimmed lines that are not blank, as they were pasted. */
  lines: string[];
  /** How many different ones: that many can cost a credit. */
  unique: number;
  /** How many of these look like addresses at all; the others cost nothing. */
  possible: number;
}

export function readLines(text: string): AddressList {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const different = [...new Set(lines.map((line) => line.toLowerCase()))];
  return { lines, unique: different.length, possible: different.filter((line) => /.@./.test(line)).length };
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
