import { expect } from "@playwright/test";

import { PATIENTLY, test } from "./cast";
import { signUp } from "./newcomer";
import { approve } from "./paypal";

const PACKS = "/dashboard?tab=pricing&pricing=payasyougo";

test("[PRC-016] [PRC-023] [PRC-034] [PRC-036] a pack is bought: credits and a line in the statement", async ({
  page,
}) => {
  await signUp(page);
  await page.goto(PACKS);
  await approve(page, "Buy 5,000 credits", "pay");
  await expect(page.getByText("5,000 credits were added to your account.")).toBeVisible();
  await expect(page).toHaveURL(/\/account-settings\?tab=subscription$/);
  await expect(page.getByText("5,000 from packs")).toBeVisible();
  await expect(page.getByText("Bought 5,000 credits")).toBeVisible();
});

test("[SUB-038] a payment cancelled at PayPal changes nothing", async ({ page }) => {
  await signUp(page);
  await page.goto("/account-settings?tab=subscription");
  await approve(page, "Buy 25,000 credits", "cancel");
  await expect(page.getByText("Payment cancelled. Your plan was not changed.")).toBeVisible();
  await expect(page.getByText("100 that expire, 0 from packs")).toBeVisible();
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

test("[PRC-013] [PRC-015] [PRC-023] a plan is subscribed to", async ({ page }) => {
  await signUp(page);
  await page.goto("/dashboard?tab=pricing&billing=yearly");
  await approve(page, "Choose Starter", "pay");
  await expect(page.getByText("Your Starter plan is active.")).toBeVisible();
  await expect(page.getByText("Active, billed yearly")).toBeVisible();
  await page.goto("/dashboard?tab=pricing&billing=yearly");
  await expect(page.getByRole("button", { name: "Current Plan" })).toBeDisabled();
  await expect(page.getByRole("link", { name: "Change to Pro" })).toBeVisible();
});
