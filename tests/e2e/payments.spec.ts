import { expect } from "@playwright/test";

import { PATIENTLY, test } from "./cast";
import { signUp } from "./newcomer";
import { approve } from "./paypal";

test("[SUB-038] a payment cancelled at PayPal changes nothing", async ({ page }) => {
  await signUp(page);
  await page.goto("/account-settings?tab=subscription");
  await approve(page, "Buy 25,000 credits", "cancel");
  await expect(page.getByText("Payment cancelled. Your plan was not changed.")).toBeVisible();
  await expect(page.getByText("100 expiring, 0 from packs")).toBeVisible();
});

test("[PRC-023] a declined payment says so", async ({ page }) => {
  await signUp(page);
  await page.goto("/dashboard?tab=pricing");
  await approve(page, "Choose Growth", "decline");
  await expect(page.getByRole("alert")).toContainText("PayPal declined the payment. Nothing was charged.");
  await page.getByRole("link", { name: "See plans and packs" }).click();
  await expect(page.getByText("You are on Free")).toBeVisible();
});

test("[PRC-023] [SET-008] a payment that PayPal holds back is waited for", async ({ page }) => {
  await signUp(page);
  await page.goto("/account-settings?tab=subscription");
  await approve(page, "Buy 10,000 credits", "delay");
  await expect(page.getByText(/PayPal has not confirmed this payment yet/)).toBeVisible();
  const headers = { Accept: "application/json" };
  const told = (await (await page.request.get("/sandbox/paypal", { headers })).json()) as {
    payments: { id: string; status: string }[];
  };
  const held = told.payments.find(({ status }) => status === "PENDING");
  await page.request.post(`/sandbox/paypal/payments/${held?.id ?? ""}`, {
    headers,
    data: { action: "complete" },
  });
  await expect(page.getByText("10,000 credits were added to your account.")).toBeVisible(PATIENTLY);
  await expect(page.getByText("10,000 from packs")).toBeVisible();
});
