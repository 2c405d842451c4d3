import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import Analytics from "../../src/islands/analytics";
import { groupBars } from "../../src/features/validation/analytics/usage-series";
import * as download from "../../src/lib/download";
import { overview } from "../data";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const days = [
  { date: "2026-03-01", validations: 10, valid: 6, invalid: 3, unknown: 1 },
  { date: "2026-03-02", validations: 0, valid: 0, invalid: 0, unknown: 0 },
];
const usage = {
  total: 10,
  validationBreakdown: { valid: 6, invalid: 2, risky: 1, disposable: 1 },
  dailyUsage: days,
};
const advanced = {
  validationBreakdown: usage.validationBreakdown,
  usagePatterns: { dailyUsage: days.map((day, index) => ({ ...day, accuracy: index === 0 ? 90 : null })) },
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
    "GET /api/analytics/dashboard": () => json(overview({ current_plan: plan })),
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
  expect(rows.slice(1)).toEqual(["2 Mar 20260000", "1 Mar 202610613"]);
  await user.click(card("Categories").getByText("Show data table"));
  expect(
    card("Categories")
      .getAllByRole("row")
      .map(({ textContent }) => textContent),
  ).toEqual(["CategoryAddressesShare", "Valid660%", "Risky110%", "Disposable110%", "Invalid220%"]);
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
    expect(saved[1]).toContain('"2026-03-01","10","6","3","1","90"');
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
  const year = Array.from({ length: 365 }, (_, index) => ({
    date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    validations: 3,
    valid: 1,
    invalid: 1,
    unknown: 1,
  }));
  const { bars, weekly } = groupBars(year);
  expect([weekly, bars.length, bars[0]?.validations, bars[52]?.validations]).toEqual([true, 53, 3, 21]);
  expect(bars.reduce((sum, bar) => sum + bar.validations, 0)).toBe(365 * 3);
  expect(groupBars(year.slice(0, 90)).weekly).toBe(false);
});
