// The parts of a list that can be downloaded on their own.
import type { BatchDetail, Category } from "../../../api/types";
import {
  CATEGORIES,
  CATEGORY_WORDS,
  DECISIONS,
  DECISION_WORDS,
  getCategoryCount,
  getDecisionCount,
} from "../../../lib/labels";
import type { Format } from "./server-export";

export interface Segment {
  key: string;
  name: string;
  hint?: string;
  /** Null until it is known. */
  count: number | null;
}

export const EMPTY_SEGMENT = "No addresses in this segment";

/** The valid ones are among those that are safe, and the traps among those not to send to. */
function isSegment(category: Category): boolean {
  return category !== "valid" && category !== "spam_trap";
}

function listWholes(batch: BatchDetail, format: Format): Segment[] {
  const count = batch.processed;
  // All rows of the uploaded file are an entry of their own.
  if (format === "original") {
    return [
      { key: "unique", name: "Duplicates removed", hint: "Each address once, in its first row.", count },
    ];
  }
  const hint = "The same lines: every address was checked once, and is listed once.";
  return [
    { key: "all", name: "All results", count },
    { key: "unique", name: "Duplicates removed", hint, count },
  ];
}

/** The segments of a list with their counts; some overlap. */
export function listSegments(batch: BatchDetail, format: Format): Segment[] {
  return [
    ...listWholes(batch, format),
    ...DECISIONS.map((key) => ({ key, name: DECISION_WORDS[key], count: getDecisionCount(batch, key) })),
    ...CATEGORIES.filter(isSegment).map((key) => ({
      key,
      name: CATEGORY_WORDS[key],
      count: getCategoryCount(batch, key),
    })),
    { key: "role", name: "Role addresses", hint: "Such as info@ and sales@.", count: batch.role_count },
    {
      key: "typo",
      name: "Typing errors",
      hint: "Each with the address that was probably meant.",
      count: batch.typo_count,
    },
  ];
}
