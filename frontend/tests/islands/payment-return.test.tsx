import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { OpenPayments } from "../../src/features/billing/payments/open-payments";
import { PaymentReturn } from "../../src/features/billing/payments/payment-return";
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

it.each([
  ["plan_change", "Payment cancelled. Your plan was not changed."],
  ["subscription", "Payment cancelled. No plan was bought."],
  ["credits", "Payment cancelled. No credits were bought."],
  ["quote", "Payment cancelled. Your quote can still be paid."],
])(
  "[PEN-005] [SUB-038] a cancelled %s is told in neutral colour and the address cleared",
  async (kind, text) => {
    arrive("?payment=cancelled&token=pay_1");
    serve({ [STATUS]: () => json({ ...pending, kind }) });
    show(<PaymentReturn />);
    const toast = (await screen.findByText(text)).closest("[data-sonner-toast]");
    expect([toast === null, toast?.getAttribute("data-type")]).toEqual([false, null]); // an error has a type
    await waitFor(() => expect(location.search).toBe("?tab=subscription"));
  },
);

it("[PEN-005] a cancelled purchase that cannot be asked about is told all the same", async () => {
  arrive("?payment=cancelled&token=pay_1");
  serve({ [STATUS]: () => refusal(404, "NOT_FOUND", "Payment not found") });
  show(<PaymentReturn />);
  expect(await screen.findByText("Payment cancelled.")).toBeTruthy();
  expect(location.search).toBe("?tab=subscription");
});

it("[PEN-001] [PEN-004] a payment that is held back is told by the page alone, and its end once", async () => {
  vi.useFakeTimers();
  const waiting = {
    id: "pay_1",
    what: "5,000 credits",
    amount: 59,
    currency: "USD",
    since: "2030-01-31T04:05:06Z",
  };
  const lists = [[{ ...waiting, approve_url: null }], []];
  const states = [pending, paid];
  serve({
    [STATUS]: () => json(states.shift() ?? paid),
    "GET /api/payments/pending": () => json({ payments: lists.shift() ?? [] }),
  });
  show(
    <PaymentReturn>
      <OpenPayments />
    </PaymentReturn>,
  );
  await pass(10);
  await pass(10);
  expect(screen.getAllByRole("status")).toHaveLength(1);
  expect(screen.getByRole("status").textContent).toContain("is waiting for PayPal since");
  await pass(15_100);
  await pass(10);
  expect(screen.getAllByText(paid.message)).toHaveLength(1);
  expect(screen.queryByText(pending.message)).toBeNull();
});

it("without a payment in the address nothing is shown or asked", () => {
  arrive("?tab=privacy");
  const calls = serve({});
  show(<PaymentReturn />);
  expect([location.search, calls]).toEqual(["?tab=privacy", []]);
});
