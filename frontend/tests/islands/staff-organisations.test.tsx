// The organisations that a person owns, as staff see and change them.
import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { CreditsTab } from "../../src/features/adminpanel/customers/credits-tab";
import { EditUserDialog } from "../../src/features/adminpanel/customers/edit-user-dialog";
import { UserDrawer } from "../../src/features/adminpanel/customers/user-drawer";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";
import { BIRCH, BOB, CEDAR, DETAIL, TWICE_OWNER } from "../staff-users";

const USER = "/api/admin/users/7";
const ORGANISATION = { name: "Organisation" };

function edit(subject = TWICE_OWNER, handlers: Record<string, Handler> = {}) {
  const done = { success: true, message: "User updated successfully!", user: subject };
  const calls = serve({ [`PUT ${USER}`]: () => json(done), ...handlers });
  const sent = () =>
    calls.filter(({ method }) => method === "PUT").map(({ body }) => JSON.parse(body) as unknown);
  const onClose = vi.fn();
  return { sent, onClose, user: show(<EditUserDialog user={subject} onClose={onClose} />) };
}

function money() {
  const credits = screen.getByRole<HTMLInputElement>("textbox", { name: "Credits" });
  const plan = screen.getByRole<HTMLSelectElement>("combobox", { name: "Plan" });
  return [credits.value, plan.value];
}

it("[ORG-035] who owns one organisation is asked nothing, and it is named", async () => {
  const { sent, user, onClose } = edit(BOB);
  expect(screen.queryByRole("combobox", ORGANISATION)).toBeNull();
  expect(screen.getByText("Credits and plan are those of the organisation Birch works.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(sent()).toMatchObject([{ organisation: "org_bob", credits: 1_500 }]);
});

it("[ORG-035] [ORG-015] of several the one that is chosen is changed, and its figures are shown", async () => {
  const { sent, user, onClose } = edit();
  const which = screen.getByRole<HTMLSelectElement>("combobox", ORGANISATION);
  expect([...which.options].map(({ text }) => text)).toEqual([
    "Birch works · Growth, 1,500 credits",
    "Cedar mills · Pro, 900 credits",
  ]);
  expect([which.value, ...money()]).toEqual(["org_bob", "1500", "growth"]);
  await user.selectOptions(screen.getByRole("combobox", { name: "Role" }), "Admin");
  await user.clear(screen.getByRole("textbox", { name: "Credits" }));
  await user.type(screen.getByRole("textbox", { name: "Credits" }), "7");
  await user.type(screen.getByRole("textbox", { name: "Reason for the change of credits" }), "A gift");
  await user.selectOptions(which, "org_cedar");
  expect(screen.getByText("Credits and plan are those of the organisation Cedar mills.")).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: "Reason for the change of credits" })).toBeNull();
  expect(screen.getByText("Spendable now: 900")).toBeTruthy();
  expect([which.value, ...money()]).toEqual(["org_cedar", "900", "pro"]);
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Role" }).value).toBe("admin");
  expect(screen.queryByRole("note")).toBeNull();
  await user.clear(screen.getByRole("textbox", { name: "Credits" }));
  await user.type(screen.getByRole("textbox", { name: "Credits" }), "1000");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect(screen.getByText("Enter a reason for the change of credits")).toBeTruthy();
  await user.type(screen.getByRole("textbox", { name: "Reason for the change of credits" }), "A gift");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(sent()).toEqual([
    {
      organisation: "org_cedar",
      credits: 1_000,
      credits_read: 900,
      plan: "pro",
      reason: "A gift",
      status: "active",
      suspension_reason: "",
      role: "admin",
    },
  ]);
});

it("[ORG-035] the keyboard reaches the choice and makes it", async () => {
  const { user } = edit();
  const which = screen.getByRole("combobox", ORGANISATION);
  const help = document.getElementById(which.getAttribute("aria-describedby") ?? "");
  expect(help?.textContent).toContain("Its credits and plan stand below.");
  which.focus();
  await user.selectOptions(which, "org_cedar");
  expect(document.activeElement).toBe(which);
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Credits" }));
});

it("[ORG-035] who holds none and owns one is changed in that one; who owns none in none", async () => {
  const heir = { ...TWICE_OWNER, own_organisation: null, owned_organisations: [CEDAR] };
  const { sent, user } = edit(heir);
  expect(money()).toEqual(["900", "pro"]);
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  await expect.poll(() => sent()).toMatchObject([{ organisation: "org_cedar", credits_read: 900 }]);
});

it("[ORG-035] who owns none keeps status and role alone", async () => {
  const { sent, user } = edit({ ...BOB, own_organisation: null, owned_organisations: [] });
  expect(screen.getByText(/^This person owns no organisation/)).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: "Credits" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  await expect.poll(() => sent()).toEqual([{ status: "active", suspension_reason: "", role: "user" }]);
});

it("[ORG-035] [ADM-220] when its balance moved the chosen one stays chosen, with what it has now", async () => {
  const fresh = { ...TWICE_OWNER, owned_organisations: [BIRCH, { ...CEDAR, credits: 870 }] };
  const { user, onClose } = edit(TWICE_OWNER, {
    [`PUT ${USER}`]: () => refusal(409, "BALANCE_CHANGED", "The balance changed meanwhile. Please reload."),
    [`GET ${USER}`]: () => json({ ...DETAIL, user: fresh }),
  });
  await user.selectOptions(screen.getByRole("combobox", ORGANISATION), "org_cedar");
  await user.selectOptions(screen.getByRole("combobox", { name: "Plan" }), "Growth");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect((await screen.findByRole("status")).textContent).toContain(
    "It is 870 credits now; nothing was saved.",
  );
  expect(screen.getByRole<HTMLSelectElement>("combobox", ORGANISATION).value).toBe("org_cedar");
  expect([...money(), onClose.mock.calls.length]).toEqual(["870", "pro", 0]);
});

it("[ORG-035] an organisation that is not theirs any more is refused in words, and the dialog stays", async () => {
  const words = "This person owns no organisation with this id";
  const { user, onClose } = edit(TWICE_OWNER, { [`PUT ${USER}`]: () => refusal(404, "NOT_FOUND", words) });
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect((await within(screen.getByRole("dialog")).findByRole("alert")).textContent).toBe(words);
  expect(onClose.mock.calls).toEqual([]);
});

function drawer() {
  const client = { ...CEDAR, id: "org_c", name: "Client C", subscription_plan: "free" as const, credits: 1 };
  const organisations = [
    ...DETAIL.organisations,
    { ...CEDAR, role: "owner" as const, via: null },
    { ...client, role: "admin" as const, via: "Birch works" },
  ];
  const payments = [
    { id: 3, organisation: "Cedar mills", amount: 59, status: "captured", date: "2030-01-01T00:00:00Z" },
  ];
  const entry = { time: "2030-01-01T00:00:00Z", reason: "A pack", reference: null, lot: "pack" as const };
  const line = { ...entry, lot_expires_at: null, amount: 5, balance: 905, staff: null };
  const calls = serve({
    [`GET ${USER}`]: () => json({ ...DETAIL, user: TWICE_OWNER, organisations, payments }),
    [`GET ${USER}/ledger`]: () => json({ entries: [line], next: null }),
  });
  const place = { id: "7", ids: ["7"], record: { move: vi.fn(), close: vi.fn() } };
  return { calls, user: show(<UserDrawer place={place} name="Bob Birch" onAsk={vi.fn()} />) };
}

it("[ORG-035] the profile lists each organisation with role, plan and credits, and clients without an owner", async () => {
  drawer();
  const first = await screen.findByText("Owner · Growth, 1,500 credits, 20 used this month");
  const lines = within(first.closest("ul") ?? first).getAllByRole("listitem");
  expect(lines.map((line) => [...line.children].map(({ textContent }) => textContent))).toEqual([
    ["Birch works", "Owner · Growth, 1,500 credits, 20 used this month"],
    ["Alder & Ash", "Viewer"],
    ["Cedar mills", "Owner · Pro, 900 credits, 5 used this month"],
    ["Client C", "Client of Birch works · Free, 1 credit, 5 used this month"],
  ]);
  expect(screen.getByText("$59.00, captured · Cedar mills")).toBeTruthy();
  expect(screen.getByText("Plan and credits of").nextElementSibling?.textContent).toBe("Birch works");
});

it("[ORG-035] the ledger is that of the organisation that is chosen", async () => {
  const { calls, user } = drawer();
  await user.click(await screen.findByRole("button", { name: "Ledger" }));
  await user.selectOptions(await screen.findByRole("combobox", ORGANISATION), "org_cedar");
  const asked = () =>
    calls.filter(({ path }) => path.endsWith("/ledger")).map(({ query }) => query.get("organisation"));
  await expect.poll(asked).toEqual(["org_bob", "org_cedar"]);
});

it("[ORG-035] [ADM-305] a grant by address names who gets it, and what gets none", async () => {
  const person = { email: "bob@birch.net", name: "Bob Birch", organisation: "Bob Birch" };
  const found = [
    { ...person, other_organisations: ["Cedar mills", "Dogwood"] },
    { ...person, email: "a@b.c", name: "A", organisation: "Ash", other_organisations: [] },
  ];
  serve({
    "POST /api/admin/credits/bulk-grant/preview": () =>
      json({ found, not_found: [], duplicates: [], total_credits: 10 }),
  });
  const user = show(<CreditsTab />);
  await user.type(screen.getByRole("textbox", { name: "Emails" }), "bob@birch.net");
  await user.type(screen.getByRole("textbox", { name: "Credits for each" }), "5");
  await user.selectOptions(screen.getByRole("combobox", { name: "Reason" }), "Promotional");
  await user.click(screen.getByRole("button", { name: "Preview grant" }));
  const list = within(await screen.findByRole("list", { name: "Found" }));
  expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Bob Birch · bob@birch.net · goes to Bob Birch, nothing to Cedar mills, Dogwood",
    "A · a@b.c · goes to Ash",
  ]);
});
