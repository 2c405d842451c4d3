// The counts between two polls: they go from what is shown to what the server said last, never beyond it and never back.
import type { BatchProgress } from "../../../../api/types";
import { CATEGORIES } from "../../../../lib/labels";
import { hasEnded } from "./list-stage";

const CATEGORY_COUNTS = CATEGORIES.map((category) => `${category}_count` as const);
const COUNTS = ["processed", ...CATEGORY_COUNTS] as const;

type Count = (typeof COUNTS)[number];
type Counts = Record<Count, number>;

/** From what is shown to the answer of a poll, in so many milliseconds. */
export interface Leg {
  /** The answer as it came. */
  answer: BatchProgress | null;
  from: Counts | null;
  to: BatchProgress | null;
  /** When it began. */
  since: number;
}

function getCounts(progress: BatchProgress): Counts {
  const { processed, valid_count, invalid_count, unknown_count } = progress;
  const { catch_all_count, disposable_count, spam_trap_count } = progress;
  return {
    processed,
    valid_count,
    invalid_count,
    unknown_count,
    catch_all_count,
    disposable_count,
    spam_trap_count,
  };
}

function mapCounts(get: (name: Count) => number): Counts {
  return Object.fromEntries(COUNTS.map((name) => [name, get(name)])) as Counts;
}

/** One that was paused and goes on, or is looked at once more, counts anew. */
function isSameRun(before: BatchProgress, after: BatchProgress): boolean {
  return (
    before.batch_id === after.batch_id &&
    before.rechecking === after.rechecking &&
    before.checking_in_full === after.checking_in_full &&
    !hasEnded(before.status) &&
    !hasEnded(after.status)
  );
}

/**
 * The answer of a poll, with counts that are no lower than those of before: what a worker had counted is counted anew
 * when another takes its rows over. The last word on a list is taken as it is.
 */
export function holdCounts(before: BatchProgress | null, answer: BatchProgress): BatchProgress {
  if (!before || !isSameRun(before, answer)) return answer;
  const highest = mapCounts((name) => Math.max(before[name], answer[name]));
  const sum = CATEGORY_COUNTS.reduce((total, name) => total + highest[name], 0);
  // Rows that got another verdict the second time must not be counted twice.
  if (sum <= highest.processed) return { ...answer, ...highest };
  return { ...answer, ...getCounts(before), processed: highest.processed };
}

/** What is shown of a leg at a time. */
export function getShown({ from, to, since }: Leg, now: number, lastsMs: number): BatchProgress | null {
  const share = lastsMs > 0 ? (now - since) / lastsMs : 1;
  if (!to || !from || share >= 1) return to;
  const part = Math.max(0, share);
  return { ...to, ...mapCounts((name) => from[name] + Math.floor((to[name] - from[name]) * part)) };
}

/** The leg after another answer: from what is shown by then. What has ended stands at once. */
export function startLeg(leg: Leg, answer: BatchProgress | null, now: number, lastsMs: number): Leg {
  if (!answer) return { answer, from: null, to: null, since: now };
  const to = holdCounts(leg.to, answer);
  const shown = getShown(leg, now, lastsMs);
  const moves = shown !== null && leg.to !== null && isSameRun(leg.to, answer);
  return { answer, from: moves ? getCounts(shown) : null, to, since: now };
}
