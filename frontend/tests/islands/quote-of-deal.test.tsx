import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";

import { QuotesTab } from "../../src/features/quotes/staff/quotes-tab";
import { quote, staffQuote } from "../quotes";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const GENERATE = "POST /api/admin/quotes/generate";

function open(handlers: Record<string, Handler>) {
  const calls = serve({
    "GET /api/admin/custom-quote-requests": () => json({ requests: [], total: 0, next: null, answered: 0 }),
    "GET /api/admin/quotes": () => json({ quotes: [], total: 0, next: null }),
    "POST /api/admin/quotes/preview": () => json({ ...quote(), twelve_months: 1575 }),
    ...handlers,
  });
  return { calls, user: show(<QuotesTab />) };
}

beforeEach(() => history.replaceState(null, "", "/admin?tab=quotes&quote_deal=9"));

const DEAL = {
  id: 9,
  companyName: "Fir & Sons",
  contactName: "Fay Fir",
  contactEmail: "fay@fir.org",
  dealValue: 2_500,
  stage: "proposal",
  expectedCloseDate: "2026-04-01",
  notes: "Wants a year",
  createdAt: "2026-03-01T12:00:00Z",
  lastContact: null,
};

it("[CRM-011] a deal in the address fills the form, and the quote belongs to it", async () => {
  const { calls, user } = open({
    "GET /api/admin/deals/9": () => json({ deal: DEAL, quotes: [], history: [], contract_id: null }),
    [GENERATE]: () => json(staffQuote(), 201),
  });
  const form = await screen.findByRole("region", { name: "Generate Enterprise Quote" });
  expect(await within(form).findByText(/^For the deal with Fir & Sons, worth/)).toBeTruthy();
  await user.click(within(form).getByRole("button", { name: "Generate quote" }));
  expect(await screen.findByText("Quote generated successfully! ID: Q-20260301-7F3A9C")).toBeTruthy();
  expect(
    calls
      .filter(({ method, path }) => `${method} ${path}` === GENERATE)
      .map(({ body }) => JSON.parse(body) as unknown),
  ).toEqual([
    {
      customer_name: "Fay Fir",
      customer_email: "fay@fir.org",
      customer_company: "Fir & Sons",
      credits_needed: 250_000,
      notes: "",
      deal_id: 9,
    },
  ]);
  expect(location.search).toBe("?tab=quotes");
  expect(within(form).getByRole("textbox", { name: "Customer name" })).toHaveProperty("value", "");
});

it("[CRM-011] a deal that cannot be loaded is told, and the form stays blank", async () => {
  open({ "GET /api/admin/deals/9": () => refusal(404, "NOT_FOUND", "Deal not found") });
  expect(await screen.findByText("Deal not found")).toBeTruthy();
  expect(screen.getByRole("textbox", { name: "Customer name" })).toHaveProperty("value", "");
});
