import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { calculatePackValue } from "../../src/features/billing/ledger/unspent-credits";
import { DeleteAccount } from "../../src/features/accounts/privacy/delete-account";
import { navigation } from "../../src/lib/session";
import { show } from "../render";
import { json, refusal, serve } from "../server";

const PACKS = [
  { id: "25k", credits: 25_000, price: 180 },
  { id: "5k", credits: 5_000, price: 60 },
  { id: "10k", credits: 10_000, price: 89 },
];
const LOTS = [
  { kind: "plan", remaining: 1_000 },
  { kind: "pack", remaining: 4_000 },
  { kind: "pack", remaining: 10_000 },
];

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
  const answers = [refusal(400, "CONFIRMATION_FAILED", "The address or password does not match.")];
  const calls = serve({
    "GET /api/auth/me": () => json({ email: "alice@company.com", subscription_plan: "growth" }),
    "GET /api/credits": () => json({ credits: 15_000, lots: LOTS }),
    "GET /api/plans": () => json({ plans: [], packs: PACKS }),
    "DELETE /api/user": () => answers.shift() ?? json({ message: "" }),
  });
  const deletions = () => calls.filter(({ method }) => method === "DELETE");
  const user = show(<DeleteAccount />);
  await user.click(screen.getByRole("button", { name: "Delete account" }));
  const dialog = within(await screen.findByRole("dialog"));
  // 15,000 credits at the rate of the pack of 10,000.
  const worth = await dialog.findByText(/worth \$133\.50 at today's pack prices\. They lapse\.$/);
  expect(worth.textContent).toMatch(/^15,000 unspent credits \(1,000 plan, 14,000 pack\), worth/);
  expect(dialog.getByText("Growth")).toBeTruthy();
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
