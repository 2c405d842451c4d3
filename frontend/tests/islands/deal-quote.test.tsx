import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";

import { QuotesTab } from "../../src/features/staff/quotes/quotes-tab";
import { quote, staffQuote } from "../quotes";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const GENERATE = "POST /api/admin/quotes/generate";
const DEAL = "GET /api/admin/deals/9";
const deal = {
  id: 9,
  companyName: "Elm Inc",
  contactName: "Erin",
  contactEmail: "e@elm.com",
  dealValue: 4_200,
};

function open(handlers: Record<string, Handler>) {
  history.replaceState(null, "", "/admin?tab=quotes&quote_deal=9");
  const calls = serve({
    "GET /api/admin/custom-quote-requests": () => json({ requests: [], total: 0, next: null, answered: 0 }),
    "GET /api/admin/quotes": () => json({ quotes: [], total: 0, next: null }),
    "POST /api/admin/quotes/preview": () => json({ ...quote(), twelve_months: 1_575 }),
    ...handlers,
  });
  return { calls, user: show(<QuotesTab />) };
}

it("[CRM-011] a deal fills the form, and the quote belongs to it", async () => {
  const { calls, user } = open({ [DEAL]: () => json({ deal }), [GENERATE]: () => json(staffQuote(), 201) });
  const origin = await screen.findByRole("note");
  expect(origin.textContent).toContain("For the deal with Elm Inc, worth $4,200.");
  await user.click(screen.getByRole("button", { name: "Generate quote" }));
  await waitFor(() => expect(location.search).toBe("?tab=quotes"));
  const sent = calls
    .filter(({ path }) => path.endsWith("/generate"))
    .map(({ body }) => JSON.parse(body) as unknown);
  expect(sent).toEqual([
    {
      customer_name: "Erin",
      customer_email: "e@elm.com",
      customer_company: "Elm Inc",
      credits_needed: 250_000,
      notes: "",
      deal_id: 9,
    },
  ]);
});

it("[CRM-011] a deal that cannot be loaded is told", async () => {
  open({ [DEAL]: () => refusal(404, "NOT_FOUND", "Deal not found") });
  expect(await screen.findByRole("heading", { name: "Deal not found" })).toBeTruthy();
});
