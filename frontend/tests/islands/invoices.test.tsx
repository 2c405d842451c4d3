import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { Invoice } from "../../src/api/types";
import { Invoices } from "../../src/features/billing/invoices/invoices";
import * as files from "../../src/lib/download";
import { navigation } from "../../src/lib/session";
import { choose, show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

function invoice(id: number, change: Partial<Invoice> = {}): Invoice {
  return {
    id,
    invoice_number: `INV-2030-00000${id}`,
    invoice_date: "2030-01-31",
    total_amount: 59,
    payment_status: "paid",
    payment_method: "PayPal",
    due_date: null,
    paid_at: null,
    tax_amount: 0,
    items: [{ description: "5,000 credits", quantity: 1, amount: 59 }],
    message: null,
    ...change,
  };
}

const SEVEN = [7, 6, 5, 4, 3, 2, 1].map((id) => invoice(id));

function open(answer: unknown, handlers: Record<string, Handler> = {}) {
  const calls = serve({ "GET /api/invoices": () => json(answer), ...handlers });
  return { calls, user: show(<Invoices />) };
}

it("[PEN-002] [PEN-004] a payment without a document has neither number nor PDF", async () => {
  const without = { id: null, invoice_number: null } as const;
  const message = "The payment was not made. You were not charged.";
  open({
    invoices: [
      invoice(3, { ...without, payment_status: "pending" }),
      invoice(2, { ...without, payment_status: "not_made", message }),
    ],
    total: 2,
  });
  const [waiting, ended] = await screen.findAllByRole("listitem");
  expect(waiting?.textContent).toBe("Pending5,000 credits31 Jan 2030 · PayPal$59.00");
  expect(ended?.textContent).toBe(`Not made5,000 credits31 Jan 2030 · PayPal${message}$59.00`);
  expect(screen.queryByRole("button")).toBeNull();
});

it("[INV-001] [INV-003] shows number, date, total, state, method and items", async () => {
  open({
    invoices: [
      invoice(3, { invoice_number: "CN-2030-000001", total_amount: -1234.5, payment_status: "credit_note" }),
      invoice(2, { payment_status: "pending" }),
      invoice(1),
    ],
    total: 3,
  });
  const rows = (await screen.findAllByRole("listitem")).map(({ textContent }) => textContent);
  const actions = "Download PDF";
  expect(rows).toEqual([
    `CN-2030-000001Credit note5,000 credits31 Jan 2030 · PayPal-$1,234.50${actions}`,
    `INV-2030-000002Pending5,000 credits31 Jan 2030 · PayPal$59.00${actions}`,
    `INV-2030-000001Paid5,000 credits31 Jan 2030 · PayPal$59.00${actions}`,
  ]);
  expect(screen.queryByText(/Showing/)).toBeNull();
});

it("[PEN-007] [D7] shows how the charge of a plan change adds up, the tax too", async () => {
  const lines = [
    { description: "Pro, 14 of 28 days (14 February 2030 to 27 February 2030)", quantity: 1, amount: 62.61 },
    { description: "Unused Starter, 14 of 28 days", quantity: 1, amount: -20.59 },
    { description: "Rounding", quantity: 1, amount: -0.01 },
  ];
  open({ invoices: [invoice(1, { total_amount: 50, tax_amount: 7.99, items: lines })], total: 1 });
  const row = within(await screen.findByRole("listitem"));
  const amounts = row.getAllByRole("definition").map(({ textContent }) => textContent);
  expect(amounts).toEqual(["$62.61", "-$20.59", "-$0.01", "$7.99"]);
  expect(row.getAllByRole("term").map(({ textContent }) => textContent)).toEqual([
    ...lines.map(({ description }) => description),
    "VAT",
  ]);
  expect(row.getByText("$50.00")).toBeTruthy();
});

it("[INV-002] [INV-014] [LIM-023] shows five at first, and all on demand", async () => {
  const { user } = open({ invoices: SEVEN, total: 7 });
  expect(await screen.findByText("Showing 5 of 7")).toBeTruthy();
  expect(screen.getAllByRole("listitem")).toHaveLength(5);
  await user.click(screen.getByRole("button", { name: "Show all" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(7);
  expect(screen.queryByText(/Showing/)).toBeNull();
});

it("[INV-018] takes a bare list too", async () => {
  open([invoice(1)]);
  expect(await screen.findByText("INV-2030-000001")).toBeTruthy();
});

it("[INV-014] says when there are none, and offers another try when they cannot be loaded", async () => {
  let broken = true;
  const { user } = open(null, {
    "GET /api/invoices": () => (broken ? refusal(500, "ERROR", "") : json({ invoices: [], total: 0 })),
  });
  const retry = await screen.findByRole("button", { name: "Retry" });
  expect(screen.getByRole("alert").textContent).toContain("Failed to load invoices");
  broken = false;
  await user.click(retry);
  expect(await screen.findByText("No invoices yet")).toBeTruthy();
});

it("[INV-004] saves the PDF under the number", async () => {
  const save = vi.spyOn(files, "saveBlob").mockImplementation(() => undefined);
  const { user } = open(
    { invoices: [invoice(1)], total: 1 },
    { "GET /api/invoices/1/pdf": () => new Response("%PDF-") },
  );
  await user.click(await screen.findByRole("button", { name: "Download PDF of INV-2030-000001" }));
  await vi.waitFor(() => expect(save).toHaveBeenCalledOnce());
  const [blob, name] = save.mock.calls[0] ?? [];
  expect([await blob?.text(), name]).toEqual(["%PDF-", "INV-2030-000001.pdf"]);
});

it("[ORG-025] saves the PDF under the name that the server gives", async () => {
  const save = vi.spyOn(files, "saveBlob").mockImplementation(() => undefined);
  const headers = { "Content-Disposition": "attachment; filename*=utf-8''INV-2030-000001-m%C3%BCller.pdf" };
  const { user } = open(
    { invoices: [invoice(1)], total: 1 },
    { "GET /api/invoices/1/pdf": () => new Response("%PDF-", { headers }) },
  );
  await user.click(await screen.findByRole("button", { name: "Download PDF of INV-2030-000001" }));
  await vi.waitFor(() => expect(save).toHaveBeenCalledOnce());
  expect(save.mock.calls[0]?.[1]).toBe("INV-2030-000001-müller.pdf");
});

it("[INV-005] [INV-015] mails an invoice again and says so", async () => {
  const message = "Invoice INV-2030-000001 sent to alice@alder.com";
  const { user, calls } = open(
    { invoices: [invoice(1)], total: 1 },
    { "POST /api/invoices/1/resend": () => json({ message }) },
  );
  await choose(user, "INV-2030-000001", "Resend INV-2030-000001");
  expect(await screen.findByText(message)).toBeTruthy();
  expect(calls.at(-1)?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
});

it("[INV-006] says what failed", async () => {
  const { user } = open(
    { invoices: [invoice(1)], total: 1 },
    {
      "GET /api/invoices/1/pdf": () => refusal(500, "ERROR", ""),
      "POST /api/invoices/1/resend": () => refusal(500, "ERROR", ""),
    },
  );
  const row = within(await screen.findByRole("listitem"));
  await user.click(row.getByRole("button", { name: /^Download/ }));
  expect(await screen.findByText("Failed to download invoice")).toBeTruthy();
  await choose(user, "INV-2030-000001", "Resend INV-2030-000001");
  expect(await screen.findByText("Failed to resend invoice")).toBeTruthy();
});

it("[QUO-212] [INV-003] an open invoice says when it is due, and is paid at PayPal", async () => {
  const gone = vi.spyOn(navigation, "go").mockReturnValue();
  const open_one = invoice(2, { payment_status: "overdue", payment_method: "", due_date: "2030-02-14" });
  const { user } = open(
    { invoices: [open_one, invoice(1)], total: 2 },
    { "POST /api/invoices/2/pay": () => json({ approval_url: "https://paypal.test/approve" }) },
  );
  const [row, other] = await screen.findAllByRole("listitem");
  expect(row?.textContent).toContain("Overdue");
  expect(row?.textContent).toContain("31 Jan 2030 · due on 14 Feb 2030");
  expect(other?.textContent).not.toContain("due on");
  expect(screen.getAllByRole("button", { name: /^Pay/ })).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Pay INV-2030-000002 with PayPal" }));
  await expect.poll(() => gone.mock.calls).toEqual([["https://paypal.test/approve"]]);
});

it("[QUO-212] a payment that cannot be begun says why", async () => {
  const { user } = open(
    { invoices: [invoice(2, { payment_status: "pending", due_date: "2030-02-14" })], total: 1 },
    { "POST /api/invoices/2/pay": () => refusal(400, "NOT_OPEN", "This invoice is not open") },
  );
  await user.click(await screen.findByRole("button", { name: "Pay INV-2030-000002 with PayPal" }));
  expect(await screen.findByText("This invoice is not open")).toBeTruthy();
});
