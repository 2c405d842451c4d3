import { expect, type Page } from "@playwright/test";

import { signInByCall, PATIENTLY, test } from "./cast";
import { expectReadable, expectReadablePage } from "./page-checks";
import { PASSWORD, signUp } from "./newcomer";
import { approvePayment } from "./paypal";

test("[PEN-005] what was cancelled at PayPal is told by what it was, and changes nothing", async ({
  page,
}) => {
  await signUp(page);
  await page.goto("/account-settings?tab=subscription");
  await approvePayment(page, "Buy 25,000 credits", "cancel");
  const cancelled = page.getByText(/^Payment cancelled\./);
  await expect(cancelled).toHaveText("Payment cancelled. No credits were bought.");
  await expect(page).toHaveURL(/\/account-settings\?tab=subscription$/);
  await expect(page.getByText("100 expiring, 0 from packs")).toBeVisible();
  await page.goto("/dashboard?tab=pricing");
  await approvePayment(page, "Choose Growth", "cancel");
  await expect(cancelled).toHaveText("Payment cancelled. No plan was bought.");
});

test("[PRC-023] a declined payment says so", async ({ page }) => {
  await signUp(page);
  await page.goto("/dashboard?tab=pricing");
  await approvePayment(page, "Choose Growth", "decline");
  await expect(page.getByRole("alert")).toContainText("PayPal declined the payment. Nothing was charged.");
  await page.getByRole("link", { name: "See plans and packs" }).click();
  await expect(page.getByText("You are on Free")).toBeVisible();
});

const HEADERS = { Accept: "application/json" };
const WAITING =
  /^Your payment of \$89\.00 for 10,000 credits is waiting for PayPal since .+\. You do not need to do anything\.$/;
const TABS = [
  "/account-settings?tab=subscription",
  "/dashboard?tab=pricing&pricing=payasyougo",
  "/dashboard?tab=custom-packages",
];

/** Buys 10,000 credits, which PayPal holds back. Answers the account and the id of the payment at PayPal. */
async function held(page: Page): Promise<{ email: string; id: string }> {
  const email = await signUp(page);
  await page.goto("/account-settings?tab=subscription");
  await approvePayment(page, "Buy 10,000 credits", "delay");
  await expect(page.getByText(WAITING)).toBeVisible();
  const told = (await (await page.request.get("/api/invoices", { headers: await bearer(page) })).json()) as {
    invoices: { payment_status: string; id: number | null }[];
  };
  expect(told.invoices.map(({ payment_status, id }) => [payment_status, id])).toEqual([["pending", null]]);
  const line = page.getByRole("row", {
    name: /10,000 credits, \$89\.00: pending at PayPal/,
  });
  const id = await line.locator(".mono").innerText();
  return { email, id };
}

async function bearer(page: Page): Promise<Record<string, string>> {
  const token = await page.evaluate(() => localStorage.getItem("token") ?? "");
  return { ...HEADERS, Authorization: `Bearer ${token}` };
}

async function decide(page: Page, id: string, action: "complete" | "decline"): Promise<void> {
  const answer = await page.request.post(`/sandbox/paypal/payments/${id}`, {
    headers: HEADERS,
    data: { action },
  });
  expect(answer.ok()).toBe(true);
}

test("[PEN-001] [PEN-002] [D1] a payment that PayPal holds back stays in sight, in another browser too", async ({
  page,
  browser,
}) => {
  const { email } = await held(page);
  await page.reload();
  await expect(page.getByText(WAITING)).toBeVisible();
  await expect(page.locator("#invoices").getByText("Pending", { exact: true })).toBeVisible();
  await expectReadablePage(page);
  const elsewhere = await browser.newPage();
  await signInByCall(elsewhere, email, PASSWORD);
  for (const tab of TABS) {
    await elsewhere.goto(tab);
    await expect(elsewhere.getByText(WAITING)).toBeVisible();
  }
  await elsewhere.goto("/account-settings?tab=profile#security");
  await expect(elsewhere.getByText("10,000 credits: $89.00 is pending at PayPal")).toBeVisible();
  await elsewhere.context().close();
});

test.describe("a refusal in the console", () => {
  test.use({ refusalsExpected: true });

  test("[PEN-003] [D1] the same is bought a second time only when that is wanted", async ({ page }) => {
    await held(page);
    const buy = page.getByRole("button", { name: "Buy 10,000 credits" });
    await buy.click();
    const question = page.getByRole("dialog", {
      name: "Payment still waiting",
    });
    await expect(question).toContainText(
      "A payment for the same thing is still waiting. Buy it a second time?",
    );
    await expect(question.getByRole("button", { name: "Wait" })).toBeFocused();
    await expectReadable(page);
    await page.keyboard.press("Enter");
    await expect(question).toBeHidden();
    await expect(page).toHaveURL(/\/account-settings/);
    await buy.click();
    await question.getByRole("button", { name: "Buy again" }).click();
    await page.waitForURL(/\/sandbox\/paypal\//);
  });
});

test("[PEN-004] [PRC-023] [SET-008] the banner becomes one notice when the payment completes, without a reload", async ({
  page,
}) => {
  const { id } = await held(page);
  await page.evaluate(() => (document.body.dataset.kept = "true"));
  await decide(page, id, "complete");
  await expect(page.getByText("10,000 credits were added to your account.")).toHaveCount(1, PATIENTLY);
  await expect(page.getByText(WAITING)).toBeHidden();
  await expect(page.getByText("10,000 from packs")).toBeVisible();
  expect(await page.evaluate(() => document.body.dataset.kept)).toBe("true");
});

test("[PEN-004] a payment that PayPal declines after all is told on the page and in its lines", async ({
  page,
}) => {
  const { id } = await held(page);
  await decide(page, id, "decline");
  const text = "The payment was not made. You were not charged.";
  await expect(page.getByRole("alert")).toHaveText(text, PATIENTLY);
  await expect(page.locator("#invoices")).toContainText(text);
  await expect(page.locator("#statement")).toContainText(text);
  await expect(page.getByText("100 expiring, 0 from packs")).toBeVisible();
});
