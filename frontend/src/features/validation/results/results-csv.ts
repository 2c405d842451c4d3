// The CSV files of results that the browser itself makes.
import type { Counts, ResultRow } from "../../../api/types";
import { formatCsvLines, type Cell } from "../../../lib/csv";
import { formatConfidence, formatDay } from "../../../lib/format";
import {
  CATEGORIES,
  CATEGORY_WORDS,
  getCategoryCount,
  getCategory,
  LABEL_NEVER,
  LABEL_RISKY,
  LABEL_SAFE,
  getSendLabel,
  countNeverSent,
} from "../../../lib/labels";

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

function buildCells(row: ResultRow): Cell[] {
  return [
    row.email,
    getCategory(row),
    getSendLabel(row),
    formatConfidence(row.confidence_score),
    row.reason,
    row.syntax_valid,
    row.domain_valid,
    row.smtp_valid,
    row.disposable,
    row.is_catch_all,
    row.is_spam_trap,
    row.free_email,
    row.details.category_reason,
    row.validated_at,
    row.checks,
  ];
}

/** The lines above a bulk or history export: what it is and its totals. */
export function buildSummaryHeader(title: string, counts: Counts, now: Date = new Date()): Cell[][] {
  return [
    [title],
    ["Exported", now.toISOString()],
    ["Total", counts.total_emails],
    ...CATEGORIES.map((category): Cell[] => [CATEGORY_WORDS[category], getCategoryCount(counts, category)]),
    [LABEL_SAFE, counts.safe_to_send_count],
    [LABEL_RISKY, counts.risky_count],
    [LABEL_NEVER, countNeverSent(counts)],
    [],
  ];
}

/** Counts of rows at hand, by the same rule as the server's. */
export function countRows(rows: readonly ResultRow[]): Counts {
  const of = (test: (row: ResultRow) => boolean) => rows.filter(test).length;
  const category = (name: string) => of((row) => getCategory(row) === name);
  return {
    total_emails: rows.length,
    valid_count: category("valid"),
    invalid_count: category("invalid"),
    unknown_count: category("unknown"),
    catch_all_count: category("catch_all"),
    disposable_count: category("disposable"),
    spam_trap_count: category("spam_trap"),
    safe_to_send_count: of((row) => getSendLabel(row) === LABEL_SAFE),
    risky_count: of((row) => getSendLabel(row) === LABEL_RISKY),
  };
}

export function formatResultsCsv(rows: readonly ResultRow[], header: Cell[][] = []): string {
  return formatCsvLines([...header, [...RESULT_COLUMNS], ...rows.map(buildCells)]);
}

/** Characters that no file system takes are replaced. */
function cleanFileName(name: string): string {
  return Array.from(name, (char) => (char < " " || '\\/:*?"<>|'.includes(char) ? "-" : char)).join("");
}

export const fileNames = {
  bulk: (id: string, day = formatDay()) => `bulk-validation-${cleanFileName(id)}-${day}.csv`,
  /** The name of the list without the ending of its file, and what part of it this is. */
  batch: (filenameOrId: string, parts: readonly string[] = [], day = formatDay()) =>
    `${["batch", cleanFileName(filenameOrId.replace(/\.(?:csv|tsv|txt|xlsx?)$/i, "")), ...parts, day].join("-")}.csv`,
  individuals: (day = formatDay()) => `individual-validations-${day}.csv`,
  individual: (email: string, day = formatDay()) =>
    `individual-validation-${cleanFileName(email.replaceAll("@", "-at-"))}-${day}.csv`,
  chosen: (day = formatDay()) => `chosen-results-${day}.csv`,
  history: (scope: string, day = formatDay()) => `detailed-history-${cleanFileName(scope)}-${day}.csv`,
};
