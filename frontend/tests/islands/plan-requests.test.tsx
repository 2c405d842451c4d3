import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";

import type { PlanRequest } from "../../src/api/types";
import { PlanRequests } from "../../src/features/quotes/custom-plans/plan-requests";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const LIST = "GET /api/admin/plan-requests";
const APPROVE = "POST /api/admin/plan-requests/4/approve";
const SAID = "Plan request approved successfully!";

function request(change: Partial<PlanRequest> = {}): PlanRequest {
  return {
    id: 4,
    quote_id: "Q-4",
    customer_email: "erin@elm.com",
    organisation: "Elm Works",
    selected_plan: "yearly",
    status: "payment_received",
    amount_paid: 1307.25,
    payment_received_at: new Date(Date.now() - 60_000).toISOString(),
    auto_approval_at: new Date(Date.now() + 425_000).toISOString(),
    created_at: new Date(Date.now() - 90_000).toISOString(),
    ...change,
  };
}

const unpaid = request({
  status: "pending",
  amount_paid: null,
  payment_received_at: null,
  auto_approval_at: null,
});

function page(requests: PlanRequest[] = []) {
  return json({ requests, total: requests.length, next: null });
}

function open(requests: PlanRequest[], handlers: Record<string, Handler> = {}) {
  history.replaceState(null, "", "/admin?tab=plans");
  const calls = serve({ [LIST]: () => page(requests), ...handlers });
  return { calls, user: show(<PlanRequests />) };
}

beforeEach(() => history.replaceState(null, "", "/admin?tab=plans"));

it("[QUO-213] says that none waits", async () => {
  open([]);
  expect(await screen.findByText("No pending plan requests")).toBeTruthy();
});

it("[QUO-208] a failed load is told, and can be repeated", async () => {
  let broken = true;
  const { user } = open([], {
    [LIST]: () => (broken ? refusal(400, "VALIDATION_ERROR", "") : page([request()])),
  });
  expect(await screen.findByRole("heading", { name: "Failed to fetch plan requests" })).toBeTruthy();
  broken = false;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("erin@elm.com")).toBeTruthy();
});

it("[QUO-201] [QUO-203] [QUO-206] a paid request counts down and is activated by one press", async () => {
  const answers = [[request()], []];
  const { calls, user } = open([], {
    [LIST]: () => page(answers.shift()),
    [APPROVE]: () => json({ message: SAID }),
  });
  const entry = within(await screen.findByRole("listitem", { name: "Q-4" }));
  expect(entry.getByText("Paid")).toBeTruthy();
  expect(entry.getByRole("timer").textContent).toMatch(/^Activates by itself in 7:0[3-5]$/);
  const button = entry.getByRole("button");
  expect(button.textContent).toBe("Approve Payment & Activate");
  await user.click(button);
  expect(await screen.findByText(SAID)).toBeTruthy();
  expect(await screen.findByText("No pending plan requests")).toBeTruthy();
  expect(calls.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual(['{"reason":""}']);
});

it("[QUO-204] [QUO-212] [ORG-035] an unpaid request takes a reason", async () => {
  const { calls, user } = open([unpaid], { [APPROVE]: () => json({ message: SAID }) });
  const button = await screen.findByRole("button", { name: "Approve & Create Plan Q-4" });
  expect(button.textContent).toBe("Approve & Create Plan");
  expect(screen.queryByRole("timer")).toBeNull();
  await user.click(button);
  const dialog = within(screen.getByRole("dialog", { name: "Approve Q-4 without a payment?" }));
  expect(dialog.getByText(/The plan of the organisation Elm Works becomes active at once/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Approve without payment" }));
  expect(dialog.getByText("Say why the plan begins without a payment")).toBeTruthy();
  expect(calls.filter(({ method }) => method === "POST")).toEqual([]);
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Bank transfer");
  await user.click(dialog.getByRole("button", { name: "Approve without payment" }));
  expect(await screen.findByText(SAID)).toBeTruthy();
  expect(calls.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    '{"reason":"Bank transfer"}',
  ]);
});

it("[QUO-205] [QUO-212] approving twice says so", async () => {
  const { user } = open([request()], {
    [APPROVE]: () => refusal(400, "ALREADY_APPROVED", "Plan request already approved"),
  });
  await user.click(await screen.findByRole("button", { name: /^Approve Payment/ }));
  expect(
    await screen.findByText("Failed to approve plan request: Plan request already approved"),
  ).toBeTruthy();
});

it("[QUO-202] the server searches and filters, and the address knows", async () => {
  const { calls, user } = open([], {
    [LIST]: ({ query }) => page(query.get("status") === "payment_received" ? [] : [request()]),
  });
  const asked = () => Object.fromEntries(calls.at(-1)?.query ?? []);
  await screen.findByRole("listitem", { name: "Q-4" });
  const period = screen.getByRole("combobox", { name: "Billing" });
  const status = screen.getByRole("combobox", { name: "Status" });
  const words = (box: HTMLElement) =>
    within(box)
      .getAllByRole("option")
      .map(({ textContent }) => textContent);
  expect(words(period)).toEqual(["All", "Monthly Only", "Yearly Only"]);
  expect(words(status)).toEqual(["All", "Pending Payment", "Paid"]);
  await user.selectOptions(period, "Monthly Only");
  expect(asked()).toEqual({ search: "", period: "monthly", status: "", cursor: "" });
  await user.selectOptions(status, "Paid");
  expect(asked()).toEqual({ search: "", period: "monthly", status: "payment_received", cursor: "" });
  expect(location.search).toBe("?tab=plans&request_period=monthly&paid=payment_received");
  await user.click(await screen.findByRole("button", { name: "Clear filters" }));
  await screen.findByRole("listitem", { name: "Q-4" });
  await user.type(screen.getByRole("searchbox", { name: "Search plan requests" }), "FAY@");
  await waitFor(() => expect(asked()).toEqual({ search: "FAY@", period: "", status: "", cursor: "" }));
});

it("[QUO-201] what customers did meanwhile comes by itself, while somebody looks", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { calls } = open([request()]);
  await screen.findByRole("listitem", { name: "Q-4" });
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  await waitFor(() => expect(calls).toHaveLength(2));
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await act(() => vi.advanceTimersByTimeAsync(90_000));
  expect(calls).toHaveLength(2);
});

it("[QUO-201] a long list goes on over pages", async () => {
  const { user } = open([], {
    [LIST]: ({ query }) =>
      query.get("cursor") === "two"
        ? page([request({ id: 5, quote_id: "Q-5" })])
        : json({ requests: [request()], total: 2, next: "two" }),
  });
  expect(await screen.findByText("2 requests")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Next" }));
  expect(await screen.findByRole("listitem", { name: "Q-5" })).toBeTruthy();
  expect(screen.queryByRole("listitem", { name: "Q-4" })).toBeNull();
});
