import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import type { PendingPayment } from "../../src/api/types";
import { OpenPayments } from "../../src/features/billing/payments/open-payments";
import { formatDateTime } from "../../src/lib/format";
import { queryClient } from "../../src/lib/query";
import { pass, show } from "../render";
import { json, refusal, serve } from "../server";

const PENDING = "GET /api/payments/pending";
const STATUS = "GET /api/payments/paypal/status/pay_1";
const SINCE = "2030-01-31T04:05:06Z";
const WAITING: PendingPayment = {
  id: "pay_1",
  what: "5,000 credits",
  amount: 59,
  currency: "USD",
  since: SINCE,
  approve_url: null,
};
const TEXT = `Your payment of $59.00 for 5,000 credits is waiting for PayPal since ${formatDateTime(SINCE)}. You do not need to do anything.`;
const paid = { kind: "credits", state: "paid", message: "5,000 credits were added to your account." };
const notMade = {
  kind: "credits",
  state: "failed",
  message: "The payment was not made. You were not charged.",
};

afterEach(() => vi.useRealTimers());

function answers(...lists: PendingPayment[][]) {
  let last: PendingPayment[] = [];
  return () => {
    last = lists.shift() ?? last;
    return json({ payments: last });
  };
}

it("[PEN-001] [PEN-004] says what waits, and asks gently until one notice says what came of it", async () => {
  vi.useFakeTimers();
  const refreshed = vi.spyOn(queryClient, "invalidateQueries");
  const calls = serve({ [PENDING]: answers([WAITING], [WAITING], []), [STATUS]: () => json(paid) });
  show(<OpenPayments />);
  await pass(10);
  expect(screen.getByRole("status").textContent).toBe(TEXT);
  await pass(14_000);
  expect(calls).toHaveLength(1);
  await pass(16_100);
  expect(screen.queryByText(/is waiting for PayPal/)).toBeNull();
  expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toEqual([paid.message]);
  expect(refreshed).toHaveBeenCalledOnce();
  await pass(120_000);
  expect(calls.map(({ path }) => path.split("/").at(-1))).toEqual(["pending", "pending", "pending", "pay_1"]);
});

it("[PEN-004] a payment that was not made is told in place of the banner", async () => {
  vi.useFakeTimers();
  serve({ [PENDING]: answers([WAITING], []), [STATUS]: () => json(notMade) });
  show(<OpenPayments />);
  await pass(10);
  await pass(15_100);
  expect(screen.getByRole("alert").textContent).toBe(notMade.message);
  expect(screen.queryByRole("status")).toBeNull();
});

it("[PEN-004] what ended while no page was open is told once", async () => {
  localStorage.setItem("open_payments", '["pay_1"]');
  serve({ [PENDING]: answers([]), [STATUS]: () => json(paid) });
  show(<OpenPayments />);
  expect((await screen.findByRole("status")).textContent).toBe(paid.message);
  expect(localStorage.getItem("open_payments")).toBeNull();
});

it("another account is told nothing of what waited here", async () => {
  localStorage.setItem("open_payments", '["pay_1"]');
  const calls = serve({
    [PENDING]: answers([]),
    [STATUS]: () => refusal(404, "NOT_FOUND", "Payment not found"),
  });
  show(<OpenPayments />);
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  expect([screen.queryByRole("status"), screen.queryByRole("alert")]).toEqual([null, null]);
  expect(localStorage.getItem("open_payments")).toBeNull();
});

it("an end that could not be asked about is told another time", async () => {
  localStorage.setItem("open_payments", '["pay_1"]');
  const calls = serve({ [PENDING]: answers([]), [STATUS]: () => json({}, 500) });
  show(<OpenPayments />);
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  await vi.waitFor(() => expect(localStorage.getItem("open_payments")).toBe('["pay_1"]'));
});

it("a failed load says so and is tried again", async () => {
  const told = [json({}, 500), json({}, 500), json({ payments: [WAITING] })];
  serve({ [PENDING]: () => told.shift() ?? json({ payments: [] }) });
  const user = show(<OpenPayments />);
  expect((await screen.findByRole("alert")).textContent).toContain("Failed to load the payments that wait");
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect((await screen.findByRole("status")).textContent).toBe(TEXT);
});
