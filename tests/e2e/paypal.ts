// The approval page of the simulated PayPal, and the way there and back.
import { expect, type Page } from "@playwright/test";

const OUTCOMES = { pay: /^(Pay|Agree)/, cancel: /Cancel/, decline: /Decline/, delay: /Delay/ } as const;

export type Outcome = keyof typeof OUTCOMES;

/** Presses one of the buttons of the approval page; the browser comes back by itself. */
export async function answerPayment(page: Page, outcome: Outcome = "pay"): Promise<void> {
  await page.waitForURL(/\/sandbox\/paypal\//);
  await page.getByRole("button", { name: OUTCOMES[outcome] }).click();
  await expect(page).not.toHaveURL(/\/sandbox\/paypal\//);
}

/** Presses a purchase button and then one of those on the approval page. */
export async function approvePayment(page: Page, button: string, outcome: Outcome = "pay"): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await answerPayment(page, outcome);
  await page.waitForURL(/\/account-settings/);
}
