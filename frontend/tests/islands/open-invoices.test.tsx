import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";

import type { OpenInvoice } from "../../src/api/types";
import { OpenInvoices } from "../../src/features/adminpanel/payments/open-invoices";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const LIST = "GET /api/admin/invoices/open";
const PAID = "POST /api/admin/invoices/3/paid";
const INVOICE: OpenInvoice = {
  id: 3,
  number: "INV-2030-000003",
  quote_id: "Q-20300131-7F3A9C",
  customer: "Erin Elm",
  customer_email: "erin@elm.com",
  organisation: "Elm Works",
  amount: 1307.25,
  currency: "USD",
  date: "2030-01-31T04:05:06Z",
  due_date: "2030-02-14",
  status: "overdue",
};

function page(invoices: OpenInvoice[]) {
  return json({ invoices, total: invoices.length, next: null });
}

function open(handlers: Record<string, Handler>) {
  const calls = serve(handlers);
  return { calls, user: show(<OpenInvoices />) };
}

beforeEach(() => history.replaceState(null, "", "/admin?tab=plans"));

it("[QUO-212] [ORG-035] what is owed is listed, and told as paid with the way it came", async () => {
  const answers = [[INVOICE], []];
  const { calls, user } = open({
    [LIST]: () => page(answers.shift() ?? []),
    [PAID]: () => json({ message: "Invoice INV-2030-000003 is paid" }),
  });
  const row = await screen.findByRole("listitem", { name: "INV-2030-000003" });
  for (const part of ["$1,307.25", "Overdue", "14 Feb 2030", "Erin Elm", "Q-20300131-7F3A9C"]) {
    expect(row.textContent).toContain(part);
  }
  await user.click(screen.getByRole("button", { name: "Mark INV-2030-000003 as paid" }));
  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getByText(/^\$1,307\.25 of Elm Works came in another way/)).toBeTruthy();
  const way = dialog.getByRole("textbox", { name: "Paid with" });
  await user.clear(way);
  await user.click(dialog.getByRole("button", { name: "Mark as paid" }));
  expect(dialog.getByText("Say how it was paid")).toBeTruthy();
  await user.type(way, "Bank transfer of 3 March");
  await user.click(dialog.getByRole("button", { name: "Mark as paid" }));
  expect(await screen.findByText("Invoice INV-2030-000003 is paid")).toBeTruthy();
  expect(calls.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    '{"paid_with":"Bank transfer of 3 March"}',
  ]);
  await expect.poll(() => screen.queryByRole("heading", { name: "Open invoices" })).toBeNull();
});

it("[QUO-212] a failed load can be repeated; without open invoices there is no section", async () => {
  let broken = true;
  const { user } = open({
    [LIST]: () => (broken ? refusal(400, "VALIDATION_ERROR", "") : page([])),
  });
  expect(await screen.findByRole("heading", { name: "Failed to load open invoices" })).toBeTruthy();
  broken = false;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  await expect.poll(() => screen.queryByRole("heading")).toBeNull();
});
