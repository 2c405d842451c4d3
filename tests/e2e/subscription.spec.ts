import { expect, type Page } from "@playwright/test";

import { test } from "./cast";
import { signUp } from "./newcomer";

test.describe.configure({ mode: "serial" });

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Agrees on the simulated PayPal's page and comes back. */
async function approve(page: Page): Promise<void> {
  await page.waitForURL(/\/sandbox\/paypal\//);
  await page.getByRole("button", { name: /^(Pay|Agree)/ }).click();
  await page.waitForURL(/\/account-settings/);
}

test("[SUB-035] [SUB-036] [SUB-037] subscribe, upgrade, pause, resume, cancel, keep", async ({ page }) => {
  test.slow();
  await signUp(page);
  await page.goto("/dashboard?tab=pricing");
  await button(page, "Choose Starter").click();
  await approve(page);
  await expect(page.getByText("Your Starter plan is active.")).toBeVisible();

  await button(page, "Upgrade to Growth, billed monthly").click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/^\$79 less \$49, for the \d+ of \d+ days left$/)).toBeVisible();
  await dialog.getByRole("button", { name: "Pay $30 with PayPal" }).click();
  await approve(page);
  await expect(page.getByText("Your plan is now Growth, billed monthly.")).toBeVisible();
  await page.waitForEvent("load");
  await expect(page.getByText("10,100 expiring, 0 from packs")).toBeVisible();

  await button(page, "Pause").click();
  await expect(dialog).toContainText("Are you sure you want to pause your subscription?");
  await button(page, "Pause subscription").click();
  await expect(page.getByText(/^Your subscription is paused until/)).toBeVisible();
  await expect(page.getByText("10,100 frozen, 0 from packs")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Change plan" })).toHaveCount(0);
  await expect(button(page, "Cancel instead")).toBeVisible();

  await button(page, "Resume").click();
  await button(page, "Resume subscription").click();
  await expect(page.getByText(/^Your subscription is active again\./)).toBeVisible();

  await button(page, "Downgrade to Starter, billed monthly").click();
  await button(page, "Confirm change").click();
  await expect(page.getByText(/^Your plan changes to Starter, billed monthly, on/)).toBeVisible();
  await button(page, "Undo").click();
  await expect(button(page, "Undo")).toHaveCount(0);

  await button(page, "Cancel").click();
  await expect(dialog).toContainText("Nothing more is charged.");
  await button(page, "Cancel subscription").click();
  await expect(page.getByText(/^Your Growth plan ends on/)).toBeVisible();
  await button(page, "Keep my plan").click();
  await approve(page);
  await expect(page.getByText(/^Your plan goes on\./)).toBeVisible();
  await expect(button(page, "Keep my plan")).toHaveCount(0);
});
