// What is to be decided of a list before its start.
import type { Draft } from "../../../../api/types";

export function lacksCredits({ cost, credits }: Pick<Draft, "cost" | "credits">): boolean {
  return cost > credits;
}

/** Whether it takes so long that its start is agreed to apart. */
export function needsConsent({ estimate }: Pick<Draft, "estimate">): boolean {
  return estimate?.over_a_day ?? false;
}

/** Whether the full checks of a new account do not cover it, so that it runs basic ones. */
export function exceedsFullChecks({ checks, welcome_credits, max_credits }: Draft): boolean {
  return checks === "basic" && welcome_credits > 0 && max_credits === null;
}

export function getColumns(draft: Draft): Draft["sheets"][number]["columns"] {
  return draft.sheets.find(({ name }) => name === draft.sheet)?.columns ?? [];
}

/** Whether another column than the chosen ones looks like one of addresses too. */
function hasOtherColumns(draft: Draft): boolean {
  return getColumns(draft).filter(({ likely }) => likely).length > draft.email_columns.length;
}

/** Whether a list is worth a look at what it costs, and at a sample of it. */
export function isLong({ unique }: Pick<Draft, "unique">): boolean {
  return unique >= 1_000;
}

/** Whether a typed list waits for its review; else it starts at once. */
export function needsReview(draft: Draft): boolean {
  return [
    draft.repaired_count > 0,
    draft.suggestions_count > 0,
    draft.overfull_count > 0,
    draft.known !== null,
    isLong(draft),
    lacksCredits(draft),
    needsConsent(draft),
    exceedsFullChecks(draft),
    hasOtherColumns(draft),
  ].some(Boolean);
}

/** Whether there is nothing to choose of how a file is read: one column of one sheet, in the usual encoding. */
export function isPlain(draft: Draft): boolean {
  const { sheets, encoding } = draft;
  return sheets.length === 1 && getColumns(draft).length === 1 && (encoding === null || encoding === "utf-8");
}
