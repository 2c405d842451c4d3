import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { Quote } from "../../src/api/types";
import CustomPackages from "../../src/islands/custom-packages";
import { navigation } from "../../src/lib/session";
import { quote } from "../quotes";
import { pass, show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const LIST = "GET /api/quotes/my-quotes";
const MINE = "GET /api/quotes/my-requests";
const ASK = "POST /api/quotes/request-custom";
const DECLINE = "POST /api/quotes/Q-20260301-7F3A9C/decline";
const PAY = "POST /api/quotes/Q-20260301-7F3A9C/create-payment-order";
const SAID = "Custom quote request submitted! We'll get back to you soon.";
const unreachable: Handler = () => Promise.reject(new TypeError("offline"));

function open(quotes: Quote[], handlers: Record<string, Handler> = {}) {
  history.replaceState(null, "", "/dashboard?tab=custom-packages");
  const calls = serve({
    [LIST]: () => json({ quotes }),
    [MINE]: () => json({ requests: [], plan_requests: [] }),
    ...handlers,
  });
  return { calls, user: show(<CustomPackages support_email="help@emailcheck.app" />) };
}

it("[QUO-117] without quotes it says so, and the form is there", async () => {
  open([]);
  expect(await screen.findByText("No quotes yet")).toBeTruthy();
  expect(screen.getByRole("textbox", { name: "Credits needed" })).toBeTruthy();
});

it.each([
  ["paid", {}, ["Choose Plan & Pay"]],
  ["seen only", { is_expired: true }, ["Request quote"]],
] as [string, Partial<Quote>, string[]][])(
  "beside a quote that can be %s, one thing to do stands out",
  async (_, change, first) => {
    open([quote(change)]);
    await screen.findByRole("listitem", { name: "250,000 credits" });
    const primary = screen
      .getAllByRole("button")
      .filter(({ className }) => className.includes("button-primary"));
    expect(primary.map(({ textContent }) => textContent)).toEqual(first);
  },
);

it.each(["", "0", "-5", "12.5", "many"])("[QUO-102] refuses %o credits and sends nothing", async (typed) => {
  const { calls, user } = open([]);
  const field = screen.getByRole("textbox", { name: "Credits needed" });
  if (typed) await user.type(field, typed);
  await user.click(screen.getByRole("button", { name: "Request quote" }));
  expect(screen.getByText("Please enter a valid number of credits.")).toBeTruthy();
  expect(document.activeElement).toBe(field);
  expect(calls.filter(({ method }) => method === "POST")).toEqual([]);
});

it("[QUO-101] [QUO-103] sends the amount as an integer and empties the form", async () => {
  const { calls, user } = open([], {
    [ASK]: () => json({ success: true, message: SAID, request: { id: 1 } }, 201),
  });
  await user.type(screen.getByRole("textbox", { name: "Credits needed" }), "250,000");
  await user.type(screen.getByRole("textbox", { name: /Company name/ }), "Elm Ltd");
  await user.type(screen.getByRole("textbox", { name: /Notes/ }), "Soon");
  await user.click(screen.getByRole("button", { name: "Request quote" }));
  expect(await screen.findByText(SAID)).toBeTruthy();
  const sent = calls.find(({ method }) => method === "POST");
  expect(JSON.parse(sent?.body ?? "")).toEqual({
    credits_needed: 250_000,
    company_name: "Elm Ltd",
    notes: "Soon",
  });
  expect(sent?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
  expect(screen.getByRole("textbox", { name: "Credits needed" })).toHaveProperty("value", "");
});

it.each([
  ["the server's reason", () => refusal(429, "RATE_LIMITED", "Too many requests."), "Too many requests."],
  ["its own words without one", unreachable, "Failed to submit request"],
])("[QUO-103] a failed request shows %s and keeps what was typed", async (_, answer, said) => {
  const { user } = open([], { [ASK]: answer });
  await user.type(screen.getByRole("textbox", { name: "Credits needed" }), "5000");
  await user.click(screen.getByRole("button", { name: "Request quote" }));
  expect((await screen.findAllByText(said)).length).toBeGreaterThan(0);
  expect(screen.getByRole("textbox", { name: "Credits needed" })).toHaveProperty("value", "5000");
});

const STATES: [string, Partial<Quote>, string, string | null][] = [
  ["expired", { is_expired: true, selected_plan: "yearly" }, "Expired", null],
  [
    "paid",
    { status: "paid", plan_status: "payment_received" },
    "Paid - Pending Activation",
    "Payment received! Activation pending...",
  ],
  [
    "activated",
    { status: "activated", plan_status: "approved", selected_plan: "monthly" },
    "Activated",
    "Plan Activated!",
  ],
  ["declined", { status: "declined" }, "Declined", "You declined this quote."],
];

it.each(STATES)("[QUO-107] [QUO-108] [QUO-114] a quote that is %s", async (_, change, badge, text) => {
  open([quote(change)]);
  const card = within(await screen.findByRole("listitem", { name: "250,000 credits" }));
  expect(card.getByText(badge)).toBeTruthy();
  if (text) expect(card.getByText(text)).toBeTruthy();
  expect(card.queryByRole("button")).toBeNull();
});

it("[QUO-109] an expired quote leads to support", async () => {
  open([quote({ is_expired: true })]);
  const card = await screen.findByRole("listitem", { name: "250,000 credits" });
  expect(card.textContent).toContain("Quote Expired - Contact support for renewal");
  const draft = within(card).getByRole("link", { name: "Contact support" });
  expect(draft.getAttribute("href")).toMatch(/^mailto:help@emailcheck\.app\?subject=Renewal%20of/);
});

it.each([
  ["Active", {}],
  ["Plan Selected", { selected_plan: "monthly", plan_status: "pending" }],
] as [string, Partial<Quote>][])(
  "[QUO-104] [QUO-107] [QUO-108] one that is %s can be paid",
  async (badge, change) => {
    open([quote(change)]);
    const card = within(await screen.findByRole("listitem", { name: "250,000 credits" }));
    expect(card.getByText(badge)).toBeTruthy();
    expect(card.getByText("$131.25")).toBeTruthy();
    expect(card.getByText("$1,307.25")).toBeTruthy();
    expect(card.getByText("292,500 credits at once: 250,000 and a 17% bonus")).toBeTruthy();
    expect(card.getByText("$267.75 less than twelve monthly payments")).toBeTruthy();
    expect(card.getByRole("button", { name: "Choose Plan & Pay" })).toBeTruthy();
    const copy = card.getByRole("link", { name: /Printable copy/ });
    expect(copy.getAttribute("href")).toBe("/quotes/Q-20260301-7F3A9C/print");
  },
);

it.each([
  ["an error answer", () => refusal(400, "VALIDATION_ERROR", ""), "Failed to fetch quotes"],
  ["no answer", unreachable, "Error loading quotes"],
])("[QUO-105] %s is told, and can be asked again", async (_, answer, said) => {
  let broken = true;
  const { user } = open([], { [LIST]: (call) => (broken ? answer(call) : json({ quotes: [quote()] })) });
  expect(await screen.findByRole("heading", { name: said })).toBeTruthy();
  expect(screen.getAllByText(said)).toHaveLength(2); // in its place, and as a toast
  expect(screen.getByRole("textbox", { name: "Credits needed" })).toBeTruthy();
  broken = false;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Active")).toBeTruthy();
});

it("[QUO-110] [QUO-115] asks before a quote is declined", async () => {
  const answers = [quote(), quote({ status: "declined" })];
  const { calls, user } = open([], {
    [LIST]: () => json({ quotes: [answers.shift()] }),
    [DECLINE]: () => json({ message: "Quote declined" }),
  });
  await user.click(await screen.findByRole("button", { name: "Decline Q-20260301-7F3A9C" }));
  const question = within(screen.getByRole("dialog", { name: "Decline quote Q-20260301-7F3A9C?" }));
  await user.click(question.getByRole("button", { name: "Cancel" }));
  expect(calls.filter(({ method }) => method === "POST")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Decline Q-20260301-7F3A9C" }));
  await user.click(screen.getByRole("button", { name: "Decline quote" }));
  expect(await screen.findByText("Quote declined")).toBeTruthy();
  expect(await screen.findByText("You declined this quote.")).toBeTruthy();
});

it.each([
  [
    "an error answer",
    () => refusal(400, "QUOTE_NOT_OPEN", "A paid quote cannot be declined."),
    "Failed to decline quote",
  ],
  ["no answer", unreachable, "Error declining quote"],
])("[QUO-110] a decline that met %s", async (_, answer, said) => {
  const { user } = open([quote()], { [DECLINE]: answer });
  await user.click(await screen.findByRole("button", { name: "Decline Q-20260301-7F3A9C" }));
  await user.click(screen.getByRole("button", { name: "Decline quote" }));
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.getByText("Active")).toBeTruthy();
});

it("[QUO-111] [QUO-051] [QUO-052] both plans are told, and the chosen one is paid", async () => {
  const { calls, user } = open([quote()], {
    [PAY]: () => json({ order_id: "O-1", approval_url: "https://paypal.test/approve" }),
  });
  const left = vi.spyOn(navigation, "go").mockReturnValue();
  await user.click(await screen.findByRole("button", { name: "Choose Plan & Pay" }));
  const dialog = await screen.findByRole("dialog", { name: "Choose your plan" });
  for (const words of [
    "292,500 credits up front: 250,000 and a 17% bonus",
    "2 months free (17% discount): you save $267.75",
    "20,833 credits per month",
    "20,837 with the first payment, 20,833 with each after it",
    "Twelve monthly payments",
  ]) {
    expect(dialog.textContent).toContain(words);
  }
  expect(within(dialog).getByRole("radio", { name: /Yearly/ })).toHaveProperty("checked", true);
  await user.click(within(dialog).getByRole("radio", { name: /Monthly/ }));
  await user.click(within(dialog).getByRole("button", { name: "Pay $131.25 with PayPal" }));
  await vi.waitFor(() => expect(left).toHaveBeenCalledWith("https://paypal.test/approve"));
  const sent = calls.find(({ method }) => method === "POST");
  expect(JSON.parse(sent?.body ?? "")).toEqual({ plan: "monthly", confirm_second: false });
});

it("[QUO-113] a payment that cannot begin is told", async () => {
  const { user } = open([quote()], { [PAY]: unreachable });
  await user.click(await screen.findByRole("button", { name: "Choose Plan & Pay" }));
  await user.click(screen.getByRole("button", { name: "Pay $1,307.25 with PayPal" }));
  expect(await screen.findByText("Failed to process payment")).toBeTruthy();
});

it("[QUO-116] back from PayPal, the payment is asked about and the list brought up to date", async () => {
  const before = quote();
  const after = quote({ status: "paid", plan_status: "payment_received" });
  let asked = false;
  const calls = serve({
    [LIST]: () => json({ quotes: [asked ? after : before] }),
    "GET /api/payments/paypal/status/pay_1": () => {
      asked = true;
      return json({ kind: "quote", state: "paid", message: "Payment received! Activation pending..." });
    },
  });
  history.replaceState(null, "", "/dashboard?tab=custom-packages&payment=success&token=pay_1");
  show(<CustomPackages support_email="help@emailcheck.app" />);
  expect(await screen.findByText("Paid - Pending Activation")).toBeTruthy();
  expect(location.search).toBe("?tab=custom-packages");
  expect(calls.map(({ path }) => path)).toContain("/api/payments/paypal/status/pay_1");
});

it("[QUO-116] [PEN-005] a payment that was cancelled leaves the quote payable", async () => {
  serve({
    [LIST]: () => json({ quotes: [quote()] }),
    "GET /api/payments/paypal/status/pay_1": () =>
      json({ kind: "quote", state: "pending", message: "PayPal has not confirmed this payment yet." }),
  });
  history.replaceState(null, "", "/dashboard?tab=custom-packages&payment=cancelled&token=pay_1");
  show(<CustomPackages support_email="help@emailcheck.app" />);
  expect(await screen.findByText("Payment cancelled. Your quote can still be paid.")).toBeTruthy();
  expect(await screen.findByRole("button", { name: "Choose Plan & Pay" })).toBeTruthy();
  expect(location.search).toBe("?tab=custom-packages");
});

it("[QUO-053] [QUO-108] a paid quote is asked about until it is active", async () => {
  vi.useFakeTimers();
  const paid = quote({ status: "paid", plan_status: "payment_received", selected_plan: "yearly" });
  const active = quote({ status: "activated", plan_status: "approved", selected_plan: "yearly" });
  const answers = [paid, paid, active];
  const { calls } = open([], { [LIST]: () => json({ quotes: [answers.shift() ?? active] }) });
  await pass(10);
  expect(screen.getByText("Payment received! Activation pending...")).toBeTruthy();
  await pass(30_100);
  expect(screen.getByText("Plan Activated!")).toBeTruthy();
  await pass(60_000);
  expect(calls.filter(({ path }) => path === LIST.slice(4))).toHaveLength(3);
});

it("[QUO-105] what is shown stays when it cannot be refreshed, and says so", async () => {
  vi.useFakeTimers();
  const paid = quote({ status: "paid", plan_status: "payment_received", selected_plan: "yearly" });
  const chosen = {
    id: 4,
    quote_id: "Q-4",
    credits_needed: 50_000,
    selected_plan: "yearly",
    amount_paid: null,
  };
  const waiting = { ...chosen, status: "payment_received", auto_approval_at: null };
  let broken = false;
  const sometimes =
    (body: object): Handler =>
    () =>
      broken ? refusal(400, "VALIDATION_ERROR", "") : json(body);
  open([], {
    [LIST]: sometimes({ quotes: [paid] }),
    [MINE]: sometimes({ requests: [], plan_requests: [waiting] }),
  });
  await pass(10);
  broken = true;
  await pass(30_100);
  const said = screen.getAllByRole("alert").map(({ textContent }) => textContent);
  expect(said).toEqual([
    expect.stringMatching(/^Failed to fetch quotes\. These values are from .*Retry$/),
    expect.stringMatching(/^Failed to load your requests\. These values are from .*Retry$/),
  ]);
  expect(screen.getByText("Payment received! Activation pending...")).toBeTruthy();
  expect(screen.getByText("50,000 credits, yearly")).toBeTruthy();
  expect(screen.getAllByText(/Failed to fetch quotes/)).toHaveLength(1); // no toast each time
  broken = false;
  await pass(15_100);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("[QUO-209] [QUO-211] what was asked for or chosen is listed with its state", async () => {
  const asked = { id: 1, credits_needed: 250_000, company_name: "Elm Ltd", notes: "", status: "PENDING" };
  const chosen = {
    id: 4,
    quote_id: "Q-4",
    credits_needed: 50_000,
    selected_plan: "yearly",
    status: "payment_received",
    amount_paid: 290.53,
    payment_received_at: "2030-01-31T04:05:06Z",
    auto_approval_at: "2030-01-31T04:13:06Z",
    created_at: "2030-01-31T04:00:00Z",
  };
  const requests = [asked, { ...asked, id: 2, status: "DECLINED" }].map((one) => ({
    ...one,
    created_at: "2030-01-31T04:05:06Z",
  }));
  const plans = [chosen, { ...chosen, id: 5, quote_id: "Q-5", status: "pending", auto_approval_at: null }];
  open([], { [MINE]: () => json({ requests, plan_requests: plans }) });
  const section = within(await screen.findByRole("region", { name: "Your requests" }));
  const rows = section.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(rows[0]).toMatch(/^50,000 credits, yearlyPayment receivedQ-4 · \$290\.53 paid · active by /);
  expect(rows[1]).toMatch(/^50,000 credits, yearlyPayment openQ-5 · chosen .*, not paid yet$/);
  expect(rows[2]).toMatch(/^250,000 creditsWaiting for our quoteRequested .* · Elm Ltd$/);
  expect(rows[3]).toContain("Closed without a quote");
});

it("[QUO-101] requests that cannot be loaded are told, with Retry", async () => {
  let broken = true;
  const { user } = open([], {
    [MINE]: () => (broken ? refusal(400, "VALIDATION_ERROR", "") : json({ requests: [], plan_requests: [] })),
  });
  expect(await screen.findByRole("heading", { name: "Failed to load your requests" })).toBeTruthy();
  broken = false;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  await expect.poll(() => screen.queryByRole("heading", { name: "Failed to load your requests" })).toBeNull();
});
