import { describe, expect, it, vi } from "vitest";

import { findSteps, readRowId } from "../../../../../src/features/validation/results/explorer/use-inspector";
import { resultRow } from "../../../../data";

const rows = ["1", "2", "3"].map((id) => resultRow({ id }));

function setUp(id: string | null, next: string | null, seenBefore: boolean) {
  const calls: unknown[] = [];
  const goOn = vi.fn((...args: unknown[]) => calls.push(["on", ...args]));
  const turnBack = seenBefore ? vi.fn((...args: unknown[]) => calls.push(["back", ...args])) : null;
  const open = (row: { id: string }) => calls.push(["open", row.id]);
  const steps = findSteps(
    id,
    { results: rows, total: 9, total_is_least: false, next_cursor: next },
    { goOn, turnBack },
    open,
  );
  steps.back?.();
  steps.on?.();
  return calls;
}

describe("the rows beside the open one", () => {
  it("are those above and below", () => {
    expect(setUp("2", null, false)).toEqual([
      ["open", "1"],
      ["open", "3"],
    ]);
  });

  it("are the last of the page before and the first of the next page at the ends", () => {
    expect(setUp("1", "c2", true)).toEqual([
      ["back", { row: "last" }],
      ["open", "2"],
    ]);
    expect(setUp("3", "c2", true)).toEqual([
      ["open", "2"],
      ["on", "c2", { row: "first" }],
    ]);
  });

  it("are none at the ends of the list, beside a row of another page, and before the page is there", () => {
    expect(setUp("1", "c2", false)).toEqual([["open", "2"]]);
    expect(setUp("3", null, false)).toEqual([["open", "2"]]);
    expect(setUp("7", "c2", true)).toEqual([]);
    expect(findSteps("1", undefined, { goOn: vi.fn(), turnBack: null }, vi.fn())).toEqual({
      back: null,
      on: null,
    });
  });
});

it("a row is named by its id alone", () => {
  const id = `res_${"a".repeat(26)}`;
  expect([id, "first", "last", "-1", "a b", "a".repeat(41), "", null].map(readRowId)).toEqual([
    id,
    ...Array<null>(7).fill(null),
  ]);
});
