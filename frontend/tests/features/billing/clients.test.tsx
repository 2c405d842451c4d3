// The clients of an agency, a client's agency, billing details and caps.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { CapDialog } from "../../../src/features/billing/caps/cap-dialog";
import { TeamClients } from "../../../src/features/billing/clients/team-clients";
import { BillingDetails } from "../../../src/features/billing/details/billing-details";
import { show } from "../../render";
import { json, refusal, serve, type Handler } from "../../server";

const ME = "GET /api/auth/me";
const RECEIVED = "GET /api/organisation/transfers";
const CLIENTS = "GET /api/organisation/clients";
const MOVE = "POST /api/organisation/clients/org_1/transfers";
const client = {
  id: "org_1",
  name: "Cedar Books",
  credits: 60,
  returnable: 40,
  members: 0,
  has_logo: false,
  created_at: "2026-03-01T10:00:00Z",
};
const transfer = {
  id: "trf_1",
  agency: "Alder & Ash",
  client: "Cedar Books",
  direction: "to_client",
  credits: 40,
  created_at: "2026-03-01T10:00:00Z",
};

function open(handlers: Record<string, Handler>, rights = ["look", "manage", "own"]) {
  const organisation = { id: "org_0", name: "Alder & Ash", role: "owner", via: null, rights };
  const calls = serve({
    [ME]: () => json({ organisation, organisations: [] }),
    [RECEIVED]: () => json({ agency: null, transfers: [] }),
    [CLIENTS]: () => json({ clients: [client], may_make: true, movable: 500 }),
    ...handlers,
  });
  return { calls, user: show(<TeamClients />) };
}

it("gives a client credits, at most what can be moved", async () => {
  const { calls, user } = open({ [MOVE]: () => json(transfer) });
  expect(await screen.findByText(/60 credits, 40 of them can be taken back/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Move credits of Cedar Books" }));
  const dialog = within(screen.getByRole("dialog"));
  await user.type(dialog.getByLabelText("Credits"), "501");
  await user.click(dialog.getByRole("button", { name: "Give credits" }));
  expect(dialog.getByText("Enter a whole number from 1 to 500")).toBeTruthy();
  await user.clear(dialog.getByLabelText("Credits"));
  await user.type(dialog.getByLabelText("Credits"), "25");
  await user.click(dialog.getByRole("button", { name: "Give credits" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = calls.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body) as unknown);
  expect(sent).toEqual([{ credits: 25, direction: "to_client", key: expect.any(String) as string }]);
});

it("sends the same key again after a failure", async () => {
  let tries = 0;
  const { calls, user } = open({
    [MOVE]: () => (tries++ === 0 ? refusal(503, "UNAVAILABLE", "Try again later.") : json(transfer)),
  });
  await user.click(await screen.findByRole("button", { name: "Move credits of Cedar Books" }));
  const dialog = within(screen.getByRole("dialog"));
  await user.click(dialog.getByRole("radio", { name: /Take back/ }));
  await user.type(dialog.getByLabelText("Credits"), "40");
  await user.click(dialog.getByRole("button", { name: "Take credits back" }));
  expect(await dialog.findByText("Try again later.")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Take credits back" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const [first, second] = calls
    .filter(({ method }) => method === "POST")
    .map(({ body }) => JSON.parse(body) as unknown);
  expect(second).toEqual(first);
});

it("makes up no clients when they do not load", async () => {
  open({ [CLIENTS]: () => refusal(500, "INTERNAL_ERROR", "A fault of ours.") });
  expect(await screen.findByRole("button", { name: "Retry" })).toBeTruthy();
  expect(screen.queryByText(/can give/)).toBeNull();
});

it("offers the plans below Growth", async () => {
  open({ [CLIENTS]: () => json({ clients: [], may_make: false, movable: 0 }) });
  expect(await screen.findByText("Clients come with Growth")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "New client" })).toBeNull();
});

it("shows a client its transfers and lets its owner end the access", async () => {
  const end = vi.fn(() => json({ message: "The agency has no access any more." }));
  const { user } = open({
    [RECEIVED]: () => json({ agency: "Alder & Ash", transfers: [transfer] }),
    "POST /api/organisation/agency/end": end,
  });
  expect(await screen.findByText("Alder & Ash gave 40 credits to Cedar Books")).toBeTruthy();
  expect(screen.queryByText("Clients")).toBeNull();
  await user.click(screen.getByRole("button", { name: "End access of Alder & Ash" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "End access" }));
  await waitFor(() => expect(end).toHaveBeenCalledOnce());
});

it("shows members who only look no clients", async () => {
  const { calls } = open({}, ["look"]);
  await waitFor(() => expect(calls.some(({ path }) => path === "/api/organisation/transfers")).toBe(true));
  await waitFor(() => expect(screen.queryByRole("status")).toBeNull());
  expect(screen.queryByText("Clients")).toBeNull();
  expect(calls.some(({ path }) => path === "/api/organisation/clients")).toBe(false);
});

it("keeps billing details and says what is wrong with the VAT ID", async () => {
  const blank = { company: "", address: "", vat_id: "", billing_email: "", purchase_order: "" };
  const detail = "A VAT id of DE has the form DE123456789.";
  const wrong = json(
    { detail, code: "VALIDATION_ERROR", details: { field: "vat_id" }, request_id: "req-7" },
    400,
  );
  const calls = serve({
    "GET /api/organisation/billing": () => json(blank),
    "PUT /api/organisation/billing": () => wrong,
  });
  const user = show(<BillingDetails />);
  await user.type(await screen.findByLabelText("Purchase order number (optional)"), "PO-77");
  await user.type(screen.getByLabelText("VAT ID (optional)"), "DE1");
  await user.click(screen.getByRole("button", { name: "Save billing details" }));
  expect(await screen.findByText("A VAT id of DE has the form DE123456789.")).toBeTruthy();
  expect(JSON.parse(calls.find(({ method }) => method === "PUT")?.body ?? "null")).toEqual({
    ...blank,
    vat_id: "DE1",
    purchase_order: "PO-77",
  });
});

it("sets a cap, and takes it off by an empty field", async () => {
  const saved = vi.fn();
  const closed = vi.fn();
  const calls = serve({ "PUT /api/organisation/members/7/cap": () => json({ monthly_cap: null }) });
  const member = { id: 7, name: "Bob Birch", monthly_cap: 50 };
  const user = show(<CapDialog member={member} onSaved={saved} onClose={closed} />);
  const field = await screen.findByLabelText("Credits a month");
  await user.clear(field);
  await user.type(field, "1.5");
  await user.click(screen.getByRole("button", { name: "Save cap" }));
  expect(screen.getByText("Enter a whole number of credits, or nothing for no cap")).toBeTruthy();
  await user.clear(field);
  await user.click(screen.getByRole("button", { name: "Save cap" }));
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  expect(saved).toHaveBeenCalledOnce();
  expect(calls.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ monthly_cap: null }]);
});
