// Running the system from the staff area.
import { expect, type Page } from "@playwright/test";

import { signInByCall, test } from "./cast";

const SAM = "sam@emailcheck.app";

async function open(page: Page): Promise<void> {
  await signInByCall(page, SAM);
  await page.goto("/admin?tab=system");
  await expect(page.getByRole("heading", { name: "System", exact: true })).toBeVisible();
}

test("[MON-051] [MON-052] figures are measured, and what staff do is on record", async ({ page }) => {
  await open(page);
  const stats = page.getByRole("region", { name: "System", exact: true });
  await expect(stats.getByText(/^\d+(\.\d+)? (KB|MB)$/)).toBeVisible();
  await expect(stats.getByText(/^\d+(\.\d+)?%$/)).toHaveCount(2);
  await page.getByRole("button", { name: "Clear cache" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Clear cache" }).click();
  await expect(page.getByText("Cache cleared").first()).toBeVisible();
  const audit = page.getByRole("region", { name: "Audit" });
  await audit.getByRole("searchbox", { name: "Search actions" }).fill("Cache cl");
  await expect(audit.getByRole("row").nth(1)).toContainText(SAM);
  const activity = page.getByRole("region", { name: "Recent user activity" });
  await activity.getByRole("combobox", { name: "Kind" }).selectOption("staff");
  await activity.getByRole("searchbox", { name: "Search activity" }).fill("sam@");
  await expect(activity.getByRole("row", { name: /Cache cleared/ }).first()).toBeVisible();
  await expect(page).toHaveURL(/who=sam%40/);
});

test("[MON-056] the export of users and the logs are files", async ({ page }) => {
  await open(page);
  for (const [button, action, name] of [
    ["Export user data", "Export", /^users-.*\.csv$/],
    ["Download logs", "Download", /^emailcheck-.*\.log$/],
  ] as const) {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog").getByRole("button", { name: action }).click();
    expect((await download).suggestedFilename()).toMatch(name);
  }
});

test.describe("with failing calls", () => {
  test.use({ refusalsExpected: true });

  test("[MON-057] says what failed, shows no figures, and comes back with Retry", async ({ page }) => {
    let down = true;
    await page.route("**/api/admin/system-stats", (route) =>
      down
        ? route.fulfill({
            status: 404,
            json: { detail: "Out of order", code: "NOT_FOUND" },
          })
        : route.fallback(),
    );
    await open(page);
    const stats = page.getByRole("region", { name: "System", exact: true });
    await expect(stats.getByRole("alert")).toContainText("Out of order");
    await expect(stats.getByText(/%$/)).toHaveCount(0);
    down = false;
    await stats.getByRole("button", { name: "Retry" }).click();
    await expect(stats.getByText(/^\d+(\.\d+)?%$/)).toHaveCount(2);
  });
});
