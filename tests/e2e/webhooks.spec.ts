import { randomUUID } from "node:crypto";

import { expect, type Page } from "@playwright/test";

import { test } from "./cast";
import { see } from "./look";
import { signUp } from "./newcomer";

const SETTINGS = "/account-settings?tab=profile#webhooks";

/** Sets how a box of the simulated receiver answers, and with which secret it checks signatures. */
async function setBox(page: Page, box: string, fields: Record<string, string>): Promise<void> {
  const answer = await page.request.post("/sandbox/inbox/box", {
    data: { box, ...fields },
    headers: { Accept: "application/json" },
  });
  expect(answer.ok()).toBe(true);
}

/** Somebody new, whose trial includes webhooks. */
async function onTrial(page: Page): Promise<void> {
  await signUp(page);
  await page.goto(SETTINGS);
  await expect(page.getByText("Webhooks are available from the Growth plan.")).toBeVisible();
  await page.goto("/dashboard?tab=pricing");
  await page.getByRole("button", { name: "Start Free Trial" }).first().click();
  await expect(page.getByText(/trial/i).first()).toBeVisible();
}

/** Adds a webhook to a box of the receiver; the box checks signatures from now on. */
async function addWebhook(page: Page, box: string): Promise<void> {
  await page.goto(SETTINGS);
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address of your endpoint").fill(`https://inbox.hookbarn.com/${box}`);
  await dialog.getByLabel("validation.completed").check();
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await setBox(page, box, {
    secret: await page.getByLabel("Webhook secret").innerText(),
  });
  await page.getByRole("button", { name: "I have kept it" }).click();
  await expect(page.getByText(`https://inbox.hookbarn.com/${box}`)).toBeVisible();
}

async function validateOne(page: Page): Promise<void> {
  await page.goto("/dashboard?tab=validate&address=ida.holm@harborquill.com");
  await page
    .getByRole("button", { name: /^Validate/ })
    .first()
    .click();
  await expect(page.getByText("ida.holm@harborquill.com").first()).toBeVisible();
}

test.describe("webhooks", () => {
  test.use({ refusalsExpected: true });

  test("[DOC-054] [DOC-055] [DOC-057] are added, tested, arrive signed, fail, and are replayed", async ({
    page,
  }) => {
    const box = `shop-${randomUUID().slice(0, 8)}`;
    await onTrial(page);
    await addWebhook(page, box);
    await page.getByRole("button", { name: /^Test / }).click();
    await expect(page.getByText("The endpoint answered 200.")).toBeVisible();

    await setBox(page, box, { mode: "410" });
    await validateOne(page);
    await page.goto(SETTINGS);
    await expect(async () => {
      await page.reload();
      await expect(page.getByText(/We switched it off\. The endpoint answered 410 Gone\./)).toBeVisible({
        timeout: 5_000,
      });
    }).toPass();
    await setBox(page, box, { mode: "ok" });
    await page.getByRole("button", { name: "Enable" }).click();
    await expect(page.getByText("Active", { exact: true })).toBeVisible();

    await page.getByRole("button", { name: /^Deliveries / }).click();
    const failed = page.getByRole("button", {
      name: /validation\.completed.*answered 410.*Failed/,
    });
    await expect(failed).toBeVisible();
    await see(page, "[role=dialog]");
    await page.getByRole("button", { name: "Replay failed" }).click();
    await expect(page.getByText("1 delivery queued again")).toBeVisible();
    await page
      .getByRole("button", {
        name: /validation\.completed.*2 attempts.*Delivered/,
      })
      .click();
    await expect(page.getByText("Nobody lives here any more.")).toBeVisible();
    await expect(page.getByText("Thank you.")).toBeVisible();

    await page.goto(`/sandbox/inbox?box=${box}`);
    await expect(page.getByText("Signature: valid")).toHaveCount(3);
    const ids = await page.locator("dt:text-is('webhook-id') + dd").allInnerTexts();
    expect(new Set(ids).size).toBe(2);
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
