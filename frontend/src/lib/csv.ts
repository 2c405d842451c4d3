import type { Counts, ResultRow } from "../api/types";
import { formatConfidence, formatDay } from "./format";
import {
  CATEGORIES,
  CATEGORY_WORDS,
  countOf,
  displayCategory,
  LABEL_NEVER,
  LABEL_RISKY,
  LABEL_SAFE,
  labelOf,
  neverSent,
} from "./words";

export type Cell = string | number | boolean | null;

// The rule of `emailcheck/common/cells.py`, for the files that are made here; tests/formula_cells.json holds both to it.
const RUNS = /^[ \u00a0\ufeff]*(?:[=@\t\r\n＝＠]|([+\-＋－]))/;
const NUMBER = /^[\p{Nd} \u00a0\ufeff.,()/-]*$/u;
const ATOM = String.raw`[^\x00-\x20\x7f\s"(),.:;<>@[\]\\]+`;
const NO_LETTER = String.raw`\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\s`;
const LABEL = `[^${NO_LETTER}]+(?:-+[^${NO_LETTER}]+)*`;
const ADDRESS = new RegExp(String.raw`^(${ATOM}(?:\.${ATOM})*)@(?:${LABEL}\.)+(?=\P{Nd})${LABEL}$`, "u");
const ADDRESS_OCTETS = 254;
const LOCAL_PART_OCTETS = 64;

const octets = (text: string) => new TextEncoder().encode(text).length;

function isPossibleAddress(text: string): boolean {
  const local = ADDRESS.exec(text)?.[1];
  return local !== undefined && octets(text) <= ADDRESS_OCTETS && octets(local) <= LOCAL_PART_OCTETS;
}

/** Whether a spreadsheet could run the cell: it begins as a formula, and is no number, phone number or address. */
function isFormula(cell: string): boolean {
  const start = RUNS.exec(cell);
  if (!start?.[1]) return start !== null;
  const bare = cell.replace(/^[ \u00a0\ufeff]+|[ \u00a0\ufeff]+$/g, "");
  return !NUMBER.test(cell.slice(start[0].length)) && !isPossibleAddress(bare);
}

/** One quoted cell; a text that a spreadsheet could run gets an apostrophe in front. */
export function csvCell(value: Cell): string {
  if (value === null) return '""';
  const text = String(value);
  const safe = typeof value === "string" && isFormula(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";
}

const RESULT_COLUMNS = [
  "email",
  "category",
  "label",
  "confidence",
  "reason",
  "syntax_valid",
  "domain_valid",
  "smtp_valid",
  "is_disposable",
  "is_catch_all",
  "is_spam_trap",
  "free_email",
  "explanation",
  "validated_at",
  "checks",
] as const;

function resultCells(row: ResultRow): Cell[] {
  return [
    row.email,
    displayCategory(row),
    labelOf(row),
    formatConfidence(row.confidence_score),
    row.reason,
    row.syntax_valid,
    row.domain_valid,
    row.smtp_valid,
    row.is_disposable,
    row.is_catch_all,
    row.is_spam_trap,
    row.free_email,
    row.details.category_reason,
    row.validated_at,
    row.checks,
  ];
}

/** The lines above a bulk or history export: what it is and its totals. */
export function summaryHeader(title: string, counts: Counts, now: Date = new Date()): Cell[][] {
  return [
    [title],
    ["Exported", now.toISOString()],
    ["Total", counts.total_emails],
    ...CATEGORIES.map((category): Cell[] => [CATEGORY_WORDS[category], countOf(counts, category)]),
    [LABEL_SAFE, counts.safe_to_send_count],
    [LABEL_RISKY, counts.risky_count],
    [LABEL_NEVER, neverSent(counts)],
    [],
  ];
}

/** Counts of rows at hand, by the same rule as the server's. */
export function countRows(rows: readonly ResultRow[]): Counts {
  const of = (test: (row: ResultRow) => boolean) => rows.filter(test).length;
  const category = (name: string) => of((row) => displayCategory(row) === name);
  return {
    total_emails: rows.length,
    valid_count: category("valid"),
    invalid_count: category("invalid"),
    unknown_count: category("unknown"),
    catch_all_count: category("catch_all"),
    disposable_count: category("disposable"),
    spam_trap_count: category("spam_trap"),
    safe_to_send_count: of((row) => labelOf(row) === LABEL_SAFE),
    risky_count: of((row) => labelOf(row) === LABEL_RISKY),
  };
}

export function resultsCsv(rows: readonly ResultRow[], header: Cell[][] = []): string {
  return csvLines([...header, [...RESULT_COLUMNS], ...rows.map(resultCells)]);
}

/** Characters that no file system takes are replaced. */
function plain(name: string): string {
  return Array.from(name, (char) => (char < " " || '\\/:*?"<>|'.includes(char) ? "-" : char)).join("");
}

export const fileNames = {
  bulk: (id: string, day = formatDay()) => `bulk-validation-${plain(id)}-${day}.csv`,
  batch: (filenameOrId: string, day = formatDay()) => `batch-${plain(filenameOrId)}-${day}.csv`,
  individuals: (day = formatDay()) => `individual-validations-${day}.csv`,
  individual: (email: string, day = formatDay()) =>
    `individual-validation-${plain(email.replaceAll("@", "-at-"))}-${day}.csv`,
  history: (scope: string, day = formatDay()) => `detailed-history-${plain(scope)}-${day}.csv`,
};
