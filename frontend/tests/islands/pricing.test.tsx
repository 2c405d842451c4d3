import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";

import type { Checkout, Purchase, Tables } from "../../src/features/plans/tables";
import Pricing from "../../src/islands/pricing";
import { navigation } from "../../src/lib/session";
import { freeSubscription, subscription } from "../data";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const TABLES: Tables = {
  plans: [
    {
      id: "free",
      name: "Free Trial",
      monthly: "$0",
      yearly: null,
      yearly_per_month: null,
      limit: 100,
      color: "#64748b",
    },
    {
      id: "starter",
      name: "Starter",
      monthly: "$49",
      yearly: "$488",
      yearly_per_month: "$41",
      limit: 5_000,
      color: "#2563eb",
    },
    {
      id: "growth",
      name: "Growth",
      monthly: "$79",
      yearly: "$787",
      yearly_per_month: "$66",
      limit: 10_000,
      color: "#0f766e",
    },
  ],
  packs: [
    { id: "small", credits: 5_000, price: "$59", per_credit: "$0.012", best_value: false },
    { id: "medium", credits: 10_000, price: "$89", per_credit: "$0.0089", best_value: true },
  ],
  comparison: [{ name: "Catch-all detection", values: [false, true, true] }],
  saving: "Save 17%",
  sales_from: 50_000,
};

beforeEach(() => history.replaceState(null, "", "/dashboard?tab=pricing"));

function open(of = subscription(), checkout: Checkout | null = null, handlers: Record<string, Handler> = {}) {
  const calls = serve({ "GET /api/subscriptions/status": () => json(of), ...handlers });
  return { calls, user: show(<Pricing tables={TABLES} checkout={checkout} />) };
}

function offer(name: string): HTMLElement {
  const card = screen.getByRole("heading", { name: new RegExp(name) }).closest("li");
  if (!card) throw new Error(`no offer ${name}`);
  return card;
}

it("[PRC-011] [PRC-012] shows the current plan, whose button is disabled", async () => {
  open();
  expect(await screen.findByText("You are on Growth, with 60,000 credits.")).toBeTruthy();
  const current = within(offer("Growth")).getByRole("button", { name: "Current Plan" });
  expect((current as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getAllByRole("button", { name: "Current Plan" })).toHaveLength(1);
  expect(screen.getAllByRole("img", { name: "Included" })).toHaveLength(2);
});

it("[PRC-006] [PRC-014] switches the billing period and the way to pay, in the address", async () => {
  const { user } = open();
  expect(await screen.findByText("$49")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Yearly" }));
  expect(within(offer("Starter")).getByText("$41")).toBeTruthy();
  expect(within(offer("Starter")).getByText("$488 billed yearly")).toBeTruthy();
  expect(screen.getByText("Save 17%")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Pay As You Go" }));
  expect(within(offer("10,000 credits")).getByText("Best Value")).toBeTruthy();
  expect(screen.getByText("$0.0089 per credit, never expires")).toBeTruthy();
  expect(location.search).toBe("?tab=pricing&billing=yearly&pricing=payasyougo");
});

it("says that nothing can be bought while payments are closed", async () => {
  open();
  expect(await screen.findByText(/Payments are not open yet/)).toBeTruthy();
  const button = within(offer("Starter")).getByRole("button", { name: "Choose Starter" });
  expect((button as HTMLButtonElement).disabled).toBe(true);
});

it("[PRC-013] [PRC-018] buys by one handler, and reads Processing... meanwhile", async () => {
  const bought: Purchase[] = [];
  const pending: Purchase = { kind: "subscription", item: "starter", cycle: "monthly" };
  const { user } = open(subscription(), { pending, buy: (purchase) => bought.push(purchase) });
  const busy = await screen.findByRole("button", { name: "Processing..." });
  expect((busy as HTMLButtonElement).disabled).toBe(true);
  await user.click(screen.getByRole("button", { name: "Pay As You Go" }));
  await user.click(screen.getByRole("button", { name: "Buy 10,000 credits" }));
  expect(bought).toEqual([{ kind: "credits", item: "medium" }]);
});

it("[SUB-011] [SUB-012] [SUB-014] [SUB-016] starts the trial, says so, and reloads a second later", async () => {
  const reload = vi.spyOn(navigation, "reload").mockReturnValue();
  const { user, calls } = open(freeSubscription(), null, {
    "POST /api/trial/start": () =>
      json({ message: "Your trial has started.", trial_ends_at: "", credits: 200 }),
  });
  expect(await screen.findByText(/No credit card needed/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Start Free Trial" }));
  expect(await screen.findByText("Your trial has started.")).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce(), { timeout: 2_000 });
  expect(calls.at(-1)?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
});

it("[SUB-012] [SUB-013] a refused trial shows the detail; a used one is not offered", async () => {
  const { user } = open(freeSubscription(), null, {
    "POST /api/trial/start": () => refusal(400, "TRIAL_USED", "Free trial already used"),
  });
  await user.click(await screen.findByRole("button", { name: "Start Free Trial" }));
  expect(await screen.findByText("Free trial already used")).toBeTruthy();
});

it("[SUB-013] offers no second trial", async () => {
  open(freeSubscription({ trial_status: "expired" }));
  expect(await screen.findByText(/You are on Free/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Start Free Trial" })).toBeNull();
});

it("[SUB-002] a failed load says so and offers Retry", async () => {
  open(subscription(), null, { "GET /api/subscriptions/status": () => json({}, 400) });
  expect(await screen.findByText("Failed to load subscription information")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
});
