import { describe, expect, it } from "vitest";

import { listTimes } from "../../../src/features/adminpanel/reports/times";
import {
  buildCountAxis,
  buildTickFormat,
  buildTicks,
} from "../../../src/features/validation/analytics/ticks";

describe("ticks", () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [10, [0, 5, 10]],
    [23, [0, 10, 20, 30]],
    [100, [0, 50, 100]],
    [1_234, [0, 500, 1_000, 1_500]],
    [40_000, [0, 10_000, 20_000, 30_000, 40_000]],
    [700_001, [0, 200_000, 400_000, 600_000, 800_000]],
  ])("up to %d go by 1, 2 or 5 from nought", (most, ticks) => {
    expect(buildTicks(most)).toEqual(ticks);
  });

  it.each([
    [1_234, ["0", "500", "1,000", "1,500"]],
    [9_000, ["0", "5K", "10K"]],
    [40_000, ["0", "10K", "20K", "30K", "40K"]],
    [900_000, ["0", "0.5M", "1.0M"]],
    [3_000_000, ["0", "1M", "2M", "3M"]],
  ])("of an axis up to %d have one format", (most, words) => {
    const ticks = buildTicks(most);
    expect(ticks.map(buildTickFormat(ticks))).toEqual(words);
  });

  it("the axis ends at its last one", () => {
    expect(buildCountAxis(1_234)).toMatchObject({ ticks: [0, 500, 1_000, 1_500], domain: [0, 1_500] });
  });
});

describe("times below a day of measurements", () => {
  const at = (time: string) => Date.parse(`2026-11-20T${time}:00Z`);

  it.each([
    [at("00:00"), at("23:59"), ["03:00", "08:00", "13:00", "18:00", "23:00"]],
    [at("09:45"), at("13:10"), ["10:00", "11:00", "12:00", "13:00"]],
    [at("12:05"), at("12:41"), ["12:10", "12:20", "12:30", "12:40"]],
  ])("from %d to %d", (from, until, hours) => {
    expect(listTimes(from, until).map((hour) => new Date(hour).toISOString().slice(11, 16))).toEqual(hours);
  });
});
