import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";

import type { QuoteRequest, StaffQuote } from "../../src/api/types";
import { QuotesTab } from "../../src/features/quotes/staff/quotes-tab";
import { quote, quoteRequest, staffQuote } from "../quotes";
import { show } from "../render";
import { json, refusal, serve, type Call, type Handler } from "../server";

const REQUESTS = "GET /api/admin/custom-quote-requests";
const LIST = "GET /api/admin/quotes";
const PREVIEW = "POST /api/admin/quotes/preview";
const GENERATE = "POST /api/admin/quotes/generate";
const SEND = "POST /api/admin/quotes/send-email";
const DELETE = "POST /api/admin/quotes/Q-20260301-7F3A9C/delete";
const SECTION = "Custom Quote Requests from Users";
const { monthly_price, annual_price, annual_savings, credit_distribution, yearly_credits } = quote();
const priced = {
  monthly_price,
  annual_price,
  annual_savings,
  credit_distribution,
  yearly_credits,
  twelve_months: 1575,
};

interface Given {
  requests?: QuoteRequest[];
  quotes?: StaffQuote[];
}

function quotesPage(quotes: StaffQuote[] = [], next: string | null = null) {
  return { quotes, total: quotes.length, next };
}

/** As the server: those that wait, or those that have an answer. */
function requestsPage(all: QuoteRequest[], { query }: Call) {
  const isOpen = ({ status }: QuoteRequest) => status === "PENDING";
  const requests = all.filter((one) => isOpen(one) === (query.get("state") === "open"));
  return {
    requests,
    total: requests.length,
    next: null,
    answered: all.filter((one) => !isOpen(one)).length,
  };
}

function open({ requests = [], quotes = [] }: Given = {}, handlers: Record<string, Handler> = {}) {
  const calls = serve({
    [REQUESTS]: (call) => json(requestsPage(requests, call)),
    [LIST]: () => json(quotesPage(quotes)),
    [PREVIEW]: () => json(priced),
    ...handlers,
  });
  return { calls, user: show(<QuotesTab />) };
}

function sentTo(calls: ReturnType<typeof serve>, handler: string): unknown[] {
  return calls
    .filter(({ method, path }) => `${method} ${path}` === handler)
    .map(({ body }) => JSON.parse(body || "{}") as unknown);
}

beforeEach(() => history.replaceState(null, "", "/admin?tab=quotes"));

it("[QUO-001] [QUO-029] without requests there is no section of them; without quotes it says so", async () => {
  open();
  expect(await screen.findByText("No quotes generated yet")).toBeTruthy();
  expect(screen.queryByText(SECTION)).toBeNull();
});

it("[QUO-002] [QUO-003] [QUO-005] an open request shows who asks for what, and a mail draft", async () => {
  open({ requests: [quoteRequest(), quoteRequest({ id: 2, status: "QUOTED", user_name: "Old" })] });
  const section = within(await screen.findByRole("region", { name: SECTION }));
  const order = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(order.slice(0, 3)).toEqual([SECTION, "Generate Enterprise Quote", "Recent Quotes"]);
  const text = section.getByRole("listitem").textContent;
  for (const part of ["12,345 credits", "PENDING", "Erin Elm", "erin@elm.com", "Elm Ltd", "Before spring"]) {
    expect(text).toContain(part);
  }
  const draft = new URL(section.getByRole("link", { name: "Email User" }).getAttribute("href") ?? "");
  expect(draft.pathname).toBe("erin@elm.com");
  expect(draft.searchParams.get("subject")).toBe("Regarding your custom quote request");
});

it("[QUO-007] requests that cannot be loaded are told, with Refresh", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  let broken = true;
  const { user } = open(
    {},
    {
      [REQUESTS]: (call) =>
        broken ? refusal(400, "VALIDATION_ERROR", "") : json(requestsPage([quoteRequest()], call)),
    },
  );
  expect(await screen.findByText("Failed to load custom quote requests")).toBeTruthy();
  expect(console.warn).toHaveBeenCalledOnce();
  broken = false;
  await user.click(screen.getByRole("button", { name: "Refresh" }));
  expect(await screen.findByText("12,345 credits")).toBeTruthy();
});

it("[LIM-026] the form that a request fills is lit for two seconds", async () => {
  open({ requests: [quoteRequest()] }, {});
  const button = await screen.findByRole("button", { name: /^Generate Quote for/ });
  vi.useFakeTimers();
  try {
    fireEvent.click(button);
    const form = screen.getByRole("region", { name: "Generate Enterprise Quote" });
    act(() => void vi.advanceTimersByTime(1_999));
    expect(form.className).toContain("quote-lit");
    act(() => void vi.advanceTimersByTime(1));
    expect(form.className).not.toContain("quote-lit");
  } finally {
    vi.useRealTimers();
  }
});

it("[QUO-004] [QUO-009] a request fills the form, rounded up, and the quote answers it", async () => {
  const { calls, user } = open({ requests: [quoteRequest()] }, { [GENERATE]: () => json(staffQuote(), 201) });
  const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
  await user.click(await screen.findByRole("button", { name: /^Generate Quote for/ }));
  const form = screen.getByRole("region", { name: "Generate Enterprise Quote" });
  expect(scrolled).toHaveBeenCalledOnce();
  expect(form.className).toContain("quote-lit");
  expect(form.textContent).toContain("Erin Elm asked for 12,345 credits; rounded up to 13,000.");
  expect(within(form).getByRole("spinbutton", { name: "Custom amount" })).toHaveProperty("value", "13000");
  await waitFor(() => expect(form.className).not.toContain("quote-lit"));
  await user.click(within(form).getByRole("button", { name: "Generate quote" }));
  expect(await screen.findByText("Quote generated successfully! ID: Q-20260301-7F3A9C")).toBeTruthy();
  expect(sentTo(calls, GENERATE)).toEqual([
    {
      customer_name: "Erin Elm",
      customer_email: "erin@elm.com",
      customer_company: "Elm Ltd",
      credits_needed: 13_000,
      notes: "Before spring",
      request_id: 3,
    },
  ]);
  expect(within(form).queryByText(/asked for/)).toBeNull();
  expect(within(form).getByRole("textbox", { name: "Customer name" })).toHaveProperty("value", "");
});

it("[QUO-021] [QUO-022] [QUO-037] the form offers five amounts and one's own, and shows the price", async () => {
  const { calls, user } = open();
  const form = within(await screen.findByRole("region", { name: "Generate Enterprise Quote" }));
  const choices = within(form.getByRole("combobox", { name: "Credits needed" })).getAllByRole("option");
  expect(choices.map(({ textContent }) => textContent)).toEqual([
    "50,000",
    "100,000",
    "250,000",
    "500,000",
    "1,000,000",
    "Custom amount",
  ]);
  expect(await form.findByText("$131.25")).toBeTruthy();
  expect(form.getByText("20,837 credits in the first month")).toBeTruthy();
  expect(form.getByText("Saves $267.75")).toBeTruthy();
  await user.selectOptions(form.getByRole("combobox", { name: "Credits needed" }), "Custom amount");
  expect(await form.findByText("Choose an amount to see what it costs.")).toBeTruthy();
  await user.type(form.getByRole("spinbutton", { name: "Custom amount" }), "42000");
  expect(await form.findByText("$131.25")).toBeTruthy();
  expect(sentTo(calls, PREVIEW)).toEqual([{ credits_needed: 250_000 }, { credits_needed: 42_000 }]);
});

it("[QUO-021] [QUO-022] nothing is sent without name, address and an amount that is offered", async () => {
  const { calls, user } = open();
  const form = within(await screen.findByRole("region", { name: "Generate Enterprise Quote" }));
  await user.type(form.getByRole("textbox", { name: "Customer email" }), "nobody");
  await user.selectOptions(form.getByRole("combobox", { name: "Credits needed" }), "Custom amount");
  await user.type(form.getByRole("spinbutton", { name: "Custom amount" }), "1500");
  await user.click(form.getByRole("button", { name: "Generate quote" }));
  expect(form.getByText("Enter the customer's name")).toBeTruthy();
  expect(form.getByText("Enter a valid email address")).toBeTruthy();
  expect(form.getByText("Enter a multiple of 1,000, at least 1,000 credits")).toBeTruthy();
  expect(sentTo(calls, GENERATE)).toEqual([]);
});

it("[QUO-023] a quote that cannot be made says why", async () => {
  const { user } = open({}, { [GENERATE]: () => refusal(404, "NOT_FOUND", "Quote request not found") });
  await user.type(await screen.findByRole("textbox", { name: "Customer name" }), "Erin");
  await user.type(screen.getByRole("textbox", { name: "Customer email" }), "erin@elm.com");
  await user.click(screen.getByRole("button", { name: "Generate quote" }));
  expect(await screen.findByText("Failed to generate quote: Quote request not found")).toBeTruthy();
});

const THREE = [
  staffQuote({
    id: 1,
    quote_id: "Q-1",
    customer_name: "Ada",
    credits_needed: 500_000,
    annual_price: 2448.47,
    created_at: "2026-03-01T12:00:00Z",
  }),
  staffQuote({
    id: 2,
    quote_id: "Q-2",
    customer_name: "Ben",
    credits_needed: 50_000,
    annual_price: 290.53,
    created_at: "2026-03-03T12:00:00Z",
    customer_company: "Birch",
  }),
  staffQuote({
    id: 3,
    quote_id: "Q-3",
    customer_name: "Cleo",
    credits_needed: 100_000,
    annual_price: 560.25,
    created_at: "2026-03-02T12:00:00Z",
  }),
];

function order(): string[] {
  const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
  return rows.map((row) => /Q-\d/.exec(row.textContent)?.[0] ?? "");
}

it("[QUO-025] [QUO-026] [QUO-028] the server sorts and searches the table, and the address knows", async () => {
  const { calls, user } = open(
    {},
    { [LIST]: ({ query }) => json(quotesPage(query.get("search") === "bIRCHx" ? [] : THREE)) },
  );
  const asked = () => {
    const { search, sort, order } = Object.fromEntries(
      calls.filter(({ path }) => path === LIST.slice(4)).at(-1)?.query ?? [],
    );
    return [search, sort, order];
  };
  await screen.findByRole("table");
  const headers = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(headers).toEqual([
    "Quote ID",
    "Customer",
    "Company",
    "Credits",
    "Monthly",
    "Annual",
    "Created",
    "Actions",
  ]);
  expect(order()).toEqual(["Q-1", "Q-2", "Q-3"]);
  expect(asked()).toEqual(["", "date", "desc"]);
  await user.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "Credits");
  expect(asked()).toEqual(["", "credits", "desc"]);
  await user.click(screen.getByRole("button", { name: "Descending" }));
  expect(asked()).toEqual(["", "credits", "asc"]);
  await user.click(await screen.findByRole("button", { name: "Annual" }));
  expect(asked()).toEqual(["", "price", "desc"]);
  expect(location.search).toBe("?tab=quotes&sort=price");
  await user.type(screen.getByRole("searchbox", { name: "Search quotes" }), "bIRCH");
  await waitFor(() => expect(asked()).toEqual(["bIRCH", "price", "desc"]));
  await user.type(screen.getByRole("searchbox", { name: "Search quotes" }), "x");
  await user.click(await screen.findByRole("button", { name: "Clear filters" }));
  await screen.findByRole("table");
  expect(order()).toHaveLength(3);
});

it("[QUO-025] [QUO-026] the table goes through pages, and begins anew with another order", async () => {
  const [first, ...others] = THREE;
  const { user } = open(
    {},
    {
      [LIST]: ({ query }) =>
        json(query.get("cursor") === "two" ? quotesPage(others) : quotesPage(first ? [first] : [], "two")),
    },
  );
  await screen.findByRole("table");
  expect(order()).toEqual(["Q-1"]);
  await user.click(screen.getByRole("button", { name: "Next" }));
  await waitFor(() => expect(order()).toEqual(["Q-2", "Q-3"]));
  expect(screen.getByRole("button", { name: "Next" }).getAttribute("aria-disabled")).toBe("true");
  await user.click(screen.getByRole("button", { name: "Previous" }));
  await waitFor(() => expect(order()).toEqual(["Q-1"]));
  await user.click(screen.getByRole("button", { name: "Next" }));
  await user.selectOptions(await screen.findByRole("combobox", { name: "Sort by" }), "Price");
  await waitFor(() => expect(order()).toEqual(["Q-1"]));
});

it("[QUO-025] quotes that cannot be loaded can be asked for again", async () => {
  let broken = true;
  const { user } = open(
    {},
    { [LIST]: () => (broken ? refusal(400, "VALIDATION_ERROR", "") : json(quotesPage(THREE))) },
  );
  expect(await screen.findByRole("heading", { name: "Failed to fetch quotes" })).toBeTruthy();
  broken = false;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("table")).toBeTruthy();
});

it("[QUO-034] asks before a quote is deleted", async () => {
  const answers = [[staffQuote()], []];
  const { user } = open(
    {},
    {
      [LIST]: () => json(quotesPage(answers.shift())),
      [DELETE]: () => json({ success: true, message: "Quote deleted successfully!" }),
    },
  );
  await user.click(await screen.findByRole("button", { name: "Delete Q-20260301-7F3A9C" }));
  await user.click(screen.getByRole("button", { name: "Delete quote" }));
  expect(await screen.findByText("Quote deleted successfully!")).toBeTruthy();
  expect(await screen.findByText("No quotes generated yet")).toBeTruthy();
});

it("[QUO-034] a quote that cannot be deleted stays", async () => {
  const { user } = open(
    { quotes: [staffQuote()] },
    { [DELETE]: () => refusal(400, "QUOTE_PAID", "A paid quote can only be archived") },
  );
  await user.click(await screen.findByRole("button", { name: "Delete Q-20260301-7F3A9C" }));
  await user.click(screen.getByRole("button", { name: "Delete quote" }));
  expect(await screen.findByText("Failed to delete quote")).toBeTruthy();
  expect(screen.getByText("A paid quote can only be archived")).toBeTruthy();
});

it("[QUO-039] a paid quote is archived, never deleted", async () => {
  const { calls, user } = open(
    { quotes: [staffQuote({ status: "paid" })] },
    { [DELETE.replace("delete", "archive")]: () => json({ success: true, message: "Quote archived" }) },
  );
  await user.click(await screen.findByRole("button", { name: "Archive Q-20260301-7F3A9C" }));
  expect(screen.queryByRole("button", { name: /^Delete/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Archive quote" }));
  expect(await screen.findByText("Quote archived")).toBeTruthy();
  expect(sentTo(calls, DELETE)).toEqual([]);
});

it.each([
  [
    () => json({ reminders_7_days: 3, reminders_2_days: 1, deleted_quotes: 2 }),
    "Cleanup complete: 3 7-day reminders, 1 2-day reminders, 2 quotes deleted",
  ],
  [() => refusal(400, "VALIDATION_ERROR", ""), "Failed to run cleanup"],
])("[QUO-055] [QUO-056] [QUO-057] cleanup is asked about, and says what it did", async (answer, said) => {
  const { calls, user } = open({}, { "POST /api/admin/quotes/cleanup": answer });
  await user.click(await screen.findByRole("button", { name: "Cleanup Expired" }));
  expect(sentTo(calls, "POST /api/admin/quotes/cleanup")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Run cleanup" }));
  expect(await screen.findByText(said)).toBeTruthy();
});

it("[QUO-030] [QUO-031] [QUO-032] a quote is looked at and mailed", async () => {
  const said = "Quote sent successfully to boss@elm.com";
  const { calls, user } = open(
    { quotes: [staffQuote()] },
    { [SEND]: () => json({ success: true, message: said }) },
  );
  await user.click(await screen.findByRole("button", { name: "View Q-20260301-7F3A9C" }));
  const dialog = within(screen.getByRole("dialog", { name: "Quote Q-20260301-7F3A9C" }));
  for (const text of ["Erin Elm", "Elm Ltd", "250,000", "$131.25", "$1,307.25", "Saves $267.75"]) {
    expect(dialog.getByText(text)).toBeTruthy();
  }
  const draft = new URL(
    dialog.getByRole("link", { name: "Open in Email Client" }).getAttribute("href") ?? "",
  );
  expect(draft.pathname).toBe("erin@elm.com");
  expect(draft.searchParams.get("body")).toContain("$1,307.25");
  const print = dialog.getByRole("link", { name: "Print Quote" });
  expect(print.getAttribute("href")).toBe("/admin/quotes/Q-20260301-7F3A9C/print");
  const recipient = dialog.getByRole("textbox", { name: "Recipient email" });
  await user.clear(recipient);
  await user.type(recipient, "   ");
  await user.click(dialog.getByRole("button", { name: "Email Quote via SMTP" }));
  expect(dialog.getByText("Please enter recipient email")).toBeTruthy();
  expect(sentTo(calls, SEND)).toEqual([]);
  await user.type(recipient, " boss@elm.com ");
  await user.type(dialog.getByRole("textbox", { name: /Message/ }), "As agreed");
  await user.click(dialog.getByRole("button", { name: "Email Quote via SMTP" }));
  expect(await screen.findByText(said)).toBeTruthy();
  expect(sentTo(calls, SEND)).toEqual([
    { quote_data: { quote_id: "Q-20260301-7F3A9C" }, recipient_email: "boss@elm.com", message: "As agreed" },
  ]);
});

it("[QUO-033] a mail that was not taken says why", async () => {
  const { user } = open(
    { quotes: [staffQuote()] },
    { [SEND]: () => refusal(502, "PROVIDER_FAILED", "The mail server did not answer.") },
  );
  await user.click(await screen.findByRole("button", { name: "View Q-20260301-7F3A9C" }));
  await user.click(screen.getByRole("button", { name: "Email Quote via SMTP" }));
  expect(await screen.findByText("Failed to send quote: The mail server did not answer.")).toBeTruthy();
});
