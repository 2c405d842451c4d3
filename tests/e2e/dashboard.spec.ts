import { expect, type Page } from "@playwright/test";

import { BOB, signInByCall, signIn, test } from "./cast";

const TABS = ["Validate", "History", "Campaigns", "Upgrade", "Analytics", "Refer Friends", "Custom packages"];
const KEYS = ["validate", "history", "campaigns", "pricing", "analytics", "referrals", "custom-packages"];

async function check(page: Page, ...emails: string[]): Promise<void> {
  await page.evaluate(async (addresses) => {
    const headers = {
      Authorization: `Bearer ${localStorage.getItem("token") ?? ""}`,
      "Content-Type": "application/json",
    };
    for (const email of addresses) {
      await fetch("/api/validate/single", {
        method: "POST",
        headers,
        body: JSON.stringify({ email }),
      });
    }
  }, emails);
}

test("[DASH-003] [DASH-021] every tab has its link, its heading and its address", async ({ page }) => {
  await signIn(page);
  const main = page.getByRole("navigation", { name: "Main" });
  await expect(main.getByRole("link")).toHaveText([...TABS, "Sandbox"]);
  for (const [index, key] of KEYS.entries()) {
    await page.goto(`/dashboard?tab=${key}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(TABS[index] ?? "");
    await expect(main.locator("[aria-current=page]")).toHaveText(TABS[index] ?? "");
  }
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Custom packages");
});

test("[DASH-002] the page says that it loads until its script is there", async ({ page }) => {
  await signInByCall(page);
  const source = await (await page.request.get("/dashboard?tab=history")).text();
  expect(source).toContain('role="status">Loading dashboard...</p>');
});

test("[DASH-008] [DASH-017] the header welcomes by name and leads on", async ({ page }) => {
  await signIn(page);
  const header = page.getByRole("banner");
  await expect(header.getByText("Welcome, Alice Alder")).toBeVisible();
  await expect(header.getByRole("link", { name: "API" })).toHaveAttribute("href", "/api-docs");
  await expect(header.getByRole("link", { name: "Settings" })).toHaveAttribute("href", "/account-settings");
  await expect(header.getByRole("button", { name: "Logout" })).toBeVisible();
});

test("[DASH-006] [DASH-019] the overview follows what is checked, and exports it", async ({ page }) => {
  await signIn(page);
  const overview = page.getByRole("complementary").getByRole("region", { name: "Overview" });
  await expect(overview.getByText("Growth")).toBeVisible();
  await check(page, "anna.keller@gmail.com", "gone.keller@gmail.com");
  await page.goto("/dashboard?tab=history");
  await expect(page.getByRole("heading", { name: "Overall categories" })).toBeVisible();
  await expect(overview.getByRole("progressbar", { name: "Monthly usage" })).toBeVisible();
  await overview.getByRole("button", { name: "Export Summary" }).click();
  await expect(page.getByText("Summary report exported!")).toBeVisible();
  const download = page.waitForEvent("download");
  await overview.getByRole("button", { name: "Export Valid Emails" }).click();
  expect((await download).suggestedFilename()).toMatch(/^valid-emails-\d{4}-\d\d-\d\d\.csv$/);
  await expect(page.getByText(/^Exported \d+ emails successfully$/)).toBeVisible();
});

test("[DASH-011] [DASH-012] [DASH-023] Campaigns says that it is coming, and both buttons work", async ({
  page,
}) => {
  await signInByCall(page);
  await page.goto("/dashboard?tab=campaigns");
  await expect(page.getByRole("heading", { name: "Coming Soon" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveText([
    "Campaign builder with templates",
    "Segmentation",
    "Real-time analytics",
    "A/B testing",
    "Automated follow-ups",
  ]);
  const early = page.getByRole("link", { name: "Request Early Access" });
  await expect(early).toHaveAttribute("href", /^mailto:support@emailcheck\.app\?subject=/);
  await page.getByRole("link", { name: "Start Validating Emails" }).click();
  await expect(page).toHaveURL(/tab=validate$/);
});

test("[DASH-013] [DASH-020] Analytics draws charts, in every range, and exports them", async ({ page }) => {
  await signInByCall(page);
  await check(page, "anna.keller@gmail.com", "gone.keller@gmail.com");
  await page.goto("/dashboard?tab=analytics");
  const usage = page.getByRole("group", { name: /^Validations by day/ });
  await expect(usage.locator(".recharts-bar")).toHaveCount(6);
  await expect(page.getByRole("list", { name: "Results by category" }).getByRole("listitem")).toHaveCount(6);
  await page.getByRole("button", { name: "1 Year" }).click();
  await expect(page).toHaveURL(/range=1y/);
  await expect(page.getByRole("group", { name: /^Validations by (day|week)/ })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("button", { name: "30 Days" })).toHaveAttribute("aria-pressed", "true");
  await page.getByText("Show data table").first().click();
  await expect(page.getByRole("columnheader", { name: "Day (UTC)" })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toBe("analytics-30d.csv");
});

test("[DASH-020] below Growth there is a hint in place of the advanced part", async ({ page }) => {
  await signInByCall(page, BOB);
  await page.goto("/dashboard?tab=analytics");
  await expect(page.getByText(/^Advanced analytics are available from the Growth plan/)).toBeVisible();
  await expect(page.getByRole("button", { name: "7 Days" })).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Upgrade" }).click();
  await expect(page).toHaveURL(/tab=pricing$/);
});

test.describe("with a failed load", () => {
  test.use({ refusalsExpected: true });

  test("[DASH-018] the tabs stay usable and Retry helps", async ({ page }) => {
    await signInByCall(page);
    const failing = "**/api/analytics/dashboard";
    await page.route(failing, (route) => route.fulfill({ status: 403, json: { detail: "Not now" } }));
    await page.goto("/dashboard?tab=campaigns");
    const panel = page.getByRole("complementary").getByRole("alert", { name: "Overview" });
    await expect(panel.getByText("Not now")).toBeVisible();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Validate" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Validate");
    await page.unroute(failing);
    await panel.getByRole("button", { name: "Retry" }).click();
    await expect(panel).toHaveCount(0);
  });
});

test("[VAL-027] [VAL-048] the history finds addresses by their beginning and by domain", async ({ page }) => {
  await signInByCall(page);
  await check(page, "ida.holm@harborquill.com", "anna.keller@gmail.com");
  await page.goto("/dashboard?tab=history");
  const search = page.getByRole("searchbox", { name: "Search history" });
  await search.fill("@harborquill.com");
  await expect(page).toHaveURL(/search=%40harborquill\.com/);
  await expect(page.getByRole("heading", { name: "ida.holm@harborquill.com" }).first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "anna.keller@gmail.com" })).toHaveCount(0);
  await search.fill("nobody-here");
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Sort by").selectOption("Name, A to Z");
  await expect(page.getByRole("heading", { name: "anna.keller@gmail.com" }).first()).toBeVisible();
});
