import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";

import type { CustomPlan } from "../../src/api/types";
import { CustomPlans } from "../../src/features/quotes/custom-plans/custom-plans";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const PATH = "/api/admin/custom-plans";
const LIST = `GET ${PATH}`;
const CREATE = `POST ${PATH}`;
const EDIT = `PUT ${PATH}/4`;
const ASSIGN = `POST ${PATH}/4/assign`;

function plan(change: Partial<CustomPlan> = {}): CustomPlan {
  return {
    id: 4,
    name: "Agency",
    description: "For agencies",
    monthlyPrice: 199.99,
    yearlyPrice: 1999,
    credits: 40_000,
    features: ["Bulk Validation", "SLA Guarantee", "Own domain", "Reports", "Priority Support"],
    targetCustomer: "Agencies",
    isActive: true,
    createdAt: "2030-01-31T04:05:06Z",
    ...change,
  };
}

function page(plans: CustomPlan[]) {
  return json({ plans, total: plans.length, next: null });
}

function open(plans: CustomPlan[], handlers: Record<string, Handler> = {}) {
  const calls = serve({ [LIST]: () => page(plans), ...handlers });
  const sent = (handler: string) =>
    calls
      .filter(({ method, path }) => `${method} ${path}` === handler)
      .map(({ body }) => JSON.parse(body) as unknown);
  return { calls, sent, user: show(<CustomPlans />) };
}

beforeEach(() => history.replaceState(null, "", "/admin?tab=plans"));

it("[ADM-502] [ADM-510] [LIM-009] a card shows the terms and three features, and says how many more", async () => {
  open([plan(), plan({ id: 5, name: "Bureau", isActive: false, features: ["Bulk Validation"] })]);
  const card = await screen.findByRole("listitem", { name: "Agency" });
  for (const part of ["Active", "For Agencies", "For agencies", "$199.99", "$1,999.00", "40,000"]) {
    expect(card.textContent).toContain(part);
  }
  const features = within(card).getAllByRole("listitem");
  expect(features.map(({ textContent }) => textContent)).toEqual([
    "Bulk Validation",
    "SLA Guarantee",
    "Own domain",
    "+2 more",
  ]);
  const other = screen.getByRole("listitem", { name: "Bureau" });
  expect(other.textContent).toContain("Inactive");
  expect(other.textContent).not.toContain("more");
  expect(within(other).queryByRole("button", { name: "Assign Bureau" })).toBeNull();
  expect(
    within(card)
      .getAllByRole("button")
      .map(({ textContent }) => textContent),
  ).toEqual(["Edit", "Clone", "Assign", "Deactivate"]);
});

it("[ADM-512] a failed load can be repeated, and none are said to be there when there are none", async () => {
  let broken = true;
  const { user } = open([], {
    [LIST]: () => (broken ? refusal(400, "VALIDATION_ERROR", "") : page([])),
  });
  expect(await screen.findByRole("heading", { name: "Failed to load custom plans" })).toBeTruthy();
  expect(screen.queryByRole("listitem")).toBeNull();
  broken = false;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("No custom plans yet")).toBeTruthy();
});

it("[ADM-503] [ADM-505] [ADM-506] a plan is made, and the grid is loaded anew", async () => {
  const said = "Custom plan created successfully!";
  const { calls, sent, user } = open([], {
    [CREATE]: () => json({ success: true, message: said, plan: plan() }, 201),
  });
  await user.click(await screen.findByRole("button", { name: "Create Custom Plan" }));
  const dialog = within(screen.getByRole("dialog", { name: "Create Custom Plan" }));
  const list = within(dialog.getByRole("group", { name: "Features" })).getAllByRole("checkbox");
  expect(list.map((box) => box.closest("label")?.textContent)).toEqual([
    "Email Validation API",
    "Bulk Validation",
    "Real-time Validation",
    "Priority Support",
    "API Documentation",
    "Webhook Support",
    "Custom Integrations",
    "Dedicated Account Manager",
    "SLA Guarantee",
    "White-label Options",
  ]);
  await user.type(dialog.getByRole("textbox", { name: "Name" }), "Agency");
  await user.type(dialog.getByRole("textbox", { name: "Target customer" }), "Agencies");
  await user.type(dialog.getByRole("spinbutton", { name: "Monthly price ($)" }), "199.99");
  await user.type(dialog.getByRole("spinbutton", { name: "Yearly price ($)" }), "1999");
  await user.type(dialog.getByRole("spinbutton", { name: "Credits a month" }), "40000");
  await user.click(dialog.getByRole("checkbox", { name: "SLA Guarantee" }));
  await user.click(dialog.getByRole("checkbox", { name: "Bulk Validation" }));
  await user.type(dialog.getByRole("textbox", { name: /Further features/ }), "Own domain, Reports");
  await user.click(dialog.getByRole("button", { name: "Create plan" }));
  expect(await screen.findByText(said)).toBeTruthy();
  expect(sent(CREATE)).toEqual([
    {
      name: "Agency",
      targetCustomer: "Agencies",
      description: "",
      monthlyPrice: "199.99",
      yearlyPrice: "1999",
      credits: 40_000,
      features: ["Bulk Validation", "SLA Guarantee"],
      customFeatures: "Own domain, Reports",
      isActive: true,
    },
  ]);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(calls.at(-1)?.method).toBe("GET");
});

it("[ADM-504] what is missing or no price is said, and nothing is sent", async () => {
  const { sent, user } = open([]);
  await user.click(await screen.findByRole("button", { name: "Create Custom Plan" }));
  const dialog = within(screen.getByRole("dialog"));
  await user.type(dialog.getByRole("spinbutton", { name: "Monthly price ($)" }), "1.999");
  await user.type(dialog.getByRole("spinbutton", { name: "Yearly price ($)" }), "-1");
  await user.type(dialog.getByRole("spinbutton", { name: "Credits a month" }), "1.5");
  await user.click(dialog.getByRole("button", { name: "Create plan" }));
  expect(dialog.getByText("Enter a name")).toBeTruthy();
  expect(dialog.getByText("Say whom the plan is for")).toBeTruthy();
  expect(dialog.getAllByText("Enter a price such as 199.99, at least 0")).toHaveLength(2);
  expect(dialog.getByText("Enter a whole number, at least 0")).toBeTruthy();
  expect(sent(CREATE)).toEqual([]);
});

it("[ADM-509] [ADM-511] a copy begins with the terms of its plan; a refusal is told and keeps the form", async () => {
  const { sent, user } = open([plan()], {
    [CREATE]: () => refusal(400, "VALIDATION_ERROR", "Ensure this field has no more than 120 characters."),
  });
  await user.click(await screen.findByRole("button", { name: "Clone Agency" }));
  const dialog = within(screen.getByRole("dialog", { name: "Create Custom Plan" }));
  expect(dialog.getByRole("textbox", { name: "Name" })).toHaveProperty("value", "Agency (Copy)");
  await user.click(dialog.getByRole("button", { name: "Create plan" }));
  expect(await screen.findByText("Failed to create custom plan")).toBeTruthy();
  expect(sent(CREATE)).toEqual([
    {
      name: "Agency (Copy)",
      targetCustomer: "Agencies",
      description: "For agencies",
      monthlyPrice: "199.99",
      yearlyPrice: "1999.00",
      credits: 40_000,
      features: ["Bulk Validation", "Priority Support", "SLA Guarantee"],
      customFeatures: "Own domain, Reports",
      isActive: true,
    },
  ]);
  expect(screen.getByRole("dialog")).toBeTruthy();
});

it("[ADM-511] edit is filled in, and saves the active switch too", async () => {
  const { sent, user } = open([plan()], { [EDIT]: () => json({ plan: plan({ isActive: false }) }) });
  await user.click(await screen.findByRole("button", { name: "Edit Agency" }));
  const dialog = within(screen.getByRole("dialog", { name: "Edit Agency" }));
  const credits = dialog.getByRole("spinbutton", { name: "Credits a month" });
  expect(credits).toHaveProperty("value", "40000");
  await user.clear(credits);
  await user.type(credits, "50000");
  await user.click(dialog.getByRole("checkbox", { name: /^Active/ }));
  await user.click(dialog.getByRole("button", { name: "Save changes" }));
  expect(await screen.findByText(/^Custom plan saved/)).toBeTruthy();
  expect(sent(EDIT)).toEqual([expect.objectContaining({ credits: 50_000, isActive: false, name: "Agency" })]);
});

it("[ADM-510] [ADM-511] [look-18] a plan is turned off by one press, and on again by Undo", async () => {
  const { sent, user } = open([plan()], { [EDIT]: () => json({ plan: plan({ isActive: false }) }) });
  await user.click(await screen.findByRole("button", { name: "Deactivate Agency" }));
  expect(await screen.findByText("Agency is inactive")).toBeTruthy();
  expect(sent(EDIT)).toEqual([{ isActive: false }]);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Agency is active")).toBeTruthy();
  expect(sent(EDIT)).toEqual([{ isActive: false }, { isActive: true }]);
});

const ELM_WORKS = { id: "org_7", name: "Elm Works", subscription_plan: "growth", credits: 100 };

it("[ADM-514] [ORG-035] a plan is assigned with a reason; the effect is named before", async () => {
  const said = "Plan assigned to erin@elm.com";
  const erin = {
    id: 7,
    name: "Erin Elm",
    email: "erin@elm.com",
    subscription_plan: "growth",
    owned_organisations: [ELM_WORKS],
  };
  const { calls, sent, user } = open([plan()], {
    [ASSIGN]: () => json({ success: true, message: said }),
    "GET /api/admin/users/authenticated": () => json({ users: [erin], total: 1, page: 1 }),
  });
  await user.click(await screen.findByRole("button", { name: "Assign Agency" }));
  const box = screen.getByRole("dialog", { name: "Assign Agency" });
  const dialog = within(box);
  for (const effect of ["40,000 credits", "running PayPal agreement is cancelled", "Nothing is charged"]) {
    expect(box.textContent).toContain(effect);
  }
  await user.click(dialog.getByRole("button", { name: "Assign plan" }));
  expect(dialog.getByText("Choose a customer")).toBeTruthy();
  expect(dialog.getByText("Say why the plan is given")).toBeTruthy();
  expect(sent(ASSIGN)).toEqual([]);
  await user.type(dialog.getByRole("searchbox", { name: "Customer" }), "erin");
  await user.click(await dialog.findByRole("radio", { name: /^Erin Elm/ }));
  expect(calls.at(-1)?.query.get("search")).toBe("erin");
  expect(box.textContent).toContain("It takes the place of the Growth plan of the organisation Elm Works");
  await user.selectOptions(dialog.getByRole("combobox", { name: "Billing period" }), "Yearly");
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Agreed by phone");
  await user.click(dialog.getByRole("button", { name: "Assign plan" }));
  expect(await screen.findByText(said)).toBeTruthy();
  expect(sent(ASSIGN)).toEqual([
    { user_id: 7, organisation: "org_7", billing_cycle: "yearly", reason: "Agreed by phone" },
  ]);
});

it("[ADM-514] [ORG-035] who owns several organisations is asked which one gets the plan", async () => {
  const mills = { id: "org_8", name: "Elm Mills", subscription_plan: "pro", credits: 2_000 };
  const erin = { id: 7, name: "Erin Elm", email: "erin@elm.com", subscription_plan: "growth" };
  const anna = { ...erin, id: 9, name: "Anna Elm", owned_organisations: [{ ...mills, id: "org_9" }] };
  const users = [{ ...erin, owned_organisations: [ELM_WORKS, mills] }, anna];
  const { sent, user } = open([plan()], {
    [ASSIGN]: () => json({ success: true, message: "Plan assigned to Elm Mills" }),
    "GET /api/admin/users/authenticated": () => json({ users, total: 2, page: 1 }),
  });
  await user.click(await screen.findByRole("button", { name: "Assign Agency" }));
  const box = screen.getByRole("dialog", { name: "Assign Agency" });
  const dialog = within(box);
  expect(dialog.queryByRole("combobox", { name: "Organisation" })).toBeNull();
  await user.type(dialog.getByRole("searchbox", { name: "Customer" }), "elm");
  await user.click(await dialog.findByRole("radio", { name: /^Erin Elm/ }));
  const which = dialog.getByRole<HTMLSelectElement>("combobox", { name: "Organisation" });
  expect([...which.options].map(({ text }) => text)).toEqual([
    "Elm Works · Growth, 100 credits",
    "Elm Mills · Pro, 2,000 credits",
  ]);
  expect([which.value, box.textContent]).toEqual([
    "org_7",
    expect.stringContaining("place of the Growth plan of the organisation Elm Works"),
  ]);
  await user.selectOptions(which, "org_8");
  expect(box.textContent).toContain("It takes the place of the Pro plan of the organisation Elm Mills");
  await user.click(dialog.getByRole("radio", { name: /^Anna Elm/ }));
  expect(dialog.queryByRole("combobox", { name: "Organisation" })).toBeNull();
  await user.click(dialog.getByRole("radio", { name: /^Erin Elm/ }));
  await user.selectOptions(dialog.getByRole("combobox", { name: "Organisation" }), "org_8");
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Agreed by phone");
  await user.click(dialog.getByRole("button", { name: "Assign plan" }));
  expect(await screen.findByText("Plan assigned to Elm Mills")).toBeTruthy();
  expect(sent(ASSIGN)).toEqual([
    { user_id: 7, organisation: "org_8", billing_cycle: "monthly", reason: "Agreed by phone" },
  ]);
});

it("[ORG-035] a plan is not assigned to who holds no organisation", async () => {
  const erin = { id: 7, name: "Erin Elm", email: "erin@elm.com", subscription_plan: "free" };
  const { sent, user } = open([plan()], {
    "GET /api/admin/users/authenticated": () =>
      json({ users: [{ ...erin, owned_organisations: [] }], total: 1, page: 1 }),
  });
  await user.click(await screen.findByRole("button", { name: "Assign Agency" }));
  const dialog = within(screen.getByRole("dialog", { name: "Assign Agency" }));
  await user.type(dialog.getByRole("searchbox", { name: "Customer" }), "erin");
  await user.click(await dialog.findByRole("radio", { name: /^Erin Elm/ }));
  expect(dialog.getByText("This person owns no organisation that could have the plan")).toBeTruthy();
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Agreed by phone");
  await user.click(dialog.getByRole("button", { name: "Assign plan" }));
  expect(sent(ASSIGN)).toEqual([]);
});

it("[ADM-501] the grid is searched, filtered and turned over, and the address knows", async () => {
  const { calls, user } = open([plan()], {
    [LIST]: ({ query }) =>
      query.get("cursor") === "two"
        ? page([plan({ id: 5, name: "Bureau" })])
        : json({ plans: query.get("active") === "false" ? [] : [plan()], total: 2, next: "two" }),
  });
  await user.click(await screen.findByRole("button", { name: "Older" }));
  expect(await screen.findByRole("listitem", { name: "Bureau" })).toBeTruthy();
  await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "Inactive");
  expect(await screen.findByText("No custom plan matches")).toBeTruthy();
  await user.type(screen.getByRole("searchbox", { name: "Search custom plans" }), "ag");
  await expect
    .poll(() => Object.fromEntries(calls.at(-1)?.query ?? []))
    .toEqual({ search: "ag", cursor: "", active: "false" });
  expect(location.search).toBe("?tab=plans&plans=inactive&plan=ag");
  await user.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(await screen.findByRole("listitem", { name: "Agency" })).toBeTruthy();
});
