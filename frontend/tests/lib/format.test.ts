import { describe, expect, it } from "vitest";

import {
  formatAbout,
  formatBytes,
  formatClock,
  formatConfidence,
  formatDay,
  formatDuration,
  formatNumber,
  formatPercent,
  formatShort,
  formatTime,
  formatTimes,
  formatCount,
  calculateShare,
} from "../../src/lib/format";

it("numbers are grouped, and no value is a dash", () => {
  expect([formatNumber(0), formatNumber(1_000_000), formatNumber(null)]).toEqual(["0", "1,000,000", "–"]);
});

it("short forms begin beyond seven digits and never claim more than there is", () => {
  expect([12_345, 9_999_999, 12_999_999].map(formatShort)).toEqual(["12,345", "9,999,999", "12.9M"]);
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
  expect([calculateShare(1, 4), calculateShare(0, 0)]).toEqual([0.25, 0]);
});

it("counts agree with their noun", () => {
  expect([
    formatCount(1, "credit"),
    formatCount(2, "credit"),
    formatCount(0, "address", "addresses"),
  ]).toEqual(["1 credit", "2 credits", "0 addresses"]);
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

it("[A6] times that are not known to the second are rounded up", () => {
  expect([0, 12, 50, 51, 110, 5_520, 86_400, 90_001, 187_200].map(formatAbout)).toEqual([
    "10 s",
    "20 s",
    "50 s",
    "1 min",
    "2 min",
    "1 h 32 min",
    "1 day",
    "1 day 2 h",
    "2 days 4 h",
  ]);
});

it("times of day name the day where it is another one", () => {
  const now = new Date(2025, 2, 10, 12);
  const clocks = [new Date(2025, 2, 10, 14, 20), new Date(2025, 2, 11, 9, 5)];
  expect(clocks.map((then) => formatClock(then.toISOString(), now))).toEqual(["14:20", "11 Mar, 09:05"]);
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
