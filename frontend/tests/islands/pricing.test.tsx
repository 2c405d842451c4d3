import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";

import Pricing from "../../src/islands/pricing";
import type { Tables } from "../../src/features/billing/catalogue/offers";
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
    },
    {
      id: "starter",
      name: "Starter",
      monthly: "$49",
      yearly: "$488",
      yearly_per_month: "$41",
      limit: 5_000,
    },
    {
      id: "growth",
      name: "Growth",
      monthly: "$79",
      yearly: "$787",
      yearly_per_month: "$66",
      limit: 10_000,
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

function open(of = subscription(), handlers: Record<string, Handler> = {}) {
  const calls = serve({
    "GET /api/subscriptions/status": () => json(of),
    "GET /api/analytics/usage": () => json({ total: 8_214, validationBreakdown: {}, dailyUsage: [] }),
    ...handlers,
  });
  return { calls, user: show(<Pricing tables={TABLES} />) };
}

function offer(name: string): HTMLElement {
  const card = screen.getByRole("heading", { name: new RegExp(`^${name}`) }).closest("li");
  if (!card) throw new Error(`no offer ${name}`);
  return card;
}

it("[PRC-011] [PRC-012] [PEN-025] shows the current plan, whose button is disabled", async () => {
  open();
  expect(
    await screen.findByText("You are on Growth, with 60,000 credits. Full checks: unknown is free."),
  ).toBeTruthy();
  const current = within(offer("Growth")).getByRole("button", { name: "Current Plan" });
  expect((current as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getAllByRole("button", { name: "Current Plan" })).toHaveLength(1);
  expect(screen.getAllByRole("img", { name: "Included" })).toHaveLength(2);
});

it("[look-17] rings the own plan, recommends from the own use, and prices 1,000 addresses on everything", async () => {
  const days = Array.from({ length: 90 }, (_, day) => ({ validations: day < 60 ? 0 : 273 }));
  const { calls, user } = open(subscription(), {
    "GET /api/analytics/usage": () => json({ total: 8_190, validationBreakdown: {}, dailyUsage: days }),
  });
  const words = "You checked 8,190 addresses in the last 30 days; Growth covers 10,000.";
  expect(await screen.findByText(words)).toBeTruthy();
  expect(calls.find(({ path }) => path === "/api/analytics/usage")?.query.get("range")).toBe("90d");
  expect(offer("Growth").getAttribute("aria-current")).toBe("true");
  expect(offer("Starter").getAttribute("aria-current")).toBeNull();
  expect(within(offer("Growth")).getByText("Recommended")).toBeTruthy();
  expect(within(offer("Starter")).getByText("$9.80 for 1,000 addresses")).toBeTruthy();
  expect(within(offer("Free Trial")).queryByText(/for 1,000 addresses/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Pay As You Go" }));
  expect(screen.getByText(/10,000 credits last about 36 days at that pace\./)).toBeTruthy();
  expect(within(offer("10,000 credits")).getByText("Recommended")).toBeTruthy();
  expect(within(offer("5,000 credits")).getByText("$11.80 for 1,000 addresses")).toBeTruthy();
});

it("[look-17] recommends nothing where nothing was checked, or where that could not be loaded", async () => {
  open(freeSubscription(), {
    "GET /api/analytics/usage": () => json({ total: 0, validationBreakdown: {}, dailyUsage: [] }),
  });
  expect(
    await screen.findByText("No recommendation yet: you checked nothing in the last 30 days."),
  ).toBeTruthy();
  expect(screen.queryByText("Recommended")).toBeNull();
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

it("[PRC-013] [PRC-015] [PRC-018] subscribes: Processing... meanwhile, then to the approval page", async () => {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  const { user, calls } = open(freeSubscription(), {
    "POST /api/payments/paypal/create-billing-agreement": () =>
      json({ approval_url: "https://paypal.example/I-1" }),
  });
  await user.click(await screen.findByRole("button", { name: "Yearly" }));
  await user.click(screen.getByRole("button", { name: "Choose Starter" }));
  const busy = await screen.findByRole("button", { name: "Processing..." });
  expect((busy as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Choose Growth" }).disabled).toBe(false);
  await waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("https://paypal.example/I-1"));
  expect(JSON.parse(calls.at(-1)?.body ?? "")).toEqual({
    plan_id: "starter",
    billing_cycle: "yearly",
    confirm_second: false,
  });
  expect(calls.at(-1)?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
});

it("[PRC-016] [PRC-018] buys a pack by the link to approve", async () => {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  const links = [
    { rel: "self", href: "https://paypal.example/self" },
    { rel: "approve", href: "https://paypal.example/approve" },
  ];
  const { user, calls } = open(subscription(), {
    "POST /api/payments/paypal/create-order": () => json({ links, id: "O", order_id: "O" }),
  });
  await user.click(await screen.findByRole("button", { name: "Pay As You Go" }));
  await user.click(screen.getByRole("button", { name: "Buy 10,000 credits" }));
  await waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("https://paypal.example/approve"));
  expect(JSON.parse(calls.at(-1)?.body ?? "")).toEqual({ package_id: "medium", confirm_second: false });
});

it("[PRC-017] says what failed, and can be pressed again", async () => {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  const { user } = open(freeSubscription(), {
    "POST /api/payments/paypal/create-order": () => json({ links: [], id: "O", order_id: "O" }),
    "POST /api/payments/paypal/create-billing-agreement": () => json({}, 500),
  });
  await user.click(await screen.findByRole("button", { name: "Choose Starter" }));
  expect(await screen.findByText("Failed to create PayPal payment")).toBeTruthy();
  expect(await screen.findByRole("button", { name: "Choose Starter" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Pay As You Go" }));
  await user.click(screen.getByRole("button", { name: "Buy 5,000 credits" }));
  expect(await screen.findByText("PayPal approval URL not found")).toBeTruthy();
  expect(go).not.toHaveBeenCalled();
});

it("[J2] [PRC-028] who has a plan is led to change it, with plan and period", async () => {
  const { user } = open();
  const link = await screen.findByRole("link", { name: "Change to Starter" });
  const change = "/account-settings?tab=subscription&plan=starter&billing=";
  expect(link.getAttribute("href")).toBe(`${change}monthly#change-plan`);
  await user.click(screen.getByRole("button", { name: "Yearly" }));
  expect(link.getAttribute("href")).toBe(`${change}yearly#change-plan`);
  expect(screen.queryByRole("button", { name: "Choose Starter" })).toBeNull();
});

it("[SUB-011] [SUB-012] [SUB-014] starts the trial, says so, and reloads a second later", async () => {
  const reload = vi.spyOn(navigation, "reload").mockReturnValue();
  const { user, calls } = open(freeSubscription(), {
    "POST /api/trial/start": () =>
      json({ message: "Your trial has started.", trial_ends_at: "", credits: 200 }),
  });
  expect(await screen.findByText(/No credit card needed/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Start Growth trial" }));
  expect(await screen.findByText("Your trial has started.")).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(calls.at(-1)?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
});

it("[SUB-012] [SUB-013] a refused trial shows the detail; a used one is not offered", async () => {
  const { user } = open(freeSubscription(), {
    "POST /api/trial/start": () => refusal(400, "TRIAL_USED", "Growth trial already used"),
  });
  await user.click(await screen.findByRole("button", { name: "Start Growth trial" }));
  expect(await screen.findByText("Growth trial already used")).toBeTruthy();
});

it("[SUB-013] offers no second trial", async () => {
  open(freeSubscription({ trial_status: "expired" }));
  expect(await screen.findByText(/You are on Free/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Start Growth trial" })).toBeNull();
});

it("[SUB-002] a failed load says so and offers Retry", async () => {
  open(subscription(), { "GET /api/subscriptions/status": () => json({}, 400) });
  expect(await screen.findByText("Failed to load subscription information")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "Upgrade" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
});
