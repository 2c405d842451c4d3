import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { EditUserDialog } from "../../src/features/adminpanel/customers/edit-user-dialog";
import { UserDrawer } from "../../src/features/adminpanel/customers/user-drawer";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";
import { BOB, DETAIL } from "../staff-users";

const USER = "/api/admin/users/7";
const LOOK = `POST ${USER}/lists/bat_A/addresses`;

function drawer(handlers: Record<string, Handler>, detail = DETAIL) {
  const calls = serve({ [`GET ${USER}`]: () => json(detail), ...handlers });
  const place = { id: "7", ids: ["7"], record: { move: vi.fn(), close: vi.fn() } };
  const user = show(<UserDrawer place={place} name="Bob Birch" onAsk={vi.fn()} />);
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

function edit(subject = BOB, handlers: Record<string, Handler> = {}) {
  const done = { success: true, message: "User updated successfully!", user: subject };
  const calls = serve({ [`PUT ${USER}`]: () => json(done), ...handlers });
  const onClose = vi.fn();
  return { calls, onClose, user: show(<EditUserDialog user={subject} onClose={onClose} />) };
}

it("[J7] [ADM-228] credits and plan together say before saving what the sum will be", async () => {
  const plans = [
    { id: "starter", limit: 5_000 },
    { id: "growth", limit: 10_000 },
    { id: "enterprise", limit: null },
  ];
  const { user } = edit(BOB, { "GET /api/plans": () => json({ plans }) });
  const credits = screen.getByRole("textbox", { name: "Credits" });
  await user.clear(credits);
  await user.type(credits, "77");
  await user.selectOptions(screen.getByRole("combobox", { name: "Plan" }), "Starter");
  const note = () => screen.getByRole("note").textContent;
  await expect
    .poll(note)
    .toContain("77 credits as above, and 5,000 of the plan's first month: 5,077 in all.");
  await user.selectOptions(screen.getByRole("combobox", { name: "Plan" }), "Enterprise");
  expect(note()).toContain("10,077 in all");
  await user.selectOptions(screen.getByRole("combobox", { name: "Plan" }), "Free");
  expect(note()).not.toContain("in all");
});

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
      organisation: "org_bob",
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

it("[ADM-230] [C5] the focus goes to the reason, to what is shown for it, and back when that is left", async () => {
  const { user } = drawer({
    [LOOK]: () =>
      json({ addresses: [{ row: 1, email: "ida@holm.org", category: "valid" }], total: 1, next: null }),
  });
  const opener = await screen.findByRole("button", { name: "Addresses of bat_A…" });
  await user.click(opener);
  expect(document.activeElement).toBe(screen.getByRole("textbox", REASON));
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(document.activeElement).toBe(opener);
  await user.click(opener);
  await user.keyboard("Ticket 4711{Enter}");
  const shown = await screen.findByRole("region", { name: "Addresses of bat_A" });
  expect(document.activeElement).toBe(shown);
  await user.click(screen.getByRole("button", { name: "Find an address…" }));
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Address to look for" }));
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Find an address…" }));
});

it("[J6] [ADM-207] [ADM-222] [F5] a refused suspension is said, and the dialog stays with its reason", async () => {
  const words = "This account is protected";
  const { user, onClose } = edit(BOB, { [`PUT ${USER}`]: () => refusal(403, "PROTECTED_ACCOUNT", words) });
  await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Suspended");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  const field = screen.getByRole("textbox", { name: "Reason for the suspension" });
  expect(document.activeElement).toBe(field);
  await user.type(field, "Bought lists");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect((await within(screen.getByRole("dialog")).findByRole("alert")).textContent).toBe(words);
  const said = document.querySelector("[data-sonner-toast]")?.textContent;
  expect(said).toBe(`Failed to update user${words}`);
  expect([onClose.mock.calls, (field as HTMLTextAreaElement).value]).toEqual([[], "Bought lists"]);
});

it("[ADM-222] [F5] a profile that cannot be loaded shows no reason and offers no change", async () => {
  drawer({ [`GET ${USER}`]: () => refusal(404, "NOT_FOUND", "User not found") });
  expect((await screen.findByRole("alert")).textContent).toContain("User not found");
  expect(screen.queryByText("Suspended because")).toBeNull();
  const off = ["Delete", "Edit"].map((name) => screen.getByRole("button", { name }).hasAttribute("disabled"));
  expect(off).toEqual([true, true]);
});
