import { describe, expect, it } from "vitest";

import {
  getShown,
  holdCounts,
  startLeg,
  type Leg,
} from "../../../../../src/features/validation/batches/progress/smooth-counts";
import type { BatchProgress } from "../../../../../src/api/types";
import { progress } from "../../../../data";

const POLL = 2_000;
const NONE: Leg = { answer: null, from: null, to: null, since: 0 };
const at = (processed: number, change: Partial<BatchProgress> = {}) =>
  progress({
    total_emails: 100,
    processed,
    valid_count: processed,
    invalid_count: 0,
    ...change,
  });

describe("the counts between two polls", () => {
  const first = startLeg(NONE, at(10), 1_000, POLL);
  const second = startLeg(first, at(30), 3_000, POLL);

  it("are those of the first answer at once", () => {
    expect(getShown(first, 1_000, POLL)).toEqual(at(10));
  });

  it("go on to the next answer and no further", () => {
    const shown = [2_900, 3_000, 3_500, 4_990, 5_000, 60_000].map((now) => getShown(second, now, POLL));
    expect(shown.map((one) => one?.processed)).toEqual([10, 10, 15, 29, 30, 30]);
    expect(shown.map((one) => one?.valid_count)).toEqual([10, 10, 15, 29, 30, 30]);
  });

  it("go on from what is shown when an answer comes early", () => {
    const third = startLeg(second, at(50), 4_000, POLL);
    expect([4_000, 5_000, 6_000].map((now) => getShown(third, now, POLL)?.processed)).toEqual([20, 35, 50]);
  });

  it("are the last answer's for who wants no motion", () => {
    expect(getShown(startLeg(first, at(30), 3_000, 0), 3_000, 0)?.processed).toBe(30);
  });

  it.each(["completed", "cancelled", "failed"] as const)("stand at once when the list is %s", (status) => {
    const last = startLeg(second, at(40, { status }), 4_000, POLL);
    expect(getShown(last, 4_000, POLL)?.processed).toBe(40);
  });
});

describe("an answer with lower counts", () => {
  it("does not take back what was shown", () => {
    const held = holdCounts(at(50), at(40, { rate: 7 }));
    expect([held.processed, held.valid_count, held.rate]).toEqual([50, 50, 7]);
  });

  it("counts no row twice that got another verdict", () => {
    const held = holdCounts(at(50), at(60, { valid_count: 30, invalid_count: 30 }));
    expect([held.processed, held.valid_count, held.invalid_count]).toEqual([60, 50, 0]);
  });

  it.each<[string, BatchProgress, BatchProgress]>([
    ["is the last word", at(50), at(40, { status: "cancelled" })],
    ["begins another run", at(50), at(0, { rechecking: true })],
    ["follows an end", at(50, { status: "completed" }), at(0)],
  ])("is taken as it is where it %s", (_, before, after) => {
    expect(holdCounts(before, after)).toBe(after);
  });
});
