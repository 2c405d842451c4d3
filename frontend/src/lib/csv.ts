export type Cell = string | number | boolean | null;

// The rule of `emailcheck/common/text/csv_cells.py`, for the files that are made here; tests/formula_cells.json holds both to it.
const RUNS = /^[ \u00a0\ufeff]*(?:[=@\t\r\n＝＠]|([+\-＋－]))/;
const NUMBER = /^[\p{Nd} \u00a0\ufeff.,()/-]*$/u;
const ATOM = String.raw`[^\x00-\x20\x7f\s"(),.:;<>@[\]\\]+`;
const NO_LETTER = String.raw`\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\s＋－＝＠`;
const LABEL = `[^${NO_LETTER}]+(?:-+[^${NO_LETTER}]+)*`;
const ADDRESS = new RegExp(String.raw`^(${ATOM}(?:\.${ATOM})*)@(?:${LABEL}\.)+(?=\P{Nd})${LABEL}$`, "u");
const ADDRESS_OCTETS = 254;
const LOCAL_PART_OCTETS = 64;

const countOctets = (text: string) => new TextEncoder().encode(text).length;

function isPossibleAddress(text: string): boolean {
  const local = ADDRESS.exec(text)?.[1];
  return (
    local !== undefined && countOctets(text) <= ADDRESS_OCTETS && countOctets(local) <= LOCAL_PART_OCTETS
  );
}

/** Whether a spreadsheet could run the cell: it begins as a formula, and is no number, phone number or address. */
function isFormula(cell: string): boolean {
  const start = RUNS.exec(cell);
  if (!start?.[1]) return start !== null;
  const bare = cell.replace(/^[ \u00a0\ufeff]+|[ \u00a0\ufeff]+$/g, "");
  return !NUMBER.test(cell.slice(start[0].length)) && !isPossibleAddress(bare);
}

/** One quoted cell; a text that a spreadsheet could run gets an apostrophe in front. */
export function formatCsvCell(value: Cell): string {
  if (value === null) return '""';
  const text = String(value);
  const safe = typeof value === "string" && isFormula(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

export function formatCsvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => row.map(formatCsvCell).join(",")).join("\r\n") + "\r\n";
}
