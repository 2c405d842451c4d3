import { expect, type Page } from "@playwright/test";

import { test } from "./cast";
import { signUp } from "./newcomer";

const SETTINGS = "/account-settings?tab=profile#webhooks";

const INCLUDED = "Test endpoints are included, live ones come with Growth.";

/** Somebody new, whose trial includes webhooks. */
async function onTrial(page: Page): Promise<void> {
  await signUp(page);
  await page.goto(SETTINGS);
  await expect(page.getByText(INCLUDED)).toBeVisible();
  await page.goto("/dashboard?tab=pricing");
  await page.getByRole("button", { name: "Start Growth trial" }).first().click();
  await expect(page.getByText(/trial/i).first()).toBeVisible();
}

test.describe("webhooks", () => {
  test.use({ refusalsExpected: true });

  test("[API-033] of test mode are added, tested and heard of on Free", async ({ page }) => {
    await signUp(page);
    await page.goto(SETTINGS);
    await expect(page.getByText(INCLUDED)).toBeVisible();
    await page.getByRole("button", { name: "Add test webhook" }).click();
    const url = `https://inbox.hookbarn.com/free${Date.now()}`;
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address of your endpoint").fill(url);
    await dialog.getByRole("button", { name: "Add webhook" }).click();
    await expect(page.getByLabel("Webhook secret")).toHaveText(/^whsec_/);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByRole("button", { name: `Test ${url}` }).click();
    await expect(page.getByText("The endpoint answered 200.")).toBeVisible();
    await page.getByRole("button", { name: `More actions for ${url}` }).click();
    await page.getByRole("menuitem", { name: `Deliveries ${url}` }).click();
    await expect(page.getByRole("button", { name: /batch\.completed.*Delivered/ })).toBeVisible();
  });

  test("[DOC-055] that lead inside are refused where they are typed", async ({ page }) => {
    await onTrial(page);
    await page.goto(SETTINGS);
    await page.getByRole("button", { name: "Add webhook" }).click();
    const dialog = page.getByRole("dialog");
    for (const host of ["127.0.0.1", "private.hookbarn.com", "0x7f.1"]) {
      await dialog.getByLabel("Address of your endpoint").fill(`https://${host}/hook`);
      await dialog.getByRole("button", { name: "Add webhook" }).click();
      await expect(dialog.getByText("The address must lead to a public host.")).toBeVisible();
    }
  });
});
