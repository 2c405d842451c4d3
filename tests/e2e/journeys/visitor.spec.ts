// A visitor tries the product, becomes a customer who pays, and brings a friend who pays too.
import { readFile } from "node:fs/promises";

import { expect, type Page } from "@playwright/test";

import { test } from "../cast";
import { createAddress, registerAccount } from "../newcomer";
import { approvePayment } from "../paypal";
import { checkPage, testJourney } from "./journey";

async function tryAddress(page: Page): Promise<void> {
  await page.goto("/");
  const box = page.locator("#try");
  await box.getByRole("button", { name: "gone.keller@gmail.com" }).click();
  await expect(box.getByText("Do not send", { exact: true })).toBeVisible();
  await checkPage(page);
}

/** Signs up, and follows the link of the mail in the sandbox's outbox. */
async function join(page: Page): Promise<string> {
  const email = createAddress();
  await registerAccount(page, email);
  await checkPage(page);
  const mail = page.getByRole("listitem").filter({ hasText: email });
  await expect(async () => {
    await page.goto("/sandbox/outbox");
    await expect(mail).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await mail.getByRole("link", { name: /\/verify-email/ }).click();
  await expect(page.getByRole("heading", { name: "Your address is verified" })).toBeVisible();
  await page.getByRole("button", { name: "Start validating" }).click();
  await expect(page.getByRole("heading", { name: "Validate", level: 1 })).toBeVisible();
  return email;
}

async function check(page: Page): Promise<void> {
  await checkPage(page);
  await page.getByLabel("Single address").fill("anna.keller@gmail.com");
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  const report = page.getByRole("region", { name: "anna.keller@gmail.com" });
  await expect(report.locator(".verdict")).toBeVisible();
  await checkPage(page);
}

async function buyPack(page: Page, email: string): Promise<void> {
  await page.goto("/dashboard?tab=pricing&pricing=payasyougo");
  await checkPage(page);
  await page.getByRole("button", { name: "Buy 5,000 credits" }).click();
  await page.waitForURL(/\/sandbox\/paypal\//);
  await checkPage(page);
  await page.getByRole("button", { name: /^Pay/ }).click();
  await expect(page.getByText("5,000 credits were added to your account.")).toBeVisible();
  await expect(page).toHaveURL(/\/account-settings\?tab=subscription$/);
  await expect(page.getByText("5,000 from packs")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Bought 5,000 credits" })).toBeVisible();
  const invoice = page.getByRole("region", { name: "Invoices" }).getByRole("listitem");
  await expect(invoice).toHaveCount(1);
  await expect(invoice).toContainText(/INV-\d{4}-\d{6}/);
  await expect(invoice).toContainText("Paid");
  await expect(invoice).toContainText("$59.00");
  await checkPage(page);
  const number = (await invoice.getByText(/^INV-/).innerText()).trim();
  const downloading = page.waitForEvent("download");
  await invoice.getByRole("button", { name: "Download PDF" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^${number}-.+\\.pdf$`, "u"));
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");
  await invoice.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Resend" }).click();
  await expect(page.getByText(`Invoice ${number} sent to ${email}`)).toBeVisible();
  await page.goto("/account-settings?tab=payment-methods");
  await expect(page.getByRole("listitem").filter({ hasText: "PayPal" })).toContainText("Default");
  await checkPage(page);
}

async function subscribe(page: Page): Promise<void> {
  await page.goto("/dashboard?tab=pricing&billing=yearly");
  await approvePayment(page, "Choose Starter", "pay");
  await expect(page.getByText("Your Starter plan is active.")).toBeVisible();
  await expect(page.getByText("Active, billed yearly")).toBeVisible();
  await checkPage(page);
  await page.goto("/dashboard?tab=pricing&billing=yearly");
  await expect(page.getByRole("button", { name: "Current Plan" })).toBeDisabled();
  await expect(page.getByRole("link", { name: "Change to Pro" })).toBeVisible();
  await checkPage(page);
}

testJourney(
  "[PRC-013] [PRC-016] [REF-007] a visitor becomes a customer who pays and brings a friend",
  async ({ page, another }) => {
    await test.step("tries an address", () => tryAddress(page));
    const email = await test.step("signs up", () => join(page));
    await test.step("checks an address", () => check(page));
    await test.step("buys credits", () => buyPack(page, email));

    await page.goto("/dashboard?tab=referrals");
    await expect(page.getByText("No referrals yet")).toBeVisible();
    await checkPage(page);
    const link = await page.getByRole("textbox", { name: "Your referral link" }).inputValue();
    const friend = await another();
    await test.step("a friend comes by the link", async () => {
      await friend.goto(link);
      await expect(friend.getByText("A friend invited you: 100 extra credits are yours")).toBeVisible();
      await checkPage(friend);
    });
    const theirs = await test.step("the friend signs up", () => join(friend));
    await expect(friend.locator(".credits")).toHaveText("200 credits");
    await page.reload();
    const row = page.getByRole("row").filter({ hasText: `${theirs.slice(0, 1)}***@harborquill.com` });
    await expect(row).toContainText("Pending");
    await test.step("the friend pays", () => subscribe(friend));
    await page.reload();
    await expect(row).toContainText("Completed");
    await expect(row).toContainText("+500");
    await page.goto("/dashboard");
    await expect(page.locator(".credits")).toHaveText("5,599 credits");
    await checkPage(page);
  },
);
