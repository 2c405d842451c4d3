import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import Analytics from "../../src/islands/analytics";
import { buildBarLink } from "../../src/features/validation/analytics/history-link";
import { groupBars, joinDays } from "../../src/features/validation/analytics/usage-series";
import * as download from "../../src/lib/download";
import { overview } from "../data";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const nothing = { valid: 0, catch_all: 0, unknown: 0, disposable: 0, spam_trap: 0, invalid: 0 };
const some = { valid: 5, catch_all: 1, unknown: 1, disposable: 1, spam_trap: 0, invalid: 2 };

function day(date: string, validations = 0, categories = nothing) {
  const { valid, catch_all, unknown, disposable, spam_trap, invalid } = categories;
  const groups = { valid, unknown: unknown + catch_all, invalid: invalid + disposable + spam_trap };
  return { date, validations, ...groups, categories };
}

const days = [day("2026-02-28"), day("2026-03-01", 10, some), day("2026-03-02")];
const comparison = {
  previousUsage: ["2026-02-25", "2026-02-26", "2026-02-27"].map((date) => ({
    date,
    validations: 0,
    accuracy: null,
  })),
  firstDay: "2026-03-01",
};
const usage = {
  total: 10,
  validationBreakdown: { valid: 5, invalid: 2, risky: 2, disposable: 1 },
  dailyUsage: days,
  ...comparison,
};
const advanced = {
  validationBreakdown: usage.validationBreakdown,
  usagePatterns: {
    dailyUsage: days.map((one) => ({ ...one, accuracy: one.validations > 0 ? 90 : null })),
    ...comparison,
  },
  overview: {
    totalValidations: 10,
    successRate: 60,
    creditsUsed: 9,
    creditsRemaining: 50_091,
    avgResponseTime: 1_500,
    costSavings: 0.15,
    roiPercentage: 214.3,
  },
  insights: ["60.0% of the addresses are safe to send to."],
  costAnalysis: { creditsUsed: 9, costPerValidation: 0.0079, totalCost: 0.07 },
};

function open(plan: string, handlers: Record<string, Handler> = {}) {
  const calls = serve({
    "GET /api/analytics/dashboard": () => json(overview({ subscription_plan: plan })),
    "GET /api/analytics/usage": () => json(usage),
    "GET /api/analytics/advanced": () => json(advanced),
    ...handlers,
  });
  return { calls, user: show(<Analytics />) };
}

function card(name: string) {
  return within(screen.getByRole("region", { name }));
}

describe.each(["free", "starter"])("[DASH-013] [DASH-020] on %s", (plan) => {
  it("shows thirty days with an upgrade hint, and asks for nothing advanced", async () => {
    const { calls } = open(plan);
    expect(await screen.findByRole("heading", { name: "Daily usage" })).toBeTruthy();
    expect(screen.getByText(/^Advanced analytics are available from the Growth plan/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Upgrade" }).getAttribute("href")).toBe("/dashboard?tab=pricing");
    expect(screen.queryByRole("button", { name: "7 Days" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Export CSV" })).toBeNull();
    expect(calls.map(({ path }) => path)).toEqual(["/api/analytics/dashboard", "/api/analytics/usage"]);
    expect(calls[1]?.query.get("range")).toBe("30d");
  });
});

it("[DASH-013] the numbers of a chart are in a table, newest day first", async () => {
  const { user } = open("free");
  await screen.findByRole("heading", { name: "Daily usage" });
  await user.click(card("Daily usage").getByText("Show data table"));
  const rows = card("Daily usage")
    .getAllByRole("row")
    .map(({ textContent }) => textContent);
  expect(rows).toEqual([
    "Day (UTC)ValidationsValidCatch-allUnknownInvalidDisposableSpam trap",
    "2 Mar 20260000000",
    "1 Mar 202610511210",
  ]);
  await user.click(card("Categories").getByText("Show data table"));
  expect(
    card("Categories")
      .getAllByRole("row")
      .map(({ textContent }) => textContent),
  ).toEqual([
    "CategoryAddressesShare",
    "Valid550%",
    "Catch-all110%",
    "Unknown110%",
    "Invalid220%",
    "Disposable110%",
    "Spam trap00%",
  ]);
});

it("begins with the first day that was counted, and says so", async () => {
  open("free");
  expect(await screen.findByText("Since 1 Mar 2026, the day of the first check.")).toBeTruthy();
  expect(card("Daily usage").queryByText("Previous period")).toBeNull();
});

it("a day and a category lead to History", async () => {
  const { user } = open("free");
  const bars = within(await screen.findByRole("list", { name: "Results by category" }));
  expect(bars.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])[2]).toEqual([
    "Unknown1 · 10%",
    "/dashboard?tab=history&from=2026-03-01&to=2026-03-02&category=unknown",
  ]);
  await user.click(card("Daily usage").getByText("Show data table"));
  expect(card("Daily usage").getByRole("link", { name: "1 Mar 2026" }).getAttribute("href")).toBe(
    "/dashboard?tab=history&from=2026-03-01&to=2026-03-01",
  );
});

it("names the previous period where there was any", async () => {
  const previousUsage = comparison.previousUsage.map((one) => ({ ...one, validations: 4 }));
  const { user } = open("free", { "GET /api/analytics/usage": () => json({ ...usage, previousUsage }) });
  await screen.findByRole("heading", { name: "Daily usage" });
  expect(card("Daily usage").getAllByRole("listitem").at(-1)?.textContent).toBe("Previous period");
  await user.click(card("Daily usage").getByText("Show data table"));
  expect(card("Daily usage").getByRole("row", { name: /^1 Mar 2026/ }).textContent).toBe(
    "1 Mar 2026105112104",
  );
});

describe("[DASH-020] from Growth", () => {
  it("switches the range in the address and asks for one's own figures", async () => {
    const { calls, user } = open("growth");
    await user.click(await screen.findByRole("button", { name: "1 Year" }));
    await vi.waitFor(() => expect(calls.at(-1)?.query.toString()).toBe("range=1y&scope=me"));
    expect(location.search).toContain("range=1y");
    expect(screen.getByRole("button", { name: "1 Year" }).getAttribute("aria-pressed")).toBe("true");
    expect(screen.getByText("60.0% of the addresses are safe to send to.")).toBeTruthy();
    expect(screen.getByText("1.5 s")).toBeTruthy();
    expect(screen.getByText("$0.07")).toBeTruthy();
  });

  it("exports what is shown as CSV and JSON", async () => {
    const saved: string[] = [];
    vi.spyOn(download, "saveCsv").mockImplementation((text, name) => void saved.push(name, text));
    vi.spyOn(download, "saveBlob").mockImplementation((_, name) => void saved.push(name));
    const { user } = open("growth");
    await screen.findByRole("heading", { name: "Insights" });
    await user.click(screen.getByRole("button", { name: "Export CSV" }));
    expect(await screen.findByText("Export completed: analytics-30d.csv")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Export JSON" }));
    expect(saved[0]).toBe("analytics-30d.csv");
    expect(saved[1]).toContain(
      '"date","validations","valid","catch_all","unknown","invalid","disposable","spam_trap"',
    );
    expect(saved[1]).toContain('"2026-03-01","10","5","1","1","2","1","0","90"');
    expect(saved[2]).toBe("analytics-30d.json");
  });
});

it("a failed load shows the reason and no chart", async () => {
  const { user } = open("growth", {
    "GET /api/analytics/advanced": () => refusal(400, "ODD", "Something odd happened"),
  });
  expect(await screen.findByText("Something odd happened")).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Daily usage" })).toBeNull();
  expect(screen.getByRole("button", { name: "Export CSV" })).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("button", { name: "Retry" }));
});

it("keeps its heading while the account cannot be loaded", async () => {
  open("growth", { "GET /api/analytics/dashboard": () => json({}, 400) });
  expect(await screen.findByRole("heading", { level: 2, name: "Failed to load analytics" })).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "Analytics" })).toBeTruthy();
});

it("nothing in the range offers to start", async () => {
  open("free", { "GET /api/analytics/usage": () => json({ ...usage, total: 0 }) });
  expect(await screen.findByText("Nothing was validated in this range")).toBeTruthy();
});

it("a year is drawn by whole weeks, and nothing is lost", () => {
  const previous = { date: "2025-01-01", validations: 2, accuracy: null };
  const year = Array.from({ length: 365 }, (_, index) => ({
    date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    validations: 3,
    categories: { ...nothing, valid: 1, invalid: 2 },
    previous,
  }));
  const { bars, weekly } = groupBars(year);
  expect([weekly, bars.length, bars[0]?.validations, bars[52]?.validations]).toEqual([true, 53, 3, 21]);
  expect(bars[52]?.categories).toEqual({ ...nothing, valid: 7, invalid: 14 });
  expect(bars[52]?.previous).toEqual({ date: "2025-01-01", validations: 14, accuracy: null });
  expect(bars.reduce((sum, bar) => sum + bar.validations, 0)).toBe(365 * 3);
  expect(groupBars(year.slice(0, 90)).weekly).toBe(false);
  expect(groupBars(year.slice(0, 90), true)).toMatchObject({ weekly: true, bars: { length: 13 } });
  expect(groupBars(year.slice(0, 30), true).weekly).toBe(false);
});

it("a week leads to its seven days, the last one to no day after the range", () => {
  const range = joinDays({ dailyUsage: days, previousUsage: [], firstDay: null });
  expect(buildBarLink("2026-02-28", true, range)).toBe(
    "/dashboard?tab=history&from=2026-02-28&to=2026-03-02",
  );
  expect(buildBarLink("2026-02-20", true, range, "valid")).toBe(
    "/dashboard?tab=history&from=2026-02-20&to=2026-02-26&category=valid",
  );
});
