import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { PaymentReturn } from "../../src/features/plans/payment-return";
import { queryClient } from "../../src/lib/query";
import { navigation } from "../../src/lib/session";
import { pass, show } from "../render";
import { json, refusal, serve } from "../server";

const STATUS = "GET /api/payments/paypal/status/pay_1";
const COMPLETE = "POST /api/subscriptions/plan-change/complete/pay_1";
const paid = { kind: "credits", state: "paid", message: "5,000 credits were added to your account." };
const pending = { kind: "credits", state: "pending", message: "PayPal has not confirmed this payment yet." };

function arrive(query: string): void {
  history.replaceState(null, "", `/account-settings${query}`);
}

beforeEach(() => arrive("?payment=success&token=pay_1"));
afterEach(() => vi.useRealTimers());

it("[PRC-023] [SUB-004] [SUB-051] a paid purchase is told, the address cleared, the page brought up to date", async () => {
  const refreshed = vi.spyOn(queryClient, "invalidateQueries");
  serve({ [STATUS]: () => json(paid) });
  show(<PaymentReturn />);
  expect(await screen.findByText(paid.message)).toBeTruthy();
  expect(location.search).toBe("?tab=subscription");
  expect(refreshed).toHaveBeenCalledOnce();
});

it("[PRC-023] a pending purchase is asked about until it is paid", async () => {
  vi.useFakeTimers();
  const answers = [pending, pending, paid];
  const calls = serve({ [STATUS]: () => json(answers.shift() ?? paid) });
  show(<PaymentReturn />);
  await pass(10);
  expect(screen.getByRole("status").textContent).toContain(pending.message);
  expect(screen.getByRole("button", { name: "Check again" })).toBeTruthy();
  await pass(6_100);
  expect(screen.queryByText(pending.message)).toBeNull();
  await pass(60_000);
  expect(calls).toHaveLength(3);
});

it("[SUB-037] [SUB-040] a change of plan is completed, told, and the page reloaded", async () => {
  vi.useFakeTimers();
  const reload = vi.spyOn(navigation, "reload").mockReturnValue();
  serve({
    [STATUS]: () => json({ kind: "plan_change", state: "paid", message: "Your Pro plan is active." }),
    [COMPLETE]: () => json({ message: "You are on Pro now." }),
  });
  show(<PaymentReturn />);
  await pass(10);
  expect(screen.getByText("You are on Pro now.")).toBeTruthy();
  await pass(1_900);
  expect(reload).not.toHaveBeenCalled();
  await pass(200);
  expect(reload).toHaveBeenCalledOnce();
});

it("[SUB-045] a change that cannot be completed says so", async () => {
  serve({
    [STATUS]: () => json({ kind: "plan_change", state: "paid", message: "Your Pro plan is active." }),
    [COMPLETE]: () => json({}, 500),
  });
  show(<PaymentReturn />);
  const text = "Failed to complete plan change. Please contact support if you were charged.";
  expect(await screen.findByText(text)).toBeTruthy();
});

it("[PRC-023] a failed purchase says why and leads on", async () => {
  serve({
    [STATUS]: () => json({ kind: "credits", state: "failed", message: "PayPal declined the payment." }),
  });
  show(<PaymentReturn />);
  expect((await screen.findByRole("alert")).textContent).toContain("PayPal declined the payment.");
  expect(screen.getByRole("link", { name: "See plans and packs" }).getAttribute("href")).toBe(
    "/dashboard?tab=pricing",
  );
});

it("[PRC-023] what cannot be asked about says so and offers Retry", async () => {
  serve({ [STATUS]: () => refusal(404, "NOT_FOUND", "Payment not found") });
  show(<PaymentReturn />);
  expect((await screen.findByRole("alert")).textContent).toContain("Payment not found");
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
});

it("[SUB-038] a cancelled purchase is told and the address cleared", async () => {
  arrive("?payment=cancelled&token=pay_1");
  const calls = serve({});
  show(<PaymentReturn />);
  expect(await screen.findByText("Payment cancelled. Your plan was not changed.")).toBeTruthy();
  await waitFor(() => expect(location.search).toBe("?tab=subscription"));
  expect(calls).toEqual([]);
});

it("without a payment in the address nothing is shown or asked", () => {
  arrive("?tab=privacy");
  const calls = serve({});
  show(<PaymentReturn />);
  expect([location.search, calls]).toEqual(["?tab=privacy", []]);
});
