// What a customer reads of what was paid: the last payment, the invoice of a change, what a trial turns into.
import { expect } from "@playwright/test";

import { findAccessibilityIssues } from "./axe";
import { callApi } from "./calls";
import { signInByCall, test } from "./cast";
import { signUp } from "./newcomer";
import { approvePayment } from "./paypal";

const SETTINGS = "/account-settings?tab=subscription";

test("[PEN-006] [D7] after a pack the card names the payment, and after its refund the refund", async ({
  page,
  browser,
}) => {
  const email = await signUp(page);
  await page.goto(SETTINGS);
  await expect(page.getByText("No payment yet")).toBeVisible();
  await approvePayment(page, "Buy 5,000 credits");
  await page.goto(SETTINGS);
  const card = page.locator(".card").filter({ hasText: "Next billing date" }).first();
  await expect(card).toContainText(/Last payment \d+ \w+ \d{4}, \$59\.00/);
  await expect(card).toContainText("Next billing date: none, packs are paid once");
  await expect(page.getByText("No payment yet")).toHaveCount(0);
  expect(await findAccessibilityIssues(page)).toEqual([]);

  const staff = await browser.newPage();
  await signInByCall(staff, "sam@emailcheck.app");
  const { payments } = await callApi<{ payments: { id: number }[] }>(
    staff,
    "GET",
    `/api/admin/payments?search=${encodeURIComponent(email)}`,
  );
  expect(payments).toHaveLength(1);
  await callApi(staff, "POST", `/api/admin/payments/${payments[0]?.id ?? 0}/refund`, {
    reason: "Asked for it",
  });
  await staff.close();
  await page.reload();
  await expect(card).toContainText(/\$59\.00, refunded on \d+ \w+ \d{4}/);
});

test("[PEN-007] [PEN-008] [D7] a trial becomes Starter in full, and a change shows its working", async ({
  page,
}) => {
  test.slow();
  await signUp(page);
  await page.goto(SETTINGS);
  await page.getByRole("button", { name: "Start Growth trial" }).click();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  for (const plan of ["Starter", "Growth", "Pro"])
    await expect(button(`Upgrade to ${plan}, billed monthly`)).toBeVisible();
  await button("Upgrade to Starter, billed monthly").click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("The plan is charged in full from now, and your trial ends");
  await approvePayment(page, "Pay $49 with PayPal");
  await page.goto(SETTINGS);
  await expect(button("Current Plan")).toBeDisabled();

  await button("Upgrade to Growth, billed monthly").click();
  await approvePayment(page, "Pay $30 with PayPal");
  await page.goto(SETTINGS);
  const lines = page.getByRole("region", { name: "Invoices" }).getByRole("listitem").first();
  await expect(lines).toContainText(/Growth, (\d+) of \1 days \(.+ to .+\)\$79\.00/);
  await expect(lines).toContainText(/Unused Starter, (\d+) of \1 days-\$49\.00/);
  await expect(lines.getByText("$30.00")).toBeVisible();
  expect(await findAccessibilityIssues(page)).toEqual([]);
});
