import { describe, expect, it } from "vitest";

import {
  formatQuarter,
  formatTitle,
  getPercent,
  getQuarter,
  getStage,
  hasEnded,
  STAGES,
  type Stage,
  type Standing,
} from "../../../../../src/features/validation/batches/progress/list-stage";

const standing = (change: Partial<Standing> = {}): Standing => ({
  status: "processing",
  total: 200,
  processed: 50,
  waiting: 0,
  ...change,
});

describe("where a list stands", () => {
  it.each<[Partial<Standing>, Stage]>([
    [{ status: "queued", processed: 0 }, "queued"],
    [{}, "running"],
    [{ waiting: 149 }, "running"],
    [{ waiting: 150 }, "waiting"],
    [{ processed: 200 }, "settling"],
    [{ status: "completed", processed: 200 }, "finished"],
    [{ status: "paused" }, "paused"],
    [{ status: "cancelled" }, "cancelled"],
    [{ status: "failed" }, "failed"],
    [{ status: "thinking" }, "unfamiliar"],
  ])("%j: %s", (change, stage) => {
    expect(getStage(standing(change))).toBe(stage);
  });

  it("has ended for good in three ways", () => {
    const all = ["queued", "processing", "paused", "completed", "cancelled", "failed"] as const;
    expect(all.filter(hasEnded)).toEqual(["completed", "cancelled", "failed"]);
  });

  it("can be cancelled while something is left, and never once it has ended", () => {
    const stages = Object.keys(STAGES) as Stage[];
    expect(stages.filter((stage) => STAGES[stage].cancels)).toEqual([
      "queued",
      "running",
      "waiting",
      "paused",
    ]);
    expect(stages.filter((stage) => STAGES[stage].cancels && STAGES[stage].ended)).toEqual([]);
  });
});

describe("the percent", () => {
  it.each<[Partial<Standing>, number]>([
    [{ processed: 0 }, 0],
    [{ processed: 1 }, 0],
    [{ processed: 199 }, 99],
    [{ processed: 200 }, 99],
    [{ processed: 150, status: "cancelled" }, 75],
    [{ processed: 200, status: "completed" }, 100],
    [{ total: 0, processed: 0 }, 0],
  ])("of %j is %d: a hundred is only said of what is finished", (change, percent) => {
    expect(getPercent(standing(change))).toBe(percent);
  });

  it("is read out at quarters alone", () => {
    expect([0, 24, 25, 49, 50, 74, 75, 99, 100].map(getQuarter)).toEqual([0, 0, 25, 25, 50, 50, 75, 75, 100]);
    const said = Array.from({ length: 201 }, (_, processed) => formatQuarter(standing({ processed })));
    expect([...new Set(said)]).toEqual([
      "",
      "25% of the list is done.",
      "50% of the list is done.",
      "75% of the list is done.",
    ]);
    expect(formatQuarter(standing({ status: "completed", processed: 200 }))).toBe(
      "100% of the list is done.",
    );
    expect(formatQuarter(standing({ status: "cancelled" }))).toBe("List cancelled");
  });
});

describe("[REP-046] [E5] the title of a list", () => {
  const list = { filename: "newsletter.csv", total_emails: 1_200, checking_in_full: false };

  it.each([
    ["running", list, "Validating newsletter.csv"],
    ["running", { ...list, filename: null }, "Pasted list, 1,200 addresses"],
    ["running", { ...list, checking_in_full: true }, "Checking in full what basic checks left open"],
    ["finished", list, "List finished"],
    ["running", null, "Validating your list"],
  ] as const)("of stage %s: %j", (stage, progress, title) => {
    expect(formatTitle(stage, progress)).toBe(title);
  });
});
