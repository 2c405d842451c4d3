import { readFile } from "node:fs/promises";

import { expect } from "@playwright/test";

import { enter, test } from "./cast";
import { signUp } from "./newcomer";

test("[INV-003] [INV-004] [INV-005] [INV-008] [INV-019] a purchase has an invoice, and a refund its credit note", async ({
  page,
  browser,
}) => {
  const email = await signUp(page);
  await page.goto("/dashboard?tab=pricing&pricing=payasyougo");
  await page.getByRole("button", { name: "Buy 5,000 credits" }).click();
  await page.waitForURL(/\/sandbox\/paypal\//);
  await page.getByRole("button", { name: /^Pay/ }).click();
  await page.waitForURL(/\/account-settings/);

  const invoices = page.getByRole("region", { name: "Invoices" });
  const invoice = invoices.getByRole("listitem");
  await expect(invoice).toHaveCount(1);
  await expect(invoice).toContainText(/INV-\d{4}-\d{6}/);
  await expect(invoice).toContainText("Paid");
  await expect(invoice).toContainText("$59.00");
  const number = (await invoice.getByText(/^INV-/).innerText()).trim();
  const downloading = page.waitForEvent("download");
  await invoice.getByRole("button", { name: "Download PDF" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe(`${number}.pdf`);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");
  await invoice.getByRole("button", { name: "Resend" }).click();
  await expect(page.getByText(`Invoice ${number} sent to ${email}`)).toBeVisible();
  await page.goto("/account-settings?tab=payment-methods");
  await expect(page.getByRole("listitem").filter({ hasText: "PayPal" })).toContainText("Default");

  const office = await browser.newPage();
  await enter(office, "sam@emailcheck.app");
  await office.goto("/admin?tab=revenue");
  await office.getByRole("searchbox", { name: "Search payments" }).fill(number);
  await office.getByRole("button", { name: "Nora New" }).click();
  const dialog = office.getByRole("dialog", { name: "Payment of Nora New" });
  await expect(dialog.getByText("The 30-day guarantee does not apply.")).toBeVisible();
  await dialog.getByRole("button", { name: "Refund…" }).click();
  await dialog.getByLabel("Reason").fill("Bought twice");
  await dialog.getByRole("button", { name: "Refund $59.00" }).click();
  await expect(office.getByText(`Refund of $59.00 sent to ${email}`)).toBeVisible();
  await office.close();

  await page.goto("/account-settings?tab=subscription");
  await expect(invoice).toHaveCount(2);
  await expect(invoice.first()).toContainText("Credit note");
  await expect(invoice.first()).toContainText("-$59.00");
  await expect(invoice.last()).toContainText("Refunded");
  await expect(page.getByText("Refund of 5,000 credits")).toBeVisible();
});
