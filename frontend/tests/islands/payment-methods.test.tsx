import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import type { PaymentMethod } from "../../src/api/types";
import { PaymentMethods } from "../../src/features/billing/payments/payment-methods";
import { choose, show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const PAYPAL: PaymentMethod = {
  id: 1,
  payment_method_type: "paypal",
  card_brand: null,
  card_last_four: null,
  is_default: true,
  account: "alice@paypal.example",
};
const CARD: PaymentMethod = {
  ...PAYPAL,
  id: 2,
  payment_method_type: "card",
  card_brand: "visa",
  card_last_four: "4242",
  is_default: false,
};
const BOTH = { payment_methods: [PAYPAL, CARD] };

function open(handlers: Record<string, Handler> = {}) {
  const calls = serve({ "GET /api/payment-methods": () => json(BOTH), ...handlers });
  const loads = () => calls.filter(({ method }) => method === "GET").length;
  return { calls, loads, user: show(<PaymentMethods />) };
}

it("[INV-008] [INV-013] lists type, brand, last four digits and the default, with a security note", async () => {
  open();
  expect(screen.getByRole("status").textContent).toBe("Loading...");
  const rows = (await screen.findAllByRole("listitem")).map(({ textContent }) => textContent);
  expect(rows).toEqual(["PayPalDefaultalice@paypal.example", "Visaending in 4242Set as default"]);
  expect(screen.getByText(/We never see or keep a card number/)).toBeTruthy();
});

it("[INV-008] [INV-018] says when there are none and takes a bare list", async () => {
  open({ "GET /api/payment-methods": () => json([]) });
  expect(await screen.findByRole("heading", { name: "No Payment Methods" })).toBeTruthy();
  expect(
    screen.getByText("Methods appear here automatically after you have paid through PayPal."),
  ).toBeTruthy();
});

it("[INV-009] [INV-012] sets another default, says what that means, and loads anew", async () => {
  const { user, calls, loads } = open({
    "PUT /api/payment-methods/2": () => json({ message: "Default payment method updated" }),
  });
  expect(
    await screen.findByText(/A running PayPal agreement keeps its method until you change it/),
  ).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Set Visa ending in 4242 as default" }));
  expect(await screen.findByText("Default payment method updated")).toBeTruthy();
  expect(calls.find(({ method }) => method === "PUT")?.body).toBe('{"is_default":true}');
  expect(loads()).toBe(2);
});

it("[INV-010] [INV-012] [INV-017] asks before it removes a method", async () => {
  const { user, calls, loads } = open({
    "DELETE /api/payment-methods/2": () => json({ message: "Payment method removed" }),
  });
  await choose(user, "Visa ending in 4242", "Remove Visa ending in 4242");
  const dialog = within(screen.getByRole("dialog", { name: "Remove this payment method?" }));
  expect(calls.some(({ method }) => method === "DELETE")).toBe(false);
  await user.click(dialog.getByRole("button", { name: "Remove" }));
  expect(await screen.findByText("Payment method removed")).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(loads()).toBe(2);
});

it.each([
  [
    "the server's reason",
    refusal(400, "METHOD_IN_USE", "Your subscription is paid with this method."),
    /^Your sub/,
  ],
  ["our words without one", refusal(500, "ERROR", ""), "Failed to remove payment method"],
])("[INV-011] [INV-017] a refused removal shows %s and keeps the method", async (_, answer, words) => {
  const { user } = open({ "DELETE /api/payment-methods/1": () => answer });
  await choose(user, "PayPal alice@paypal.example", "Remove PayPal alice@paypal.example");
  const dialog = within(screen.getByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Remove" }));
  expect(await dialog.findByText(words)).toBeTruthy();
});

it("[INV-011] says what could not be loaded or updated", async () => {
  let broken = true;
  const { user } = open({
    "GET /api/payment-methods": () => (broken ? refusal(500, "ERROR", "") : json(BOTH)),
    "PUT /api/payment-methods/2": () => refusal(500, "ERROR", ""),
  });
  const retry = await screen.findByRole("button", { name: "Retry" });
  expect(screen.getByRole("alert").textContent).toContain("Failed to load payment methods");
  broken = false;
  await user.click(retry);
  await user.click(await screen.findByRole("button", { name: /^Set Visa/ }));
  expect(await screen.findByText("Failed to update default payment method")).toBeTruthy();
});
