import { expect } from "@playwright/test";

import { signInByCall, test } from "./cast";

test("[PRC-011] [PRC-012] [PRC-014] the tab Upgrade shows the plan, the prices and the packs", async ({
  page,
}) => {
  await signInByCall(page);
  await page.goto("/dashboard?tab=pricing");
  await expect(page.getByText("You are on Growth")).toBeVisible();
  await expect(page.getByRole("button", { name: "Current Plan" })).toBeDisabled();
  await page.getByRole("button", { name: "Yearly" }).click();
  await expect(page.getByText("$787 billed yearly")).toBeVisible();
  await page.getByRole("button", { name: "Pay As You Go" }).click();
  await expect(page.getByText("$0.0072 per credit, never expires")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Best Value")).toBeVisible();
});

test("[PRC-036] [SUB-001] [DASH-024] the subscription tab shows credits, movements and alerts", async ({
  page,
}) => {
  await signInByCall(page);
  await page.goto("/account-settings?tab=subscription");
  await expect(page.getByRole("cell", { name: "Demo credits of the sandbox" })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^credits-\d{4}-\d{2}\.csv$/);
  const saved = page.waitForResponse(
    (answer) => answer.request().method() === "PUT" && answer.url().endsWith("/api/user/usage-alerts"),
  );
  const at80 = page.getByRole("checkbox", { name: /At 80%/ });
  const wasChecked = await at80.isChecked();
  await at80.click();
  expect((await saved).ok()).toBe(true);
  await page.reload();
  await expect(at80).toBeChecked({ checked: !wasChecked });
});
