import { describe, expect, it } from "vitest";

import { CATEGORIES, getCategory, getSendLabel, formatStatus } from "../../src/lib/labels";
import { resultRow } from "../data";

describe("[VAL-016] the displayed category", () => {
  it("is the answered one", () => {
    expect(getCategory({ category: "catch_all", valid: true, disposable: true })).toBe("catch_all");
  });

  it("falls back to valid, then disposable, then unknown", () => {
    expect(getCategory({ valid: true, disposable: true })).toBe("valid");
    expect(getCategory({ valid: false, disposable: true })).toBe("disposable");
    expect(getCategory({ valid: false, disposable: null })).toBe("unknown");
  });
});

it("[VAL-017] there are six categories", () => {
  expect([...CATEGORIES].sort()).toEqual([
    "catch_all",
    "disposable",
    "invalid",
    "spam_trap",
    "unknown",
    "valid",
  ]);
});

describe("the export label", () => {
  it.each([
    ["valid", 0.2, "Safe to send"],
    ["catch_all", 0.61, "Safe to send"],
    ["catch_all", 0.6, "Risky to send"],
    ["unknown", 0.61, "Safe to send"],
    ["unknown", 0, "Risky to send"],
  ] as const)("[VAL-067] [LIM-027] of %s at %d is %s", (category, confidence_score, label) => {
    expect(getSendLabel(resultRow({ category, confidence_score, valid: category === "valid" }))).toBe(label);
  });

  it.each(["invalid", "disposable", "spam_trap"] as const)("[VAL-068] of %s is Do not send", (category) => {
    expect(getSendLabel(resultRow({ category, valid: false, confidence_score: 0.9 }))).toBe("Do not send");
  });
});

it("[VAL-034] completed reads finished, other statuses stay as they are", () => {
  expect(["completed", "queued", "processing", "failed", "odd"].map(formatStatus)).toEqual([
    "finished",
    "queued",
    "processing",
    "failed",
    "odd",
  ]);
});
