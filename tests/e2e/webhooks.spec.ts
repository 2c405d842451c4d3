import { expect, type Page } from "@playwright/test";

import { test } from "./cast";
import { signUp } from "./newcomer";

const SETTINGS = "/account-settings?tab=profile#webhooks";

/** Somebody new, whose trial includes webhooks. */
async function onTrial(page: Page): Promise<void> {
  await signUp(page);
  await page.goto(SETTINGS);
  await expect(page.getByText("Webhooks are available from the Growth plan.")).toBeVisible();
  await page.goto("/dashboard?tab=pricing");
  await page.getByRole("button", { name: "Start Growth trial" }).first().click();
  await expect(page.getByText(/trial/i).first()).toBeVisible();
}

test.describe("webhooks", () => {
  test.use({ refusalsExpected: true });

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
