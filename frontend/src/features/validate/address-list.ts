interface AddressList {
  /** Trimmed lines that are not blank, as they were pasted. */
  lines: string[];
  /** How many different ones: that many can cost a credit. */
  unique: number;
}

export function readLines(text: string): AddressList {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return { lines, unique: new Set(lines.map((line) => line.toLowerCase())).size };
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
