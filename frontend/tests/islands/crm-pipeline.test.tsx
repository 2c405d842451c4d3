import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";

import type { Deal, Deals, DealStage } from "../../src/api/types";
import { CrmTab } from "../../src/features/crm/crm-tab";
import { formatDay } from "../../src/lib/format";
import { queryClient } from "../../src/lib/query";
import { show } from "../render";
import { json, refusal, serve, type Call, type Handler } from "../server";

const LIST = "GET /api/admin/deals";
const CREATE = "POST /api/admin/deals";
const MOVE_ASH = "POST /api/admin/deals/1/move";
const STAGES: readonly DealStage[] = [
  "prospect",
  "qualified",
  "proposal",
  "negotiation",
  "closed_won",
  "closed_lost",
];

function deal(id: number, companyName: string, stage: DealStage = "prospect", dealValue = 100): Deal {
  return {
    id,
    companyName,
    contactName: "Erin Elm",
    contactEmail: "erin@elm.com",
    dealValue,
    stage,
    expectedCloseDate: "2999-06-30",
    notes: "",
    createdAt: "2026-03-01T12:00:00Z",
    lastContact: null,
  };
}

function board(deals: Deal[]): Deals {
  const stages = STAGES.map((stage) => {
    const within = deals.filter((one) => one.stage === stage);
    return { stage, count: within.length, value: within.reduce((sum, { dealValue }) => sum + dealValue, 0) };
  });
  return { deals, stages };
}

const ash = deal(1, "Ash", "prospect", 1_000);
const birch = deal(2, "Birch", "prospect", 20.5);
const cedar = deal(3, "Cedar", "proposal", 300);

function open(deals: Deal[], handlers: Record<string, Handler> = {}) {
  const calls = serve({ [LIST]: () => json(board(deals)), ...handlers });
  return { calls, user: show(<CrmTab />) };
}

function bodies(calls: Call[], method = "POST"): unknown[] {
  return calls.filter((call) => call.method === method).map(({ body }) => JSON.parse(body) as unknown);
}

function column(name: string) {
  return within(screen.getByRole("region", { name }));
}

function cards(stage: string): (string | null)[] {
  return column(stage)
    .queryAllByRole("listitem")
    .map((card) => card.getAttribute("aria-label"));
}

beforeEach(() => history.replaceState(null, "", "/admin?tab=crm"));

it("[CRM-001] offers its views, the pipeline first", async () => {
  open([ash]);
  const views = within(screen.getByRole("group", { name: "View" })).getAllByRole("button");
  expect(views.map(({ textContent }) => textContent)).toEqual([
    "Deal Pipeline",
    "Active Contracts",
    "Renewal Alerts",
    "Messages",
    "Newsletter",
  ]);
  expect(views[0]?.getAttribute("aria-pressed")).toBe("true");
  expect(await screen.findByRole("heading", { name: "Deal Pipeline" })).toBeTruthy();
});

it("[CRM-006] [CRM-013] shows six stages with count and sum, and the deals of each", async () => {
  open([ash, birch, cedar]);
  await screen.findByRole("region", { name: "Prospect" });
  const columns = within(screen.getByRole("group", { name: "Deals by stage" })).getAllByRole("heading");
  expect(columns.map(({ textContent }) => textContent)).toEqual([
    "Prospect",
    "Qualified",
    "Proposal",
    "Negotiation",
    "Closed Won",
    "Closed Lost",
  ]);
  expect(cards("Prospect")).toEqual(["Ash", "Birch"]);
  expect(column("Prospect").getByText("$1,020.50")).toBeTruthy();
  expect(column("Prospect").getByLabelText("2 deals").textContent).toBe("2");
  expect(column("Qualified").getByText("No deals in this stage")).toBeTruthy();
  expect(screen.getByText("$1,320.50").parentElement?.textContent).toBe("$1,320.50 in 3 open deals");
});

it("[CRM-012] no deals, a failed load, and a search that finds none", async () => {
  let answer: () => Response = () => refusal(400, "VALIDATION_ERROR", "");
  const { user } = open([], { [LIST]: () => answer() });
  expect(await screen.findByRole("heading", { name: "Failed to load deals" })).toBeTruthy();
  answer = () => json(board([]));
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "No deals yet" })).toBeTruthy();
  await user.type(screen.getByRole("searchbox", { name: "Search deals" }), "fir");
  expect(await screen.findByRole("heading", { name: "No deal matches" })).toBeTruthy();
  expect(location.search).toBe("?tab=crm&deal_search=fir");
  await user.selectOptions(screen.getByRole("combobox", { name: "Expected close" }), "Overdue");
  expect(location.search).toBe("?tab=crm&deal_search=fir&closing=overdue");
  await user.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(location.search).toBe("?tab=crm");
});

it("[CRM-004] [CRM-005] [CRM-008] the New Deal form asks for what a deal needs", async () => {
  const { calls, user } = open([ash], {
    [CREATE]: () =>
      json({ success: true, message: "Deal created successfully!", deal: deal(9, "Elm Inc") }, 201),
  });
  await user.click(await screen.findByRole("button", { name: "New Deal" }));
  const form = within(screen.getByRole("dialog", { name: "New Deal" }));
  expect(form.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "Prospect",
    "Qualified",
    "Proposal",
    "Negotiation",
  ]);
  await user.type(form.getByLabelText("Deal value (USD)"), "-1");
  await user.click(form.getByRole("button", { name: "Create deal" }));
  for (const complaint of [
    "Enter the company's name",
    "Enter the contact's name",
    "Enter a valid email address",
    "Enter an amount in US dollars, 0 or more",
    "Choose a date",
  ]) {
    expect(form.getByText(complaint)).toBeTruthy();
  }
  expect(bodies(calls)).toEqual([]);
  await user.type(form.getByLabelText("Company name"), "Elm Inc");
  await user.type(form.getByLabelText("Contact name"), "Erin Elm");
  await user.type(form.getByLabelText("Contact email"), " erin@elm.com");
  await user.clear(form.getByLabelText("Deal value (USD)"));
  await user.type(form.getByLabelText("Deal value (USD)"), "0");
  await user.type(form.getByLabelText("Expected close date"), "2032-06-30");
  await user.click(form.getByRole("button", { name: "Create deal" }));
  expect(await screen.findByText("Deal created successfully!")).toBeTruthy();
  expect(bodies(calls)).toEqual([
    {
      companyName: "Elm Inc",
      contactName: "Erin Elm",
      contactEmail: "erin@elm.com",
      dealValue: "0",
      stage: "prospect",
      expectedCloseDate: "2032-06-30",
      notes: "",
    },
  ]);
});

it("[CRM-008] a deal that cannot be made is told and the form stays", async () => {
  const { user } = open([ash], { [CREATE]: () => refusal(400, "VALIDATION_ERROR", "") });
  await user.click(await screen.findByRole("button", { name: "New Deal" }));
  const form = within(screen.getByRole("dialog", { name: "New Deal" }));
  await user.type(form.getByLabelText("Company name"), "E");
  await user.type(form.getByLabelText("Contact name"), "E");
  await user.type(form.getByLabelText("Contact email"), "e@e.com");
  await user.type(form.getByLabelText("Deal value (USD)"), "1");
  await user.type(form.getByLabelText("Expected close date"), "2032-06-30");
  await user.click(form.getByRole("button", { name: "Create deal" }));
  expect((await screen.findAllByText("Failed to create deal")).length).toBeGreaterThan(0);
  expect(form.getByLabelText<HTMLInputElement>("Company name").value).toBe("E");
});

it("[CRM-011] keys move a card, which keeps the focus and can be taken back", async () => {
  let deals = [ash, birch, cedar];
  const { calls, user } = open([], {
    [LIST]: () => json(board(deals)),
    [MOVE_ASH]: ({ body }) => {
      const { stage } = JSON.parse(body) as { stage: DealStage };
      deals = [{ ...ash, stage }, birch, cedar];
      return json({ deal: deals[0] });
    },
  });
  const handle = await screen.findByRole("button", { name: "Ash" });
  handle.focus();
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement?.textContent).toBe("Birch");
  await user.keyboard("{ArrowUp}{ArrowRight}");
  expect(document.activeElement?.textContent).toBe("Cedar"); // over the empty stage
  handle.focus();
  await user.keyboard("{Shift>}{ArrowRight}{/Shift}");
  await waitFor(() => expect(cards("Qualified")).toEqual(["Ash"]));
  expect(document.activeElement?.textContent).toBe("Ash");
  expect(await screen.findByText("Ash: Qualified, 1 of 1.")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(bodies(calls)).toEqual([
      { stage: "qualified", position: 0 },
      { stage: "prospect", position: 0 },
    ]),
  );
  await waitFor(() => expect(cards("Prospect")).toEqual(["Ash", "Birch"]));
});

it("[CRM-011] a refused move is rolled back and told", async () => {
  const { user } = open([ash, birch], { [MOVE_ASH]: () => refusal(404, "NOT_FOUND", "Deal not found") });
  (await screen.findByRole("button", { name: "Ash" })).focus();
  await user.keyboard("{Shift>}{ArrowDown}{/Shift}");
  expect(await screen.findByText("Failed to move Ash")).toBeTruthy();
  expect(await screen.findByText("Ash could not be moved. Deal not found")).toBeTruthy();
  await waitFor(() => expect(cards("Prospect")).toEqual(["Ash", "Birch"]));
});

it("[CRM-011] [CRM-014] a win that was called off does not take the focus later", async () => {
  const near = deal(1, "Ash", "negotiation");
  const { user } = open([near]);
  (await screen.findByRole("button", { name: "Ash" })).focus();
  await user.keyboard("{Shift>}{ArrowRight}{/Shift}");
  const asked = within(await screen.findByRole("dialog", { name: "Win Ash?" }));
  await user.click(asked.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Ash"));
  screen.getByRole("searchbox", { name: "Search deals" }).focus();
  act(() => void queryClient.setQueriesData({ queryKey: ["admin", "deals"] }, board([near, birch])));
  expect(await screen.findByRole("button", { name: "Birch" })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("searchbox", { name: "Search deals" }));
});

it("[CRM-014] a deal is won only when that was confirmed, from the menu too", async () => {
  const { calls, user } = open([ash], { [MOVE_ASH]: () => json({ deal: ash }) });
  (await screen.findByRole("button", { name: "Ash" })).focus();
  await user.keyboard("m");
  await user.click(await screen.findByRole("menuitemradio", { name: "Closed Won" }));
  await user.click(
    within(screen.getByRole("dialog", { name: "Win Ash?" })).getByRole("button", { name: "Cancel" }),
  );
  expect(bodies(calls)).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Move Ash" }));
  await user.click(await screen.findByRole("menuitemradio", { name: "Closed Won" }));
  await user.click(screen.getByRole("button", { name: "Win deal" }));
  await waitFor(() => expect(bodies(calls)).toEqual([{ stage: "closed_won", position: 0 }]));
});

it("[CRM-011] while a search is on, a card goes to the end of another stage and keeps its place in its own", async () => {
  history.replaceState(null, "", "/admin?tab=crm&deal_search=a");
  const { calls, user } = open([ash, birch], { [MOVE_ASH]: () => json({ deal: ash }) });
  (await screen.findByRole("button", { name: "Ash" })).focus();
  await user.keyboard("{Shift>}{ArrowDown}{ArrowRight}{/Shift}");
  await waitFor(() => expect(bodies(calls)).toEqual([{ stage: "qualified", position: null }]));
});

it("an open deal whose day has passed says so, a lost one does not", async () => {
  const past = { expectedCloseDate: "2020-01-31" };
  open([
    { ...ash, ...past },
    { ...cedar, ...past, stage: "closed_lost" },
    { ...birch, expectedCloseDate: formatDay() },
  ]);
  await screen.findByRole("button", { name: "Ash" });
  expect(column("Prospect").getByText("Overdue since 31 Jan 2020")).toBeTruthy();
  expect(screen.getAllByText(/^Overdue/)).toHaveLength(1 + 1); // the other is the filter's
  expect(column("Closed Lost").getByText("Closes 31 Jan 2020")).toBeTruthy();
});

it("[look-18] a deal moved from its drawer can be moved back, and a refusal is one message", async () => {
  history.replaceState(null, "", "/admin?tab=crm&deal=1");
  let stage = ash.stage;
  let broken = false;
  const { calls, user } = open([ash], {
    "GET /api/admin/deals/1": () =>
      json({ deal: { ...ash, stage }, history: [], quotes: [], contract_id: null }),
    "POST /api/admin/deals/1/move": ({ body }) => {
      if (broken) return refusal(409, "CONFLICT", "Somebody else moved it");
      stage = (JSON.parse(body) as typeof ash).stage;
      return json({ deal: { ...ash, stage } });
    },
  });
  const drawer = within(await screen.findByRole("dialog", { name: "Ash" }));
  const choice = await drawer.findByRole<HTMLSelectElement>("combobox", { name: "Stage" });
  await user.selectOptions(choice, "Negotiation");
  expect(await screen.findByText("Ash moved to Negotiation")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(bodies(calls)).toEqual([{ stage: "negotiation" }, { stage: ash.stage }]));
  await waitFor(() => expect(choice.value).toBe(ash.stage));
  broken = true;
  await user.selectOptions(choice, "Closed Lost");
  expect(await screen.findAllByText("Failed to move Ash")).toHaveLength(1);
  await waitFor(() => expect(choice.value).toBe(ash.stage));
});

it("[CRM-011] the drawer tells of a deal, and takes notes; its contact leads to a mail draft", async () => {
  history.replaceState(null, "", "/admin?tab=crm&deal=1");
  const history_ = [
    {
      time: "2026-03-02T12:00:00Z",
      user: "sam@emailcheck.app",
      action: "moved",
      text: "Prospect to Proposal",
    },
    { time: "2026-03-01T12:00:00Z", user: "sam@emailcheck.app", action: "created", text: "" },
  ];
  const detail = { deal: ash, history: history_, quotes: [{ quote_id: "Q-1" }], contract_id: 5 };
  const { calls, user } = open([ash], {
    "GET /api/admin/deals/1": () => json(detail),
    "POST /api/admin/deals/1/notes": () => json({ note: history_[1] }, 201),
    "POST /api/admin/deals/1/contact": () => json({ deal: { id: 1, lastContact: "2026-03-02T12:00:00Z" } }),
    "DELETE /api/admin/deals/1": () =>
      refusal(409, "HAS_CONTRACT", "A deal with a contract cannot be deleted"),
  });
  const drawer = within(await screen.findByRole("dialog", { name: "Ash" }));
  expect(drawer.getByText("Prospect to Proposal")).toBeTruthy();
  expect(drawer.getByRole("link", { name: "Q-1" }).getAttribute("href")).toBe("/admin?tab=quotes&quote=Q-1");
  expect(drawer.getByRole("link", { name: "Open contract" }).getAttribute("href")).toBe(
    "/admin?tab=crm&view=contracts&contract=5",
  );
  await user.click(drawer.getByRole("button", { name: "Add note" }));
  expect(drawer.getByText("Write a note first")).toBeTruthy();
  await user.type(drawer.getByRole("textbox", { name: "Add a note" }), "Likes us");
  await user.click(drawer.getByRole("button", { name: "Add note" }));
  await waitFor(() => expect(bodies(calls)).toEqual([{ text: "Likes us" }]));
  const contact = drawer.getByRole("link", { name: "Contact Ash" });
  expect(contact.getAttribute("href")).toBe(
    "mailto:erin@elm.com?subject=EmailCheck%20for%20Ash&body=Hello%20Erin%20Elm%2C%0A%0A",
  );
  await user.click(contact);
  await waitFor(() => expect(calls.filter(({ path }) => path.endsWith("/contact"))).toHaveLength(1));
  await user.click(drawer.getByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Delete deal" }));
  expect(await screen.findByText("A deal with a contract cannot be deleted")).toBeTruthy();
});

it("[CRM-011] Quote leads to the quote form of the deal", async () => {
  const { user } = open([ash]);
  await user.click(await screen.findByRole("button", { name: "Quote Ash" }));
  expect(location.search).toBe("?tab=quotes&quote_deal=1");
});

it("[CRM-011] Edit offers all six stages and saves what was changed", async () => {
  const { calls, user } = open([ash], { "PUT /api/admin/deals/1": () => json({ deal: ash }) });
  await user.click(await screen.findByRole("button", { name: "Edit Ash" }));
  const form = within(screen.getByRole("dialog", { name: "Edit Ash" }));
  expect(form.getAllByRole("option")).toHaveLength(6);
  await user.clear(form.getByLabelText("Deal value (USD)"));
  await user.type(form.getByLabelText("Deal value (USD)"), "77.5");
  await user.click(form.getByRole("button", { name: "Save deal" }));
  expect(await screen.findByText("Deal saved")).toBeTruthy();
  expect(bodies(calls, "PUT")).toEqual([
    expect.objectContaining({ companyName: "Ash", dealValue: "77.5", stage: "prospect" }),
  ]);
});
