import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { ColleagueDeletion, UserDetail } from "../../src/api/types";
import { ColleagueDeletions } from "../../src/features/staff/users/colleague-deletions";
import { DeleteDialog } from "../../src/features/staff/users/delete-dialog";
import { EditDialog } from "../../src/features/staff/users/edit-dialog";
import { UserDrawer } from "../../src/features/staff/users/user-drawer";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const BOB: UserDetail["user"] = {
  id: 7,
  name: "Bob Birch",
  email: "bob@birch.net",
  role: "user",
  status: "active",
  subscription_plan: "growth",
  credits: 1_500,
  monthly_usage: 20,
  created_at: "2030-01-01T00:00:00Z",
  is_protected: false,
  is_colleague: false,
  email_verified: true,
  mfa: false,
  suspension_reason: "",
};
const ROSA = { ...BOB, id: 8, name: "Rosa Ruiz", email: "rosa@emailcheck.app", is_colleague: true };
const DETAIL: UserDetail = {
  user: BOB,
  lots: [],
  payments: [],
  batches: [{ id: "bat_A", total_emails: 2, processing_status: "completed" }],
  sessions: [],
};
const USER = "/api/admin/users/7";
const LOOK = `POST ${USER}/lists/bat_A/addresses`;
const LIST = "/api/admin/colleague-deletions";
const ASKED: ColleagueDeletion = {
  id: 3,
  user_id: 8,
  name: "Rosa Ruiz",
  email: "rosa@emailcheck.app",
  reason: "Has left the company",
  asked_by: "Sam Staff (sam@emailcheck.app)",
  asked_at: "2030-01-01T09:00:00Z",
  expires_at: "2030-01-08T09:00:00Z",
  may_confirm: true,
  may_cancel: true,
};

function drawer(handlers: Record<string, Handler>, detail = DETAIL) {
  const calls = serve({ [`GET ${USER}`]: () => json(detail), ...handlers });
  const user = show(<UserDrawer id={7} name="Bob Birch" onClose={vi.fn()} onAsk={vi.fn()} />);
  return { calls, user };
}

function bodies(calls: ReturnType<typeof serve>, method = "POST") {
  return calls.filter((call) => call.method === method).map(({ body }): unknown => JSON.parse(body));
}

const REASON = { name: "Why do you need it?" };

it("[ADM-230] [C5] addresses of a list are shown after a reason alone, page by page", async () => {
  const { user, calls } = drawer({
    [LOOK]: ({ body }) =>
      body.includes('"cursor":"more"')
        ? json({ addresses: [{ row: 2, email: "jon@holm.org", category: "unknown" }], total: 2, next: null })
        : json({ addresses: [{ row: 1, email: "ida@holm.org", category: "valid" }], total: 2, next: "more" }),
  });
  await user.click(await screen.findByRole("button", { name: "Addresses of bat_A…" }));
  await user.click(screen.getByRole("button", { name: "Show addresses" }));
  expect(screen.getByText("Enter a reason")).toBeTruthy();
  expect(bodies(calls)).toEqual([]);
  await user.type(screen.getByRole("textbox", REASON), " Ticket 4711 ");
  await user.click(screen.getByRole("button", { name: "Show addresses" }));
  const shown = within(await screen.findByRole("region", { name: "Addresses of bat_A" }));
  expect(shown.getByText("2 checked addresses")).toBeTruthy();
  await user.click(shown.getByRole("button", { name: "Show more addresses" }));
  expect(await shown.findByText("jon@holm.org")).toBeTruthy();
  expect(shown.getAllByRole("row").map((row) => row.textContent)).toEqual([
    "RowAddressVerdict",
    "1ida@holm.orgValid",
    "2jon@holm.orgUnknown",
  ]);
  expect(bodies(calls)).toEqual([
    { reason: "Ticket 4711", cursor: "" },
    { reason: "Ticket 4711", cursor: "more" },
  ]);
  await user.click(screen.getByRole("button", { name: "Hide the addresses of bat_A" }));
  expect(screen.queryByText("ida@holm.org")).toBeNull();
});

it("[C5] a refused look says why and shows nothing", async () => {
  const words = "No checked address of this list is kept";
  const { user } = drawer({ [LOOK]: () => refusal(404, "NOT_FOUND", words) });
  await user.click(await screen.findByRole("button", { name: "Addresses of bat_A…" }));
  await user.type(screen.getByRole("textbox", REASON), "Ticket");
  await user.click(screen.getByRole("button", { name: "Show addresses" }));
  expect((await screen.findByRole("alert")).textContent).toContain(words);
  expect(screen.queryByRole("table")).toBeNull();
});

it("[ADM-230] [C5] one address is looked for after a reason, and not found is said too", async () => {
  const row = { list_id: "bat_A", row: 12, category: "valid", checked_at: "2030-01-02T00:00:00Z" };
  const single = { ...row, list_id: null, row: 0 };
  const { user, calls } = drawer({
    [`POST ${USER}/addresses`]: ({ body }) => json({ found: body.includes("ida") ? [single, row] : [] }),
  });
  await user.click(await screen.findByRole("button", { name: "Find an address…" }));
  await user.click(screen.getByRole("button", { name: "Find address" }));
  expect([screen.getByText("Enter an address"), screen.getByText("Enter a reason")]).toHaveLength(2);
  for (const [address, said] of [
    ["ida@holm.org", "Found: ida@holm.org"],
    ["jon@holm.org", "Not in the lists or single checks of this account: jon@holm.org"],
  ] as const) {
    await user.type(screen.getByRole("textbox", { name: "Address to look for" }), address);
    await user.type(screen.getByRole("textbox", REASON), "Ticket 4711");
    await user.click(screen.getByRole("button", { name: "Find address" }));
    await expect.poll(() => screen.queryByRole("status")?.textContent).toContain(said);
    if (said.startsWith("Found")) {
      const places = within(screen.getByRole("status")).getAllByRole("listitem");
      expect(places.map(({ textContent }) => textContent.slice(0, 17))).toEqual([
        "Single checkValid",
        "Row 12 of bat_AVa",
      ]);
    }
    await user.click(screen.getByRole("button", { name: "Find an address…" }));
  }
  expect(bodies(calls)).toEqual([
    { address: "ida@holm.org", reason: "Ticket 4711" },
    { address: "jon@holm.org", reason: "Ticket 4711" },
  ]);
});

it.each([{ is_colleague: true }, { is_protected: true }])(
  "[ADM-230] [C5] %j: nobody is offered a look into the lists",
  async (kind) => {
    drawer({}, { ...DETAIL, user: { ...BOB, ...kind } });
    expect(await screen.findByText("bat_A")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /address/i })).toBeNull();
  },
);

it("[F1] a colleague's deletion is asked for with a reason, and no customer's", async () => {
  const calls = serve({
    "GET /api/admin/users/8": () => json({ ...DETAIL, user: ROSA }),
    "POST /api/admin/users/8/deletion": () => json(ASKED, 201),
  });
  const onClose = vi.fn();
  const user = show(<DeleteDialog user={ROSA} onClose={onClose} />);
  const dialog = within(await screen.findByRole("dialog", { name: "Delete Rosa Ruiz?" }));
  expect(dialog.getByText(/A second administrator must confirm it within 7 days/)).toBeTruthy();
  await user.click(await dialog.findByRole("button", { name: "Ask for deletion" }));
  expect(dialog.getByText("Enter a reason")).toBeTruthy();
  expect(bodies(calls)).toEqual([]);
  await user.type(dialog.getByRole("textbox", { name: "Why should this account be deleted?" }), " Has left ");
  await user.click(dialog.getByRole("button", { name: "Ask for deletion" }));
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(bodies(calls)).toEqual([{ reason: "Has left" }]);
  expect(calls.some(({ method }) => method === "DELETE")).toBe(false);
  expect(await screen.findByText(/Another administrator must confirm it/)).toBeTruthy();
});

it("[F1] a customer is deleted after typing the address", async () => {
  const calls = serve({
    [`GET ${USER}`]: () => json(DETAIL),
    [`DELETE ${USER}`]: () => json({ success: true, message: "" }),
  });
  const user = show(<DeleteDialog user={BOB} onClose={vi.fn()} />);
  await user.click(await screen.findByRole("button", { name: "Delete user" }));
  expect(screen.getByText("Type bob@birch.net to confirm")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Ask for deletion" })).toBeNull();
  await user.type(screen.getByRole("textbox", { name: "Type bob@birch.net" }), "bob@birch.net");
  await user.click(screen.getByRole("button", { name: "Delete user" }));
  await expect.poll(() => calls.filter(({ method }) => method === "DELETE").length).toBe(1);
});

it("[F1] the second administrator reads who asked and why, and confirms once more", async () => {
  let open = [ASKED];
  const calls = serve({
    [`GET ${LIST}`]: () => json({ deletions: open }),
    [`POST ${LIST}/3/confirm`]: () => {
      open = [];
      return json({ success: true, message: "User rosa@emailcheck.app deleted successfully!" });
    },
  });
  const user = show(<ColleagueDeletions />);
  const panel = await screen.findByRole("region", { name: "Waiting for a second administrator" });
  expect(panel.textContent).toContain(
    "Rosa Ruiz (rosa@emailcheck.app), asked by Sam Staff (sam@emailcheck.app): Has left the company",
  );
  await user.click(screen.getByRole("button", { name: "Confirm the deletion of rosa@emailcheck.app" }));
  const dialog = within(screen.getByRole("dialog", { name: "Delete Rosa Ruiz?" }));
  expect(calls.some(({ method }) => method === "POST")).toBe(false);
  await user.click(dialog.getByRole("button", { name: "Delete user" }));
  expect(await screen.findByText("User rosa@emailcheck.app deleted successfully!")).toBeTruthy();
  await expect.poll(() => screen.queryByRole("region", { name: /second administrator/ })).toBeNull();
});

it("[F1] whoever asked can cancel, not confirm; the colleague neither", async () => {
  const mine = { ...ASKED, may_confirm: false };
  const aboutMe = { ...ASKED, id: 4, email: "me@emailcheck.app", may_confirm: false, may_cancel: false };
  const calls = serve({
    [`GET ${LIST}`]: () => json({ deletions: [mine, aboutMe] }),
    [`POST ${LIST}/3/cancel`]: () => refusal(409, "DELETION_ENDED", "This request is no longer open."),
  });
  const user = show(<ColleagueDeletions />);
  expect(await screen.findAllByText(/Another administrator must confirm it until/)).toHaveLength(2);
  const [cancel, ...others] = screen.getAllByRole("button", { name: /deletion of/ });
  expect([cancel?.getAttribute("aria-label"), others]).toEqual([
    "Cancel the deletion of rosa@emailcheck.app",
    [],
  ]);
  await user.click(screen.getByRole("button", { name: "Cancel the deletion of rosa@emailcheck.app" }));
  const dialog = within(screen.getByRole("dialog", { name: "Keep Rosa Ruiz?" }));
  await user.click(dialog.getByRole("button", { name: "Cancel the request" }));
  expect(await dialog.findByText("This request is no longer open.")).toBeTruthy();
  expect(calls.filter(({ method }) => method === "POST")).toHaveLength(1);
});

function edit(subject = BOB, handlers: Record<string, Handler> = {}) {
  const done = { success: true, message: "User updated successfully!", user: subject };
  const calls = serve({ [`PUT ${USER}`]: () => json(done), ...handlers });
  const onClose = vi.fn();
  return { calls, onClose, user: show(<EditDialog user={subject} onClose={onClose} />) };
}

it("[ADM-222] [F5] suspending says that the customer is mailed, and wants a reason of its own", async () => {
  const { user, calls, onClose } = edit();
  expect(screen.queryByRole("textbox", { name: "Reason for the suspension" })).toBeNull();
  await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Suspended");
  expect(screen.getByRole("note").textContent).toContain("The customer is mailed the reason");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect(screen.getByText("Enter a reason for the suspension")).toBeTruthy();
  expect(bodies(calls, "PUT")).toEqual([]);
  await user.type(screen.getByRole("textbox", { name: "Reason for the suspension" }), "Bought lists");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(bodies(calls, "PUT")).toEqual([
    {
      credits: 1_500,
      credits_read: 1_500,
      plan: "growth",
      status: "suspended",
      suspension_reason: "Bought lists",
      role: "user",
      reason: "",
    },
  ]);
});

it("[ADM-222] [F5] the server's word on the reason stands at its field", async () => {
  const words = "Enter a reason for the suspension; the customer gets it by mail.";
  const body = { detail: words, code: "VALIDATION_ERROR", details: { field: "suspension_reason" } };
  const { user } = edit(BOB, { [`PUT ${USER}`]: () => json(body, 400) });
  await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Suspended");
  const field = screen.getByRole("textbox", { name: "Reason for the suspension" });
  await user.type(field, "x");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
});

it("[ADM-222] [F5] lifting a suspension asks for no reason, and the profile shows why it was", async () => {
  const suspended = { ...BOB, status: "suspended" as const, suspension_reason: "Bought lists" };
  const { user, calls, onClose } = edit(suspended);
  await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Active");
  expect(screen.getByRole("note").textContent).toContain("The customer is mailed.");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(bodies(calls, "PUT")).toMatchObject([{ status: "active", suspension_reason: "" }]);
  drawer({}, { ...DETAIL, user: suspended });
  expect((await screen.findByText("Suspended because")).nextElementSibling?.textContent).toBe("Bought lists");
});
