// The card where a plan is changed, with a plan that runs.
import { screen } from "@testing-library/react";

import type { Subscription } from "../src/api/types";
import { PlanChangeCard } from "../src/features/billing/subscriptions/plan-change-card";
import { subscription } from "./data";
import { show } from "./render";
import { json, serve, type Handler } from "./server";

const PLANS = {
  plans: [
    { id: "free", name: "Free Trial", monthlyPrice: 0, yearlyPrice: 0, limit: 100, color: "#111111" },
    { id: "starter", name: "Starter", monthlyPrice: 49, yearlyPrice: 488, limit: 5_000, color: "#222222" },
    { id: "growth", name: "Growth", monthlyPrice: 79, yearlyPrice: 787, limit: 10_000, color: "#333333" },
    { id: "pro", name: "Pro", monthlyPrice: 149, yearlyPrice: 1484, limit: 20_000, color: "#444444" },
  ],
  packs: [],
};
export const CHANGE = {
  current_plan: "growth",
  new_plan: "pro",
  days_remaining: 14,
  total_days: 28,
  current_plan_price: 79,
  new_plan_price: 149,
  is_upgrade: true,
  immediate_charge: 35,
  next_billing_amount: 149,
  billing_cycle: "monthly",
  credits_now: 5_000,
  credits_a_month: 20_000,
};
export const DOWN = {
  ...CHANGE,
  new_plan: "starter",
  new_plan_price: 49,
  is_upgrade: false,
  immediate_charge: 0,
  credits_now: 0,
  credits_a_month: 5_000,
};
export const API = "/api/subscriptions";
const GROWTH = {
  subscription_plan: "growth",
  subscription_status: "active",
  billing_cycle: "monthly",
  can_pause: true,
  pause_ends_at: "2030-04-05T10:00:00Z",
  next_billing_date: "2030-02-28T10:00:00Z",
} as const;

export function growth(more: Partial<Subscription> = {}): Subscription {
  return subscription({ ...GROWTH, ...more });
}

export function card(handlers: Record<string, Handler>, more: Partial<Subscription> = {}) {
  const calls = serve({ "GET /api/plans": () => json(PLANS), ...handlers });
  return { calls, user: show(<PlanChangeCard subscription={growth(more)} />) };
}

export async function choose(user: ReturnType<typeof show>, name: RegExp) {
  await user.click(await screen.findByRole("button", { name }));
  return screen.findByRole("dialog");
}
