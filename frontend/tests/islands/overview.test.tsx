import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";

import Overview from "../../src/islands/overview";
import * as download from "../../src/lib/download";
import { formatDay } from "../../src/lib/format";
import { batch, credits, historyPage, overview, resultRow } from "../data";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

let saved: [string, string[]][];

beforeEach(() => {
  saved = [];
  vi.spyOn(download, "saveCsv").mockImplementation((text, name) => {
    saved.push([name, text.trim().split("\r\n")]);
  });
});

function open(handlers: Record<string, Handler> = {}) {
  const calls = serve({
    "GET /api/analytics/dashboard": () => json(overview()),
    "GET /api/credits": () => json(credits({ credits: 49_981, plan_credits: 9_981, pack_credits: 40_000 })),
    ...handlers,
  });
  return { calls, user: show(<Overview />) };
}

function lines(): (string | null)[] {
  return Array.from(document.querySelectorAll(".side-line"), ({ textContent }) => textContent);
}

it("[DASH-006] [DASH-022] shows the figures of the account", async () => {
  open();
  expect(await screen.findByText("Growth")).toBeTruthy();
  expect(lines()).toEqual([
    "Monthly usage19 / 10,000 0.2%",
    "Current planGrowth",
    "Total validations21",
    "Success rate52.4%",
  ]);
  expect(screen.getByRole("progressbar", { name: "Monthly usage" }).getAttribute("aria-valuetext")).toBe(
    "0.2%",
  );
  expect(await screen.findByText("Plan 9,981")).toBeTruthy();
  expect(screen.getByText("Packs 40,000")).toBeTruthy();
  expect(document.querySelector(".credits")?.textContent).toBe("49,981 credits");
  expect(screen.getByTitle("Valid results over all results")).toBeTruthy();
});

it("[DASH-024] stops the bar at 100 % and adds what came from packs", async () => {
  const figures = overview({ monthly_usage: 12_345, usage_percentage: 100 });
  open({ "GET /api/analytics/dashboard": () => json(figures) });
  expect(await screen.findByText("+2,345 from packs")).toBeTruthy();
  const bar = screen.getByRole("progressbar", { name: "Monthly usage" });
  expect(bar.getAttribute("aria-valuenow")).toBe("100");
});

it("[J5] [DASH-024] shows a month's share of credits that came for a year, with its bar", async () => {
  const year = {
    subscription_plan: "enterprise",
    monthly_limit: 24_375,
    monthly_usage: 30_000,
    usage_percentage: 100,
  };
  open({ "GET /api/analytics/dashboard": () => json(overview(year)) });
  expect(await screen.findByText("+5,625 beyond the month's share")).toBeTruthy();
  expect(lines()[0]).toContain("30,000 / 24,375");
  expect(screen.getByRole("progressbar", { name: "Monthly usage" }).getAttribute("aria-valuenow")).toBe(
    "100",
  );
});

it("[DASH-024] shows what was used alone where a plan has no limit a month", async () => {
  open({ "GET /api/analytics/dashboard": () => json(overview({ monthly_limit: 0, monthly_usage: 1_200 })) });
  expect(await screen.findByText("Growth")).toBeTruthy();
  expect(lines()[0]).toBe("Monthly usage1,200");
  expect(screen.queryByRole("progressbar")).toBeNull();
});

it("[J4] [DASH-009] [DASH-018] a failed load says so in its place and in a toast, and offers Retry", async () => {
  const answers = [() => json({}, 400), () => json(overview())];
  const { user } = open({
    "GET /api/analytics/dashboard": () => (answers.shift() ?? (() => json(overview())))(),
  });
  await vi.waitFor(() => expect(screen.getAllByText("Failed to load dashboard data")).toHaveLength(2));
  expect(document.querySelector("[data-sonner-toast]")?.textContent).toBe("Failed to load dashboard data");
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Growth")).toBeTruthy();
});

it("[DASH-009] shows what the server says of it", async () => {
  open({ "GET /api/analytics/dashboard": () => refusal(403, "ACCOUNT_SUSPENDED", "Account suspended") });
  expect(await screen.findAllByText("Account suspended")).toHaveLength(1);
});

it("[DASH-019] [VAL-065] exports a summary", async () => {
  const { user } = open();
  await user.click(await screen.findByRole("button", { name: "Export Summary" }));
  expect(await screen.findByText("Summary report exported!")).toBeTruthy();
  const [name, text] = saved[0] ?? ["", []];
  expect(name).toBe(`validation-summary-${formatDay()}.csv`);
  expect(text).toContain('"Valid","11","52.4%"');
  expect(text).toContain('"Total validations","21",""');
});

it("[VAL-062] an empty summary and no valid address say so", async () => {
  const { user } = open({
    "GET /api/analytics/dashboard": () => json(overview({ total_validations: 0 })),
    "GET /api/validate/batches": () => json(historyPage({ batches: [batch({ valid_count: 0 })] })),
  });
  await user.click(await screen.findByRole("button", { name: "Export Summary" }));
  expect(await screen.findByText("No summary data to export")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Export Valid Emails" }));
  expect(await screen.findByText("No valid emails to export")).toBeTruthy();
  expect(saved).toEqual([]);
});

it("[DASH-019] [VAL-065] exports every valid address once, page after page", async () => {
  const pages = [
    {
      results: [resultRow({ email: "Anna@company.com" }), resultRow({ email: "+tag@company.com" })],
      next_cursor: "C",
    },
    { results: [resultRow({ email: "ben@company.com" })], next_cursor: null },
  ];
  const { calls, user } = open({
    "GET /api/validate/batches": () =>
      json(historyPage({ batches: [batch()], individual_validations: [resultRow()] })),
    "GET /api/validate/batch/b1/results": ({ query }) => json(pages[query.get("cursor") === "C" ? 1 : 0]),
  });
  await user.click(await screen.findByRole("button", { name: "Export Valid Emails" }));
  expect(await screen.findByText("Exported 3 emails successfully")).toBeTruthy();
  expect(saved).toEqual([
    [
      `valid-emails-${formatDay()}.csv`,
      ['"email"', '"Anna@company.com"', `"+tag@company.com"`, '"ben@company.com"'],
    ],
  ]);
  const asked = calls
    .filter(({ path }) => path.endsWith("/results"))
    .map(({ query }) => query.get("category"));
  expect(asked).toEqual(["valid", "valid"]);
});
