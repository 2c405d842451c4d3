// Which unknown rows of a list may be looked at once more, free of charge.
import type { BatchDetail } from "../../../api/types";

/** How many rows a free second look takes up: those that are unknown though every check was made. */
export function countUndecided({ unknown_count, not_in_plan_count }: BatchDetail): number {
  return unknown_count - not_in_plan_count;
}

/** Whether unknown rows may still be looked at again. */
export function canRecheck(batch: BatchDetail): boolean {
  const { status: processing_status, rechecked_at, expired_at } = batch;
  return processing_status === "completed" && countUndecided(batch) > 0 && !rechecked_at && !expired_at;
}
