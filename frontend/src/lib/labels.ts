import type { BatchStatus, Category, Counts, ResultRow } from "../api/types";
import { formatCount } from "./format";

/** Order of the categories wherever they are listed or drawn: what can be sent to, what is open, what cannot be. */
export const CATEGORIES: readonly Category[] = [
  "valid",
  "catch_all",
  "unknown",
  "invalid",
  "disposable",
  "spam_trap",
];

export const CATEGORY_WORDS: Record<Category, string> = {
  valid: "Valid",
  invalid: "Invalid",
  catch_all: "Catch-all",
  disposable: "Disposable",
  spam_trap: "Spam trap",
  unknown: "Unknown",
};

/** What the rate means, wherever it is shown. */
export const SUCCESS_RATE = "Valid results over all results";

/** A plan as a word: Growth. */
export function formatPlan(plan: string): string {
  return toSentenceCase(plan);
}

const STATUS_WORDS: Partial<Record<string, string>> = { completed: "finished" };

/** `completed` reads finished; every other status is shown as the server says it. */
export function formatStatus(status: string): string {
  return STATUS_WORDS[status] ?? status;
}

export function isActiveStatus(status: BatchStatus): boolean {
  return status === "queued" || status === "processing";
}

type Verdict = Partial<Pick<ResultRow, "category">> & Pick<ResultRow, "valid" | "disposable">;

/** The category to display: as answered, else valid, else disposable, else unknown. */
export function getCategory({ category, valid, disposable }: Verdict): Category {
  if (category) return category;
  if (valid) return "valid";
  return disposable ? "disposable" : "unknown";
}

export function getCategoryCount(counts: Pick<Counts, `${Category}_count`>, category: Category): number {
  return counts[`${category}_count`];
}

export const LABEL_SAFE = "Safe to send";
export const LABEL_RISKY = "Risky to send";
export const LABEL_NEVER = "Do not send";
/** What to do with an address, as the server calls it. */
export const DECISION_WORDS = { safe: LABEL_SAFE, risky: LABEL_RISKY, do_not_send: LABEL_NEVER } as const;
export type Decision = keyof typeof DECISION_WORDS;
export const DECISIONS = Object.keys(DECISION_WORDS) as readonly Decision[];
const SAFE_ABOVE = 0.6;
const NEVER_SENT: readonly Category[] = ["invalid", "disposable", "spam_trap"];

/** How many are never to be sent to. */
export function countNeverSent(counts: Counts): number {
  return counts.invalid_count + counts.disposable_count + counts.spam_trap_count;
}

export function getDecisionCount(counts: Counts, decision: Decision): number {
  if (decision === "safe") return counts.safe_to_send_count;
  return decision === "risky" ? counts.risky_count : countNeverSent(counts);
}

/** The deliverability label of a result, by category and confidence. */
export function getSendLabel(row: Verdict & Pick<ResultRow, "confidence_score">): string {
  const category = getCategory(row);
  if (category === "valid") return LABEL_SAFE;
  if (NEVER_SENT.includes(category)) return LABEL_NEVER;
  return row.confidence_score > SAFE_ABOVE ? LABEL_SAFE : LABEL_RISKY;
}

/** domain_valid → Domain valid, smtp_sender → SMTP sender. */
export function toSentenceCase(name: string): string {
  const words = name
    .replace("catch_all", "catch-all")
    .replaceAll("_", " ")
    .replace(/\b(?:smtp|dns|mx|tls)\b/g, (short) => short.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A list by its name. */
export interface Named {
  /** Null of a pasted list. */
  filename: string | null;
  total_emails: number;
}

/** The name of its file; of a pasted list how long it is: Pasted list, 1,200 addresses. */
export function formatListName({ filename, total_emails }: Named): string {
  return filename ?? `Pasted list, ${formatCount(total_emails, "address", "addresses")}`;
}

/** Validating newsletter.csv. */
export function formatRunning(list: Named): string {
  return list.filename === null ? formatListName(list) : `Validating ${list.filename}`;
}
