// What developers see of their own calls: a test key is made, used, and found again in the request log.
import { expect } from "@playwright/test";

import { signInByCall, test } from "./cast";

const DOMAIN = "test.emailcheck.app";

test.use({ refusalsExpected: true });

test("[DOC-034] [DOC-035] [DOC-043] a test key answers for magic addresses, and the log shows each call", async ({
  page,
}) => {
  await signInByCall(page, "alice@alder-and-ash.com");
  const name = `Trial ${Date.now()}`;
  await page.goto("/account-settings?tab=profile#api-keys");
  await page.getByRole("button", { name: "Create API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("radio", { name: /^Test/ }).check();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await page.getByLabel("API key", { exact: true }).innerText();
  expect(key).toMatch(/^ec_test_/);
  await page.getByRole("button", { name: "I have kept it" }).click();

  const call = (address: string) =>
    page.request.post("/api/v1/validate/single", {
      headers: { Authorization: `Bearer ${key}` },
      data: { email: address },
    });
  const answered = await call(`disposable@${DOMAIN}`);
  expect(await answered.json()).toMatchObject({
    category: "disposable",
    credits_used: 0,
    test: true,
  });
  const refused = await call(`out_of_credits@${DOMAIN}`);
  expect(refused.status()).toBe(403);

  const log = page.getByRole("region", { name: "Request log" });
  await log.scrollIntoViewIfNeeded();
  await log.getByLabel("Key").selectOption(name);
  await expect(async () => {
    await log.getByRole("button", { name: "Refresh" }).click();
    await expect(log.getByRole("listitem")).toHaveCount(2, { timeout: 3_000 });
  }).toPass();
  await expect(log.getByRole("listitem").first()).toContainText("403");
  await log.getByLabel("Status").selectOption("4xx");
  await expect(log.getByRole("listitem")).toHaveCount(1);
  await log.getByRole("button", { name: "POST /api/v1/validate/single" }).click();
  const detail = page.getByRole("dialog");
  await expect(detail.getByText("QUOTA_EXCEEDED").first()).toBeVisible();
  await expect(detail.getByLabel("Request id")).toHaveText(refused.headers()["x-request-id"] ?? "");
  await expect(detail.getByText("Buy credits, or send less.")).toBeVisible();
  await expect(detail.getByText("[redacted]").first()).toBeVisible();
  await expect(detail.getByText("out_of_credits")).toHaveCount(0);
  await detail.getByRole("button", { name: "Close dialog" }).click();

  await log.getByLabel("Status").selectOption("");
  await log.getByLabel("Request id").fill(answered.headers()["x-request-id"] ?? "");
  await expect(log.getByRole("listitem")).toHaveCount(1);
  await expect(log.getByRole("listitem")).toContainText("200");
  await log.getByLabel("Path").fill("/nowhere");
  await expect(log.getByText("No requests match")).toBeVisible();
  await log.getByRole("button", { name: "Clear filters" }).click();
  await expect(log.getByRole("listitem").first()).toBeVisible();

  await page.getByRole("button", { name: `More actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: `Revoke ${name}` }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: `More actions for ${name}` })).toHaveCount(0);
  expect((await call(`valid@${DOMAIN}`)).status()).toBe(401);
});
