import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, it, vi } from "vitest";

import { PacksCard } from "../../src/features/billing/catalogue/packs-card";
import { PlanDialog } from "../../src/features/quotes/plan-dialog";
import { PlanChangePreview } from "../../src/features/billing/subscriptions/plan-change-preview";
import type { PackOffer } from "../../src/features/billing/catalogue/offers";
import { navigation } from "../../src/lib/session";
import { subscription } from "../data";
import { quote } from "../quotes";
import { show } from "../render";
import { json, refusal, serve, type Call } from "../server";

const TEXT = "A payment for the same thing is still waiting. Buy it a second time?";
const ORDER = "POST /api/payments/paypal/create-order";
const PACKS: PackOffer[] = [
  { id: "small", credits: 5_000, price: "$59", per_credit: "$0.012", best_value: false },
];

const CHANGE = {
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

function waits(answer: unknown) {
  return ({ body }: Call) => {
    const { confirm_second } = JSON.parse(body) as { confirm_second: boolean };
    return confirm_second ? json(answer) : refusal(409, "PAYMENT_PENDING", TEXT);
  };
}

function openPacks() {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  const made = {
    links: [{ rel: "approve", href: "https://paypal.test/approve" }],
    id: "O-1",
    order_id: "O-1",
  };
  const calls = serve({ [ORDER]: waits(made) });
  return { go, calls, user: show(<PacksCard packs={PACKS} />) };
}

async function begin(user: UserEvent, name: RegExp): Promise<void> {
  await user.click(await screen.findByRole("button", { name }));
  expect((await screen.findByRole("dialog", { name: "Payment still waiting" })).textContent).toContain(TEXT);
}

it("[PEN-003] asks before the same is bought again; Wait is where one starts, and begins nothing", async () => {
  const { go, calls, user } = openPacks();
  await begin(user, /Buy 5,000 credits/);
  expect(document.activeElement?.textContent).toBe("Wait");
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("button", { name: "Buy 5,000 credits" })).toHaveProperty("disabled", false);
  expect([screen.queryByRole("dialog"), go.mock.calls.length, calls.length]).toEqual([null, 0, 1]);
});

it("[PEN-003] Escape waits", async () => {
  const { go, calls, user } = openPacks();
  await begin(user, /Buy 5,000 credits/);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect([go.mock.calls.length, calls.length]).toEqual([0, 1]);
});

it("[PEN-003] Buy again begins a second payment by a call of its own", async () => {
  const { go, calls, user } = openPacks();
  await begin(user, /Buy 5,000 credits/);
  await user.click(screen.getByRole("button", { name: "Buy again" }));
  await waitFor(() => expect(go).toHaveBeenCalledWith("https://paypal.test/approve"));
  expect(calls.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { package_id: "small", confirm_second: false },
    { package_id: "small", confirm_second: true },
  ]);
  expect(new Set(calls.map(({ headers }) => headers.get("Idempotency-Key"))).size).toBe(2);
});

it("[PEN-003] a quote asks too", async () => {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  const path = "POST /api/quotes/Q-1/create-payment-order";
  serve({ [path]: waits({ order_id: "O-1", approval_url: "https://paypal.test/quote" }) });
  const user = show(<PlanDialog quote={quote({ quote_id: "Q-1" })} onClose={() => undefined} />);
  await begin(user, /with PayPal/);
  await user.click(screen.getByRole("button", { name: "Buy again" }));
  await waitFor(() => expect(go).toHaveBeenCalledWith("https://paypal.test/quote"));
});

it("[PEN-003] a change of plan asks too", async () => {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  serve({
    "GET /api/subscriptions/plan-change/preview": () => json(CHANGE),
    "POST /api/subscriptions/plan-change/create-payment": waits({
      approval_url: "https://paypal.test/change",
    }),
  });
  const choice = { plan: "pro", cycle: "monthly" } as const;
  const user = show(
    <PlanChangePreview choice={choice} subscription={subscription()} onClose={() => undefined} />,
  );
  await begin(user, /with PayPal/);
  await user.click(screen.getByRole("button", { name: "Buy again" }));
  await waitFor(() => expect(go).toHaveBeenCalledWith("https://paypal.test/change"));
});
