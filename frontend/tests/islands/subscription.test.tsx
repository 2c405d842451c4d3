import { cleanup, fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { SubscriptionTab } from "../../src/features/billing/subscriptions/subscription-tab";
import { GateNotice } from "../../src/features/billing/subscriptions/trial";
import * as files from "../../src/lib/download";
import { closeNotice } from "../../src/features/billing/subscriptions/full-checks-notice";
import { queryClient } from "../../src/lib/query";
import { listTechnicalChecks } from "../../src/features/validation/results/result-labels";
import { credits, freeSubscription, resultRow, subscription } from "../data";
import { show } from "../render";
import { json, serve, type Handler } from "../server";

const LINE = {
  time: "2026-01-10T08:00:00Z",
  reason: "Batch: list.csv",
  reference: "bat_1",
  paid_at: null,
  lot: "plan",
  lot_expires_at: "2026-02-10T08:00:00Z",
  amount: -40,
  balance: 60,
};
const PAGE = { entries: [LINE], opening_balance: 100, closing_balance: 60, next: null };
const CREDITS = credits({
  credits: 5_060,
  plan_credits: 60,
  pack_credits: 5_000,
  held: 12,
  monthly_usage: 40,
  lots: [
    { kind: "plan", origin: "Free: credits of the month", remaining: 60, expires_at: "2026-02-10T08:00:00Z" },
    { kind: "pack", origin: "Bought 5,000 credits", remaining: 5_000, expires_at: null },
  ],
});
const ALERTS = { warn_80: true, warn_100: true, low_balance: null };

function open(handlers: Record<string, Handler> = {}) {
  const calls = serve({
    "GET /api/subscriptions/status": () => json(subscription({ pack_credits: 5_000 })),
    "GET /api/credits": () => json(CREDITS),
    "GET /api/credits/statement": () => json(PAGE),
    "GET /api/user/usage-alerts": () => json(ALERTS),
    "GET /api/invoices": () => json({ invoices: [], total: 0 }),
    ...handlers,
  });
  return { calls, user: show(<SubscriptionTab />) };
}

it("[SUB-001] shows plan, credits, usage and billing date", async () => {
  open();
  expect(await screen.findByText("Growth")).toBeTruthy();
  expect(screen.getByText("10,000 expiring, 5,000 from packs")).toBeTruthy();
  expect(screen.getByText("of 10,000 a month")).toBeTruthy();
  expect(screen.getByText("No payment yet")).toBeTruthy();
});

const PACK = {
  date: "2030-01-31T12:00:00Z",
  amount: 59,
  currency: "USD",
  description: "5,000 credits",
  is_pack: true,
  status: "captured",
  refunded_at: null,
} as const;

it.each([
  [PACK, "Last payment 31 Jan 2030, $59.00"],
  [
    { ...PACK, status: "refunded", refunded_at: "2030-02-02T12:00:00Z" },
    "Last payment 31 Jan 2030, $59.00, refunded on 2 Feb 2030",
  ],
  [
    { ...PACK, status: "charged_back", refunded_at: "2030-02-02T12:00:00Z" },
    "Last payment 31 Jan 2030, $59.00, charged back on 2 Feb 2030",
  ],
] as const)(
  "[PEN-006] [D7] after a pack (%#) names the payment, and that nothing is due",
  async (last, words) => {
    open({
      "GET /api/subscriptions/status": () =>
        json(freeSubscription({ last_payment_date: last.date, last_payment: last })),
    });
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.getByText("Next billing date: none, packs are paid once")).toBeTruthy();
    expect(screen.queryByText("No payment yet")).toBeNull();
  },
);

it.each([
  ["trial", true],
  ["cancelled", true],
  ["past_due", false],
] as const)(
  "[PEN-006] a pack bought while the plan is %s: that nothing is due is said: %s",
  async (status, said) => {
    open({
      "GET /api/subscriptions/status": () =>
        json(subscription({ subscription_status: status, last_payment: PACK })),
    });
    expect(await screen.findByText("Last payment 31 Jan 2030, $59.00")).toBeTruthy();
    expect(screen.queryAllByText("Next billing date: none, packs are paid once")).toHaveLength(said ? 1 : 0);
  },
);

it("[PEN-006] a plan's card names the last payment and the next billing date", async () => {
  const last = { ...PACK, amount: 79, description: "Growth plan, billed monthly", is_pack: false };
  open({
    "GET /api/subscriptions/status": () =>
      json(subscription({ last_payment: last, next_billing_date: "2030-02-28T12:00:00Z" })),
  });
  expect(await screen.findByText("Last payment 31 Jan 2030, $79.00")).toBeTruthy();
  expect(screen.getByText("28 Feb 2030")).toBeTruthy();
  expect(screen.queryByText(/packs are paid once/)).toBeNull();
});

it("[PRC-029] [PRC-032] shows the credits by lot, and when they come again", async () => {
  open();
  expect(await screen.findByText(/Plan credits renew on 10 Feb 2026/)).toBeTruthy();
  expect(screen.getByText("never expires")).toBeTruthy();
  expect(screen.getByText("Held for running lists")).toBeTruthy();
});

it("[SUB-070] lists what is frozen while the plan is paused", async () => {
  const frozen = { kind: "plan", origin: "Growth: credits of the month", frozen: 10_000 };
  open({
    "GET /api/subscriptions/status": () => json(subscription({ subscription_status: "paused" })),
    "GET /api/credits": () => json({ ...CREDITS, lots: [], frozen_lots: [frozen], held: 0, resets_at: null }),
  });
  expect(await screen.findByText("· Growth: credits of the month")).toBeTruthy();
  expect(screen.getByText("frozen")).toBeTruthy();
  expect(screen.getByText(/No plan credits can be spent while the plan is paused/)).toBeTruthy();
});

it("[PRC-036] shows the movements with the balance after each, and saves them", async () => {
  const saved = vi.spyOn(files, "saveBlob").mockImplementation(() => undefined);
  const { user, calls } = open({ "GET /api/credits/statement/export": () => new Response("Time\r\n") });
  expect(await screen.findByText("Batch: list.csv")).toBeTruthy();
  expect(screen.getByRole("link", { name: "bat_1" }).getAttribute("href")).toBe("/dashboard/batch/bat_1");
  const numbers = Array.from(
    document.querySelectorAll(".statement td.number"),
    ({ textContent }) => textContent,
  );
  expect(numbers).toEqual(["100", "−40", "60", "60"]);
  await user.click(screen.getByRole("button", { name: "Download CSV" }));
  const month = new Date().toISOString().slice(0, 7);
  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith(expect.anything(), `credits-${month}.csv`));
  expect(calls.at(-1)?.query.get("month")).toBe(month);
});

it("[PRC-036] an empty month says so; the month is in the address", async () => {
  history.replaceState(null, "", "/account-settings?tab=subscription&month=2026-01");
  const { calls } = open({
    "GET /api/credits/statement": () => json({ ...PAGE, entries: [], closing_balance: 100 }),
  });
  expect(await screen.findByText("No movements in this month")).toBeTruthy();
  const field = screen.getByLabelText<HTMLInputElement>("Month (UTC)");
  const months = () =>
    calls.filter(({ path }) => path.endsWith("/statement")).map(({ query }) => query.get("month"));
  expect([field.value, months()]).toEqual(["2026-01", ["2026-01"]]);
  fireEvent.change(field, { target: { value: "" } });
  await vi.waitFor(() => expect(months()).toEqual(["2026-01", ""]));
  expect(location.search).toBe("?tab=subscription&month=all");
});

it("[DASH-024] saves an alert at once, and refuses what is no number", async () => {
  const { user, calls } = open({
    "PUT /api/user/usage-alerts": ({ body }) => json({ ...ALERTS, ...JSON.parse(body) }),
  });
  await user.click(await screen.findByRole("checkbox", { name: /At 80%/ }));
  const field = screen.getByRole("textbox", { name: "Tell me when the balance is below" });
  await user.type(field, "many");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(screen.getByText("Enter a whole number of credits, or nothing for no alert")).toBeTruthy();
  await user.clear(field);
  await user.type(field, "500");
  await user.click(screen.getByRole("button", { name: "Save" }));
  const sent = calls.filter(({ method }) => method === "PUT").map(({ body }) => JSON.parse(body) as unknown);
  expect(sent).toEqual([{ warn_80: false }, { low_balance: 500 }]);
});

function notice(plan = freeSubscription(), left = credits()) {
  serve({ "GET /api/subscriptions/status": () => json(plan), "GET /api/credits": () => json(left) });
  return show(<GateNotice />);
}

it("[PEN-023] says how many full checks are left of the first month, and no word of what Free leaves out", async () => {
  notice(
    freeSubscription(),
    credits({ welcome_credits: 11, welcome_ends_at: "2026-02-10T08:00:00Z", checks: "full" }),
  );
  expect(await screen.findByText("11 full checks left until 10 February 2026")).toBeTruthy();
  expect(screen.queryByText(/^Basic checks leave/)).toBeNull();
});

it("[PEN-023] [PEN-027] leaves the last ten to the notice above, until that is closed", async () => {
  const last = credits({ welcome_credits: 10, welcome_ends_at: "2026-02-10T08:00:00Z", checks: "full" });
  notice(freeSubscription(), last);
  await vi.waitFor(() => expect(queryClient.getQueryData(["credits"])).toEqual(last));
  expect(screen.queryByRole("complementary")).toBeNull();
  cleanup();
  closeNotice("last", "2026-02-10T08:00:00Z");
  notice(freeSubscription(), last);
  expect(await screen.findByText("10 full checks left until 10 February 2026")).toBeTruthy();
});

it("[VAL-021] [PEN-028] says before the start what Free leaves out, and offers the Growth trial", async () => {
  notice();
  expect(await screen.findByText("Mailbox checks come with the 14-day Growth trial")).toBeTruthy();
  expect(screen.getByText("Basic checks leave mailbox, catch-all and disposable checks out.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Start Growth trial" })).toBeTruthy();
});

it("[VAL-021] offers the plans when the trial is over, and nothing with pack credits", async () => {
  notice(freeSubscription({ trial_status: "expired" }));
  expect((await screen.findByRole("link", { name: "Upgrade" })).getAttribute("href")).toBe(
    "/dashboard?tab=pricing",
  );
  expect(screen.queryByRole("button", { name: "Start Growth trial" })).toBeNull();
});

it("[VAL-021] names the checks that the plan left out", () => {
  const row = resultRow({
    category: "unknown",
    reason: "not_in_plan",
    checks: "basic",
    smtp_valid: null,
    disposable: null,
    is_catch_all: null,
  });
  expect(listTechnicalChecks(row).map(({ words }) => words)).toEqual([
    "Correct",
    "Takes mail",
    "Not included in your plan",
    "Not included in your plan",
    "Not included in your plan",
    "Not checked: no trap list is configured",
  ]);
});
