import type { Batch, Counts, ResultRow } from "../../../api/types";

export const PREVIEW_ROWS = 5;

/** What became of a list, with its first results. */
export interface ListOutcome {
  batchId: string;
  counts: Counts & Pick<Batch, "checks">;
  preview: ResultRow[];
  duplicatesRemoved: number;
  creditsUsed: number;
}
