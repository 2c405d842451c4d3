import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, it, vi } from "vitest";

import { calculatePackValue } from "../../src/features/billing/ledger/unspent-credits";
import { DeleteAccount } from "../../src/features/accounts/privacy/delete-account";
import { navigation } from "../../src/lib/session";
import { show } from "../render";
import { json, refusal, serve, type Call } from "../server";

const PACKS = [
  { id: "25k", credits: 25_000, price: 180 },
  { id: "5k", credits: 5_000, price: 60 },
  { id: "10k", credits: 10_000, price: 89 },
];
const LOTS = [
  { kind: "plan", remaining: 1_000 },
  { kind: "pack", remaining: 14_000 },
];
const ALICE = { id: "org_a", name: "Alice", subscription_plan: "growth", credits: 15_000, lots: LOTS };
const CLIENT = { id: "org_c", name: "Corner Shop", subscription_plan: "free", credits: 0, lots: [] };
const SHARED = { id: "org_b", name: "Birch Works" };

function serveAccount(departure: object, answers: Response[] = []): Call[] {
  return serve({
    "GET /api/auth/me": () => json({ email: "alice@company.com", subscription_plan: "free" }),
    "GET /api/user/deletion": () => json(departure),
    "GET /api/plans": () => json({ plans: [], packs: PACKS }),
    "DELETE /api/user": () => answers.shift() ?? json({ message: "" }),
  });
}

async function openDialog(user: UserEvent): Promise<HTMLElement> {
  await user.click(screen.getByRole("button", { name: "Delete account" }));
  return screen.findByRole("dialog");
}

it.each([
  [99, 1.188],
  [10_000, 89],
  [50_000, 360],
])(
  "[ADM-226] %d credits are worth $%d at the rate of the largest pack that holds no more",
  (credits, worth) => {
    expect(calculatePackValue(credits, PACKS)).toBeCloseTo(worth, 6);
  },
);

it("[SET-058] deleting names plan and credits, asks for address and password, and leaves", async () => {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  const refused = refusal(400, "CONFIRMATION_FAILED", "The address or password does not match.");
  const calls = serveAccount({ deleted: [ALICE], left: [], in_the_way: [] }, [refused]);
  const deletions = () => calls.filter(({ method }) => method === "DELETE");
  const user = show(<DeleteAccount />);
  const dialog = within(await openDialog(user));
  // 15,000 credits at the rate of the pack of 10,000.
  const loss = await dialog.findByText(/worth \$133\.50 at today's pack prices\. They lapse\.$/);
  expect(loss.textContent).toMatch(
    /^Your plan Growth, which ends now, and 15,000 unspent credits \(1,000 plan, 14,000 pack\), worth/,
  );
  const goOn = dialog.getByRole("button", { name: "Delete account" });
  await user.type(dialog.getByLabelText("Type alice@company.com to confirm"), "alice@other.com");
  await user.click(goOn);
  expect(deletions()).toEqual([]);
  await user.clear(dialog.getByLabelText("Type alice@company.com to confirm"));
  await user.type(dialog.getByLabelText("Type alice@company.com to confirm"), "alice@company.com");
  await user.type(dialog.getByLabelText("Password"), "secret-42");
  await user.click(goOn);
  expect(await dialog.findByText("The address or password does not match.")).toBeTruthy();
  expect(go).not.toHaveBeenCalled();
  await user.click(goOn);
  await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/?deleted=1"));
  expect(JSON.parse(deletions()[1]?.body ?? "")).toEqual({
    email: "alice@company.com",
    password: "secret-42",
  });
  expect(localStorage.getItem("token")).toBeNull();
});

it("[ORG-034] deleting names each organisation that goes, and those that go on", async () => {
  serveAccount({ deleted: [ALICE, CLIENT], left: [SHARED], in_the_way: [] });
  const dialog = within(await openDialog(show(<DeleteAccount />)));
  expect((await dialog.findByText(/^Alice: the plan/)).textContent).toContain("15,000 unspent credits");
  expect(dialog.getByText(/^Corner Shop: the plan/).textContent).toBe(
    "Corner Shop: the plan Free, which ends now, and 0 unspent credits. They lapse.",
  );
  expect(dialog.getByText("Birch Works, without you. What you made there stays.")).toBeTruthy();
});

it("[TEA-006] of an organisation that is closed now it says what goes, and not what that is", async () => {
  const closed = { ...CLIENT, subscription_plan: null, credits: null, lots: null };
  serveAccount({ deleted: [closed], left: [], in_the_way: [] });
  const dialog = within(await openDialog(show(<DeleteAccount />)));
  expect((await dialog.findByText(/^Corner Shop/)).textContent).toBe(
    "Corner Shop, its plan, which ends now, and what it holds. Its credits lapse.",
  );
  expect(dialog.getByRole("button", { name: "Delete account" })).toBeTruthy();
});

it("[ORG-034] the only owner of others is shown the two ways instead of a form", async () => {
  serveAccount({ deleted: [], left: [], in_the_way: [SHARED] });
  const dialog = within(await openDialog(show(<DeleteAccount />)));
  expect(
    await dialog.findByText(
      "Birch Works has members and no other owner. Transfer ownership to one of them, or delete the organisation, first.",
    ),
  ).toBeTruthy();
  expect(dialog.getByRole("link", { name: "Open Team" }).getAttribute("href")).toBe(
    "/switch?to=org_b&next=%2Fteam",
  );
  expect(dialog.queryByLabelText("Password")).toBeNull();
});
