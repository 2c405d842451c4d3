import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import type { StaffPaymentDetail } from "../../src/api/types";
import { Payments } from "../../src/features/adminpanel/payments/payments";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const DETAIL: StaffPaymentDetail = {
  id: 4,
  paypal_id: "5O190127TN364715T",
  customer: "Bob Birch",
  customer_email: "bob@birch.net",
  organisation: "Birch Works",
  kind: "subscription",
  amount: 79,
  currency: "USD",
  status: "captured",
  date: "2030-01-31T04:05:06Z",
  invoice_number: "INV-2030-000001",
  invoice_id: 9,
  learnt_at: "2030-01-31T04:06:00Z",
  names_buyer: true,
  description: "Growth plan, billed monthly",
  guarantee_applies: true,
  guarantee_reason: "First subscription of this customer; the 30 days end on 2 March 2030.",
  credits_unspent: 9_000,
  ends_plan: true,
  refund: null,
};
const PAGE = { payments: [DETAIL], refunded_total: 118, total: 1, next: null };
const PATH = "/api/admin/payments";

function open(handlers: Record<string, Handler> = {}) {
  const calls = serve({
    [`GET ${PATH}`]: () => json(PAGE),
    [`GET ${PATH}/4`]: () => json(DETAIL),
    ...handlers,
  });
  return { calls, user: show(<Payments />) };
}

it("[INV-019] [ADM-406] lists payments and what went back, and searches by what was typed", async () => {
  const { user, calls } = open();
  const row = (await screen.findAllByRole("row"))[1];
  expect(row?.textContent).toContain(
    "Bob Birchbob@birch.netBirch WorksSubscriptionINV-2030-000001Captured$79.00",
  );
  expect(screen.getByText("$118.00")).toBeTruthy();
  await user.type(screen.getByRole("searchbox", { name: "Search payments" }), "INV-2030-000001");
  await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "Refunded");
  await user.selectOptions(screen.getByRole("combobox", { name: "Range" }), "Last 30 days");
  await expect
    .poll(() => Object.fromEntries(calls.at(-1)?.query ?? []))
    .toEqual({ search: "INV-2030-000001", status: "refunded", range: "30d", cursor: "" });
  const address = Object.fromEntries(new URLSearchParams(location.search));
  expect(address).toEqual({ payment: "INV-2030-000001", state: "refunded", range: "30d" });
});

it("[INV-019] tells no match from no payments, and goes through pages", async () => {
  const empty = { payments: [], refunded_total: 0, total: 0, next: null };
  history.replaceState(null, "", "?payment=zzz");
  const { user, calls } = open({
    [`GET ${PATH}`]: ({ query }) => json(query.get("search") ? empty : { ...PAGE, next: "more" }),
  });
  await user.click(await screen.findByRole("button", { name: "Clear filters" }));
  await user.click(await screen.findByRole("button", { name: "Older" }));
  await expect.poll(() => calls.at(-1)?.query.get("cursor")).toBe("more");
});

it("[INV-019] a failed load offers another try", async () => {
  open({ [`GET ${PATH}`]: () => refusal(500, "ERROR", "") });
  expect(await screen.findByRole("button", { name: "Retry" })).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toContain("Failed to load payments");
});

it("[INV-019] [PUB-089] [ORG-035] names the guarantee and what a refund does, and refunds with a reason", async () => {
  const message = "Refund of $79.00 sent to bob@birch.net";
  let refunded = false;
  const refund = { amount: 79, date: "2030-02-01T04:05:06Z", reason: "Not needed" };
  const { user, calls } = open({
    [`GET ${PATH}/4`]: () => json(refunded ? { ...DETAIL, status: "refunded", refund } : DETAIL),
    [`POST ${PATH}/4/refund`]: () => {
      refunded = true;
      return json({ refund_id: "R", credit_note_number: "CN-2030-000001", message });
    },
  });
  await user.click(await screen.findByRole("button", { name: "Bob Birch" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Payment of Bob Birch" }));
  expect(dialog.getByText("The 30-day guarantee applies.")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Refund…" }));
  const effects = dialog.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(effects).toHaveLength(4);
  expect(effects[0]).toContain("$79.00 that Birch Works paid goes back");
  expect(effects[1]).toContain("taken back from Birch Works");
  expect(effects[1]).toContain("9,000 credits unspent");
  expect(effects[2]).toBe("The plan ends now, and its PayPal agreement is cancelled.");
  await user.click(dialog.getByRole("button", { name: "Refund $79.00" }));
  expect(dialog.getByText("Enter a reason")).toBeTruthy();
  expect(calls.some(({ method }) => method === "POST")).toBe(false);
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), " Not needed ");
  await user.click(dialog.getByRole("button", { name: "Refund $79.00" }));
  expect(await screen.findByText(message)).toBeTruthy();
  const call = calls.find(({ method }) => method === "POST");
  expect([call?.body, call?.headers.get("Idempotency-Key")?.length]).toEqual(['{"reason":"Not needed"}', 32]);
  expect(await dialog.findByText(/\$79\.00 refunded on .* Reason: Not needed/)).toBeTruthy();
  expect(dialog.queryByRole("button", { name: /^Refund/ })).toBeNull();
});

it.each([
  [
    "the server's reason",
    refusal(400, "ALREADY_REFUNDED", "This payment was already refunded"),
    /^This payment was/,
  ],
  ["our words without one", refusal(502, "PAYMENT_PROVIDER_ERROR", ""), "Failed to refund payment"],
])("[INV-019] a refused refund shows %s", async (_, answer, words) => {
  const { user } = open({ [`POST ${PATH}/4/refund`]: () => answer });
  await user.click(await screen.findByRole("button", { name: "Bob Birch" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(await dialog.findByRole("button", { name: "Refund…" }));
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Why");
  await user.click(dialog.getByRole("button", { name: "Refund $79.00" }));
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
});

it("[INV-019] a refund that PayPal has not confirmed says so and cannot be asked for again", async () => {
  const refund = { amount: 79, date: null, reason: "Not needed" };
  const { user } = open({ [`GET ${PATH}/4`]: () => json({ ...DETAIL, refund }) });
  await user.click(await screen.findByRole("button", { name: "Bob Birch" }));
  expect(await screen.findByText(/PayPal has not confirmed it yet/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Refund…" })).toBeNull();
});

it("[ADM-226] [D3] the buyer of a deleted account is shown after a reason alone", async () => {
  const gone = { ...DETAIL, customer: "Deleted account", customer_email: "" };
  const buyer = {
    name: "Ida Holm",
    company: "",
    address: "1 Quay, Hull",
    email: "ida@holm.org",
    vat_id: "DE1",
  };
  const { user, calls } = open({
    [`GET ${PATH}`]: () => json({ ...PAGE, payments: [gone] }),
    [`GET ${PATH}/4`]: () => json(gone),
    "POST /api/admin/invoices/9/buyer": () => json(buyer),
  });
  await user.click(await screen.findByRole("button", { name: "Deleted account" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Payment of Deleted account" }));
  await user.click(await dialog.findByRole("button", { name: "Billed to…" }));
  await user.click(dialog.getByRole("button", { name: "Show name and address" }));
  expect(dialog.getByText("Enter a reason")).toBeTruthy();
  expect(calls.some(({ method }) => method === "POST")).toBe(false);
  await user.type(dialog.getByRole("textbox", { name: "Why do you need it?" }), " Tax audit ");
  await user.click(dialog.getByRole("button", { name: "Show name and address" }));
  expect((await dialog.findByText("1 Quay, Hull")).tagName).toBe("DD");
  expect(dialog.getByText("Ida Holm")).toBeTruthy();
  expect(calls.find(({ method }) => method === "POST")?.body).toBe('{"reason":"Tax audit"}');
});

it("[ADM-226] nothing is offered where no invoice names a buyer", async () => {
  const { user } = open({ [`GET ${PATH}/4`]: () => json({ ...DETAIL, names_buyer: false }) });
  await user.click(await screen.findByRole("button", { name: "Bob Birch" }));
  expect(await screen.findByText("5O190127TN364715T")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Billed to…" })).toBeNull();
});
