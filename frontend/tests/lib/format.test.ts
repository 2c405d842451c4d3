import { describe, expect, it } from "vitest";

import {
  formatBytes,
  formatConfidence,
  formatDay,
  formatDuration,
  formatNumber,
  formatPercent,
  formatShort,
  formatTime,
  formatTimes,
  plural,
  share,
} from "../../src/lib/format";

it("numbers are grouped, and no value is a dash", () => {
  expect([formatNumber(0), formatNumber(1_000_000), formatNumber(null)]).toEqual(["0", "1,000,000", "–"]);
});

it("short forms begin at ten thousand and have one decimal", () => {
  expect([9_999, 12_345, 1_000_000].map(formatShort)).toEqual(["9,999", "12.3K", "1M"]);
});

it("percents have one decimal at most", () => {
  expect([formatPercent(0.12345), formatPercent(1)]).toEqual(["12.3%", "100%"]);
});

it("[VAL-018] confidence is a percentage", () => {
  expect([0, 0.975, 1].map(formatConfidence)).toEqual(["0%", "98%", "100%"]);
});

it("of two moments of one day the day is named once", () => {
  const [from, to, later] = ["2026-11-21T10:00", "2026-11-21T10:40", "2026-11-23T09:00"] as const;
  expect([formatTimes(from, to), formatTimes(from, later)]).toEqual([
    "21 Nov 2026, 10:00–10:40",
    "21 Nov 2026, 10:00\u2009–\u200923 Nov 2026, 09:00",
  ]);
});

it("a share of nothing is nothing", () => {
  expect([share(1, 4), share(0, 0)]).toEqual([0.25, 0]);
});

it("counts agree with their noun", () => {
  expect([plural(1, "credit"), plural(2, "credit"), plural(0, "address", "addresses")]).toEqual([
    "1 credit",
    "2 credits",
    "0 addresses",
  ]);
});

it("durations use the two largest units", () => {
  expect([45, 60, 125, 3_600, 3_840].map(formatDuration)).toEqual([
    "45 s",
    "1 min",
    "2 min 5 s",
    "1 h",
    "1 h 4 min",
  ]);
});

it("sizes are in the unit that reads best", () => {
  expect([512, 2_048, 10_485_760].map(formatBytes)).toEqual(["512 B", "2 KB", "10 MB"]);
});

describe("times", () => {
  const now = new Date("2025-03-10T12:00:00Z");

  it.each([
    ["2025-03-10T11:59:40Z", "just now"],
    ["2025-03-10T11:15:00Z", "45 minutes ago"],
    ["2025-03-10T07:00:00Z", "5 hours ago"],
    ["2025-03-09T11:00:00Z", "yesterday"],
    ["2025-03-04T12:00:00Z", "6 days ago"],
  ])("%s is %s", (iso, words) => {
    expect(formatTime(iso, now)).toBe(words);
  });

  it("are dates after seven days", () => {
    expect(formatTime("2025-03-03T12:00:00Z", now)).toMatch(/^3 Mar 2025/);
  });
});

it("days are YYYY-MM-DD", () => {
  expect(formatDay(new Date(2025, 0, 5, 23, 59))).toBe("2025-01-05");
});
