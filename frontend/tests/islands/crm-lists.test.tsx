import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";

import type { Contact, Contract } from "../../src/api/types";
import { CrmTab } from "../../src/features/crm/crm-tab";
import { formatDay } from "../../src/lib/format";
import { show } from "../render";
import { json, refusal, serve, type Call, type Handler } from "../server";

const CONTRACTS = "GET /api/admin/contracts";
const CONTACTS = "GET /api/admin/contacts";
const NEWSLETTER = "GET /api/admin/newsletter";
const NOBODY = { active: 0, expiring: 0, expired: 0, cancelled: 0 };
const DAY_MS = 86_400_000;

function contract(change: Partial<Contract> = {}): Contract {
  return {
    id: 5,
    companyName: "Elm Inc",
    plan: "Enterprise",
    startDate: "2026-03-01",
    endDate: "2999-02-28",
    value: 24_000,
    status: "active",
    renewalDate: null,
    autoRenewal: false,
    deal_id: null,
    quote_id: null,
    ...change,
  };
}

function page(contracts: Contract[], counts = { ...NOBODY, active: contracts.length }) {
  return { contracts, total: contracts.length, next: null, counts };
}

const message: Contact = {
  id: 3,
  name: "Ida Holm",
  email: "ida@holm.org",
  subject: "Lists",
  message: "How many at once?",
  state: "new",
  created_at: "2026-03-01T12:00:00Z",
  deal_id: null,
};

function open(view: string, handlers: Record<string, Handler>) {
  history.replaceState(null, "", `/admin?tab=crm&view=${view}`);
  const calls = serve(handlers);
  return { calls, user: show(<CrmTab />) };
}

function sent(calls: Call[], method: string): unknown[] {
  return calls
    .filter((call) => call.method === method)
    .map(({ body }) => JSON.parse(body || "{}") as unknown);
}

function lastQuery(calls: Call[]): Record<string, string> {
  return Object.fromEntries(calls.filter(({ method }) => method === "GET").at(-1)?.query ?? []);
}

beforeEach(() => history.replaceState(null, "", "/admin?tab=crm"));

it("[CRM-009] [CRM-010] contracts with their status, asked for by what the address says", async () => {
  const soon = formatDay(new Date(Date.now() + 3 * DAY_MS));
  const { calls, user } = open("contracts", {
    [CONTRACTS]: () =>
      json(page([contract(), contract({ id: 6, companyName: "Fir", status: "expiring", endDate: soon })])),
  });
  const [, first, second] = await screen.findAllByRole("row");
  expect(first?.textContent).toContain("Elm Inc");
  expect(first?.textContent).toContain("$24,000");
  expect(first?.textContent).toContain("Active");
  expect(second?.textContent).toContain("in 3 days");
  expect(lastQuery(calls)).toEqual({ search: "", status: "running", sort: "end", order: "asc", page: "1" });
  await user.click(screen.getByRole("button", { name: "Value" }));
  await waitFor(() => expect(lastQuery(calls)).toMatchObject({ sort: "value", order: "asc" }));
  expect((await screen.findByRole("columnheader", { name: "Value" })).getAttribute("aria-sort")).toBe(
    "ascending",
  );
  await user.click(screen.getByRole("button", { name: "Value" }));
  await waitFor(() => expect(lastQuery(calls)).toMatchObject({ sort: "value", order: "desc" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "All contracts");
  await waitFor(() => expect(lastQuery(calls)).toMatchObject({ status: "" }));
  await user.type(screen.getByRole("searchbox", { name: "Search contracts" }), "elm");
  await waitFor(() => expect(lastQuery(calls)).toMatchObject({ search: "elm" }));
  expect(location.search).toBe(
    "?tab=crm&view=contracts&contract_sort=value&contract_order=desc&contract_status=all&contract_search=elm",
  );
});

it("a press on a title keeps the rows and the focus until the others are there", async () => {
  const waiting: ((answer: Response) => void)[] = [];
  const { user } = open("contracts", {
    [CONTRACTS]: ({ query }) =>
      query.get("sort") === "end"
        ? json(page([contract()]))
        : new Promise<Response>((resolve) => waiting.push(resolve)),
  });
  const title = await screen.findByRole("button", { name: "Company" });
  await user.click(title);
  await waitFor(() => expect(waiting).toHaveLength(1));
  const frame = screen.getByRole("table", { name: "Contracts" }).parentElement;
  expect(frame?.getAttribute("aria-busy")).toBe("true");
  expect(screen.getByRole("button", { name: "Elm Inc" })).toBeTruthy();
  waiting[0]?.(json(page([contract({ companyName: "Ash Ltd" })])));
  expect(await screen.findByRole("button", { name: "Ash Ltd" })).toBeTruthy();
  expect(frame?.getAttribute("aria-busy")).toBe("false");
  expect(document.activeElement).toBe(title);
});

it("pages of contracts are in the address", async () => {
  const { calls, user } = open("contracts", {
    [CONTRACTS]: ({ query }) =>
      json({ ...page([contract()]), total: 51, next: query.get("page") === "1" ? 2 : null }),
  });
  await user.click(await screen.findByRole("button", { name: "Next" }));
  await waitFor(() => expect(lastQuery(calls)).toMatchObject({ page: "2" }));
  expect(await screen.findByText("51–51 of 51 contracts")).toBeTruthy();
  expect(location.search).toContain("contract_page=2");
  await user.click(screen.getByRole("button", { name: "Previous" }));
  expect(location.search).not.toContain("contract_page");
});

it("[CRM-012] no contracts, none that match, and a failed load", async () => {
  let answer: () => Response = () => refusal(400, "VALIDATION_ERROR", "");
  const { user } = open("contracts", { [CONTRACTS]: () => answer() });
  expect(await screen.findByRole("heading", { name: "Failed to load contracts" })).toBeTruthy();
  answer = () => json(page([]));
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "No contracts yet" })).toBeTruthy();
  answer = () => json(page([], { ...NOBODY, expired: 1 }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Cancelled");
  expect(await screen.findByRole("heading", { name: "No contract matches" })).toBeTruthy();
  answer = () => json(page([contract({ status: "expired" })]));
  await user.click(screen.getByRole("button", { name: "Show all contracts" }));
  expect(await screen.findByText("Elm Inc")).toBeTruthy();
});

it("[CRM-002] [CRM-003] [LIM-008] renewal alerts ask for what expires and for what is worth much", async () => {
  const { calls } = open("renewals", {
    [CONTRACTS]: ({ query }) =>
      json(
        query.get("alert") === "expiring_soon"
          ? page([])
          : page([contract({ companyName: "Willow", value: 20_000.01 })]),
      ),
  });
  expect(await screen.findByRole("heading", { name: "Expiring Soon" })).toBeTruthy();
  expect(await screen.findByText("No contract ends within 30 days.")).toBeTruthy();
  const worthy = within(await screen.findByRole("table", { name: "Renewal Opportunities" }));
  expect(worthy.getByRole("button", { name: "Willow" })).toBeTruthy();
  expect(worthy.getByText("$20,000.01")).toBeTruthy();
  expect(calls.map(({ query }) => query.get("alert"))).toEqual(["expiring_soon", "renewal_opportunities"]);
});

it("[CRM-009] [CRM-014] a contract is written by hand, and must end after it starts", async () => {
  const { calls, user } = open("contracts", {
    [CONTRACTS]: () => json(page([])),
    "POST /api/admin/contracts": () => json({ contract: contract() }, 201),
  });
  await user.click(screen.getByRole("button", { name: "New Contract" }));
  const form = within(screen.getByRole("dialog", { name: "New Contract" }));
  await user.type(form.getByLabelText("Company name"), "Elm Inc");
  await user.type(form.getByLabelText("Plan"), "Enterprise");
  await user.type(form.getByLabelText("Start date"), "2032-03-01");
  await user.type(form.getByLabelText("End date"), "2032-03-01");
  await user.type(form.getByLabelText("Value (USD)"), "24000");
  await user.click(form.getByRole("checkbox", { name: /Renews itself/ }));
  await user.click(form.getByRole("button", { name: "Create contract" }));
  expect(form.getByText("Choose a date after the start")).toBeTruthy();
  expect(sent(calls, "POST")).toEqual([]);
  await user.clear(form.getByLabelText("End date"));
  await user.type(form.getByLabelText("End date"), "2033-02-28");
  await user.click(form.getByRole("button", { name: "Create contract" }));
  expect(await screen.findByText("Contract created")).toBeTruthy();
  expect(sent(calls, "POST")).toEqual([
    {
      companyName: "Elm Inc",
      plan: "Enterprise",
      startDate: "2032-03-01",
      endDate: "2033-02-28",
      value: "24000",
      renewalDate: null,
      autoRenewal: true,
    },
  ]);
});

it("[CRM-011] [CRM-014] a contract is opened by the address, changed and deleted", async () => {
  const one = "/api/admin/contracts/5";
  const { calls, user } = open("contracts&contract=5", {
    [CONTRACTS]: () => json(page([contract()])),
    [`GET ${one}`]: () => json({ contract: contract({ deal_id: 1, quote_id: "Q-1" }) }),
    [`PUT ${one}`]: () => json({ contract: contract() }),
    [`DELETE ${one}`]: () => json({ success: true, message: "Contract deleted" }),
  });
  const drawer = within(await screen.findByRole("dialog", { name: "Elm Inc" }));
  expect((await drawer.findByRole("link", { name: "Open deal" })).getAttribute("href")).toBe(
    "/admin?tab=crm&deal=1",
  );
  expect(drawer.getByRole("link", { name: "Q-1" }).getAttribute("href")).toBe("/admin?tab=quotes&quote=Q-1");
  await user.click(drawer.getByRole("button", { name: "Edit" }));
  const form = within(await screen.findByRole("dialog", { name: "Edit the contract with Elm Inc" }));
  await user.clear(form.getByLabelText("Plan"));
  await user.type(form.getByLabelText("Plan"), "Scale");
  await user.click(form.getByRole("button", { name: "Save contract" }));
  expect(await screen.findByText("Contract saved")).toBeTruthy();
  expect(sent(calls, "PUT")).toMatchObject([{ companyName: "Elm Inc", plan: "Scale" }]);
  await user.click(await drawer.findByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Delete contract" }));
  expect(await screen.findByText("Contract deleted")).toBeTruthy();
  expect(location.search).toBe("?tab=crm&view=contracts");
});

it("[look-16] [look-18] the next contract is a key away, and cancelling one can be undone, or fails in one message", async () => {
  const cancelled = new Set<string>();
  let broken = false;
  const one = (id: number) => {
    const status = cancelled.has(String(id)) ? "cancelled" : "active";
    return contract({ id, companyName: `Elm ${id}`, status });
  };
  const change: Handler = ({ body, path }) => {
    if (broken) return refusal(500, "INTERNAL_ERROR", "");
    const id = path.split("/").at(-1) ?? "";
    if (body === '{"status":"cancelled"}') cancelled.add(id);
    else cancelled.delete(id);
    return json({ contract: one(Number(id)) });
  };
  const { calls, user } = open("contracts", {
    [CONTRACTS]: () => json(page([one(5), one(6)])),
    "GET /api/admin/contracts/5": () => json({ contract: one(5) }),
    "GET /api/admin/contracts/6": () => json({ contract: one(6) }),
    "PUT /api/admin/contracts/6": change,
  });
  await user.click(await screen.findByRole("button", { name: "Elm 5" }));
  expect(await screen.findByRole("dialog", { name: "Elm 5" })).toBeTruthy();
  await user.keyboard("j");
  const drawer = within(await screen.findByRole("dialog", { name: "Elm 6" }));
  expect(drawer.getByText("2 of 2")).toBeTruthy();
  expect(location.search).toBe("?tab=crm&view=contracts&contract=6");
  await user.click(await drawer.findByRole("button", { name: "Cancel contract" }));
  expect(await drawer.findByRole("button", { name: "Take up again" })).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await drawer.findByRole("button", { name: "Cancel contract" })).toBeTruthy();
  expect(sent(calls, "PUT")).toEqual([{ status: "cancelled" }, { status: "active" }]);
  broken = true;
  await user.click(drawer.getByRole("button", { name: "Cancel contract" }));
  expect(await screen.findAllByText("Failed to change the contract")).toHaveLength(1);
  expect(drawer.getByRole("button", { name: "Cancel contract" })).toBeTruthy();
});

it("[PUB-037] messages are found, answered, closed, and made into deals", async () => {
  const changed: string[] = [];
  const { calls, user } = open("messages", {
    [CONTACTS]: () => json({ contacts: [message], total: 1, next: null }),
    "PUT /api/admin/contacts/3": ({ body }) => {
      changed.push(body);
      return json({ contact: { id: 3, state: "closed" } });
    },
    "POST /api/admin/contacts/3/deal": () =>
      json({ success: true, message: "Deal created successfully!", deal: {} }, 201),
  });
  const entry = within(await screen.findByRole("listitem", { name: "Lists" }));
  expect(entry.getByText("New")).toBeTruthy();
  expect(entry.getByRole("link", { name: "Reply" }).getAttribute("href")).toBe(
    "mailto:ida@holm.org?subject=Re%3A%20Lists&body=Hello%20Ida%20Holm%2C%0A%0A",
  );
  await user.click(entry.getByRole("button", { name: "Close" }));
  expect(await screen.findByText("Message closed")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(changed).toEqual(['{"state":"closed"}', '{"state":"new"}']));
  await user.click(entry.getByRole("link", { name: "Reply" }));
  await waitFor(() => expect(changed).toHaveLength(3));
  expect(changed[2]).toBe('{"state":"answered"}');
  await user.click(entry.getByRole("button", { name: "Make a deal" }));
  const form = within(screen.getByRole("dialog", { name: "Make a deal" }));
  await user.click(form.getByRole("button", { name: "Create deal" }));
  expect(form.getByText("Enter the company's name")).toBeTruthy();
  await user.type(form.getByLabelText("Company name"), "Holm");
  await user.type(form.getByLabelText("Deal value (USD)"), "500");
  await user.type(form.getByLabelText("Expected close date"), "2032-01-01");
  await user.click(form.getByRole("button", { name: "Create deal" }));
  expect(await screen.findByText("Deal created successfully!")).toBeTruthy();
  expect(sent(calls, "POST")).toEqual([
    { companyName: "Holm", dealValue: "500", expectedCloseDate: "2032-01-01" },
  ]);
  await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "Answered");
  expect(location.search).toBe("?tab=crm&view=messages&message_state=answered");
});

it("[PUB-037] no messages, and none that match", async () => {
  const { user } = open("messages", { [CONTACTS]: () => json({ contacts: [], total: 0, next: null }) });
  expect(await screen.findByRole("heading", { name: "No messages yet" })).toBeTruthy();
  await user.type(screen.getByRole("searchbox", { name: "Search messages" }), "x");
  expect(await screen.findByRole("heading", { name: "No message matches" })).toBeTruthy();
});

it("[PUB-077] subscribers are listed, counted and handed out, and are no leads", async () => {
  const subscriber = { email: "a@holm.org", state: "confirmed", created_at: "2026-03-01T12:00:00Z" };
  const counts = { confirmed: 2, pending: 1, unsubscribed: 4 };
  const { calls, user } = open("newsletter", {
    [NEWSLETTER]: () => json({ subscribers: [subscriber], counts, next: null }),
    "GET /api/admin/newsletter/export": () => new Response("a", { headers: { "Content-Type": "text/csv" } }),
  });
  expect(await screen.findByText("a@holm.org")).toBeTruthy();
  const figures = [...document.querySelectorAll(".crm-counts > div")].map(({ textContent }) => textContent);
  expect(figures).toEqual(["Confirmed2", "Pending1", "Unsubscribed4"]);
  expect(screen.queryByRole("button", { name: /deal/ })).toBeNull();
  await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "Confirmed");
  await user.click(screen.getByRole("button", { name: "Export CSV" }));
  await waitFor(() => expect(calls.at(-1)?.path).toBe("/api/admin/newsletter/export"));
  expect(Object.fromEntries(calls.at(-1)?.query ?? [])).toEqual({ search: "", state: "confirmed" });
});

it("[PUB-077] nobody subscribed, and nobody matches", async () => {
  let counts = { confirmed: 0, pending: 0, unsubscribed: 0 };
  const { user } = open("newsletter", { [NEWSLETTER]: () => json({ subscribers: [], counts, next: null }) });
  expect(await screen.findByRole("heading", { name: "No subscribers yet" })).toBeTruthy();
  counts = { ...counts, pending: 1 };
  await user.type(screen.getByRole("searchbox", { name: "Search subscribers" }), "x");
  expect(await screen.findByRole("heading", { name: "No subscriber matches" })).toBeTruthy();
});
