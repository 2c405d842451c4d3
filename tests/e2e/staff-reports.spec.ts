import { readFile } from "node:fs/promises";

import { expect, type Page } from "@playwright/test";

import { signInByCall, PATIENTLY, test, validateFile } from "./cast";
import { signUp } from "./newcomer";

const SAM = "sam@emailcheck.app";

async function open(page: Page, query: string): Promise<void> {
  await signInByCall(page, SAM);
  await page.goto(`/admin?${query}`);
}

/** The figure of a card, as a number. */
async function figure(page: Page, name: string): Promise<number> {
  const card = page.locator(".stat-card").filter({ has: page.getByText(name, { exact: true }) });
  const text = await card.locator("dd").first().innerText();
  return Number(text.replace(/[^0-9.]/g, ""));
}

/** Has one address checked by whoever is signed in. */
async function check(page: Page, email: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("token"));
  const headers = { Authorization: `Bearer ${token ?? ""}` };
  const answer = await page.request.post("/api/validate/single", {
    headers,
    data: { email },
  });
  expect(answer.status()).toBe(200);
}

test("[ADM-101] [ADM-102] [ADM-103] the totals follow what is checked", async ({ page }) => {
  await open(page, "tab=overview");
  await expect(page.getByRole("heading", { name: "Advanced Analytics" })).toBeVisible();
  const before = await figure(page, "Total Validations");
  expect(await figure(page, "Total Users")).toBeGreaterThanOrEqual(3);
  await check(page, "ida.holm@harborquill.com");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Advanced Analytics" })).toBeVisible();
  await expect(async () => {
    expect(await figure(page, "Total Validations")).toBeGreaterThan(before);
  }).toPass();
});

test("[ADM-111] [ADM-114] [ADM-120] charts and figures of a range", async ({ page }) => {
  await open(page, "tab=overview");
  await check(page, "ida.holm@harborquill.com");
  await page.reload();
  for (const [words, range] of [
    ["7 Days", "7d"],
    ["90 Days", "90d"],
    ["1 Year", "1y"],
  ] as const) {
    const asked = page.waitForRequest((sent) =>
      sent.url().includes(`/api/analytics/advanced?range=${range}`),
    );
    await page.getByRole("button", { name: words }).click();
    const request = await asked;
    expect(request.url()).toContain("_t=");
    expect((await request.allHeaders())["cache-control"]).toBe("no-cache");
    await expect(page).toHaveURL(new RegExp(`days=${range}`));
  }
  for (const chart of ["Category Breakdown", "Monthly Stats", "Performance", "Validation Trends"]) {
    await page.getByRole("button", { name: chart }).click();
    await expect(page.getByRole("region", { name: chart }).locator("svg.recharts-surface")).toBeVisible();
  }
  for (const card of ["Total Validations", "Accuracy Rate", "Avg Response Time", "Satisfaction"])
    await expect(page.locator(".stat-card").filter({ hasText: card }).last()).toBeVisible();
  await expect(page.getByText("conclusive results", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Quick Stats" })).toContainText("Valid");
  await expect(page.getByRole("region", { name: "System Health" })).toContainText("API calls today (UTC)");
});

test("[ADM-122] the figures of a range are exported", async ({ page }) => {
  await open(page, "tab=overview&days=1y");
  for (const kind of ["csv", "json"] as const) {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: `Export ${kind.toUpperCase()}` }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`analytics-1y.${kind}`);
    expect(await readFile(await file.path(), "utf8")).toContain("validations");
  }
});

test("[ADM-123] [ADM-124] analytics that fail show no figure and can be tried again", async ({ page }) => {
  await page.route("**/api/analytics/advanced**", (route) => route.fulfill({ json: { overview: {} } }));
  await open(page, "tab=overview");
  const failed = page.getByRole("alert").filter({ hasText: "Failed to load analytics" });
  await expect(failed).toBeVisible();
  await expect(page.getByRole("button", { name: "Export CSV" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Export JSON" })).toBeDisabled();
  await expect(page.getByText("Accuracy Rate")).toHaveCount(0);
  await page.unroute("**/api/analytics/advanced**");
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Accuracy Rate")).toBeVisible();
  await expect(page.getByRole("button", { name: "Export CSV" })).toBeEnabled();
});

test("[ADM-401] [ADM-402] [ADM-403] a payment shows in revenue, and below in payments", async ({
  page,
  browser,
}) => {
  await signUp(page);
  await page.goto("/dashboard?tab=pricing&pricing=payasyougo");
  await page.getByRole("button", { name: "Buy 5,000 credits" }).click();
  await page.waitForURL(/\/sandbox\/paypal\//);
  await page.getByRole("button", { name: /^(Pay|Agree)/ }).click();
  await page.waitForURL(/\/account-settings/);
  const staff = await browser.newPage();
  await open(staff, "tab=revenue");
  const newest = staff.getByRole("region", { name: "Recent Transactions" }).getByRole("row");
  await expect(newest.filter({ hasText: "$59.00" }).first()).toContainText("Completed");
  await expect(staff.getByRole("region", { name: "Revenue Breakdown by Plan" })).toContainText(
    "Credit packs",
  );
  for (const card of ["Total Revenue", "Monthly Recurring Revenue", "Avg Customer Value", "Churn Rate"])
    await expect(staff.locator(".stat-card").filter({ hasText: card })).toBeVisible();
  expect(await figure(staff, "Total Revenue")).toBeGreaterThanOrEqual(59);
  await staff.getByRole("button", { name: "All time" }).click();
  await expect(staff).toHaveURL(/period=all/);
  await staff.getByRole("link", { name: "See them under Payments" }).click();
  await expect(staff.getByLabel("State")).toHaveValue("refunded");
  await staff.close();
});

test.describe("with refusals", () => {
  test.use({ refusalsExpected: true });

  test("[ADM-405] revenue that fails shows no figure and can be tried again", async ({ page }) => {
    await page.route("**/api/admin/revenue**", (route) => route.fulfill({ status: 404, json: {} }));
    await open(page, "tab=revenue");
    const failed = page.getByRole("alert").filter({ hasText: "Failed to load revenue" });
    await expect(failed).toBeVisible();
    await expect(page.getByText("Churn Rate")).toHaveCount(0);
    await page.unroute("**/api/admin/revenue**");
    await failed.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("Churn Rate")).toBeVisible();
  });

  test("[ADM-601] [ADM-602] [ADM-605] providers are asked on opening and on demand; a failure keeps what was read", async ({
    page,
  }) => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/admin/api-credits")) asked.push(request.url());
    });
    await open(page, "tab=overview");
    await expect(page.getByRole("heading", { name: "Feedback" })).toBeVisible();
    expect(asked).toHaveLength(0);
    await page.getByRole("tab", { name: "API Credits" }).click();
    const card = page.getByRole("region", { name: "ZeroBounce" });
    await expect(card).toContainText("Not configured");
    await expect(card).toContainText("Unknown");
    await expect(card).toContainText("Starter, Growth, Pro, Enterprise");
    expect(asked).toHaveLength(1);
    await page.getByRole("tab", { name: "Overview" }).click();
    await page.getByRole("tab", { name: "API Credits" }).click();
    await expect(card).toBeVisible();
    expect(asked).toHaveLength(1);
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect.poll(() => asked.length).toBe(2);
    await page.route("**/api/admin/api-credits", (route) => route.fulfill({ status: 404, json: {} }));
    await page.getByRole("button", { name: "Refresh" }).click();
    const failed = page.getByRole("alert").filter({ hasText: "Failed to load API credits" });
    await expect(failed).toContainText("These values are from");
    await expect(card).toBeVisible();
    await page.unroute("**/api/admin/api-credits");
    await failed.getByRole("button", { name: "Retry" }).click();
    await expect(failed).toHaveCount(0);
  });

  test("[ADM-608] [ADM-017] a provider's daily budget is set, and what it cost is shown", async ({
    page,
  }) => {
    await open(page, "tab=api-credits");
    const row = page.getByRole("row", { name: /Kickbox/ });
    await expect(row).toContainText("Not connected");
    await row.getByRole("button", { name: "Change Kickbox" }).click();
    const dialog = page.getByRole("dialog", { name: "Change Kickbox" });
    await dialog.getByLabel("Questions a day").fill("many");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toContainText("Enter a whole number, or leave it empty.");
    await dialog.getByLabel("Questions a day").fill("4321");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row).toContainText("4,321");
  });
});

test("[ADM-125] a finished list is rated once, and staff read it", async ({ page, browser }) => {
  await signUp(page);
  await page.goto("/dashboard");
  await validateFile(page, {
    name: "rated.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("email\nida.holm@harborquill.com\ngone.holm@harborquill.com\n"),
  });
  await page.getByRole("link", { name: "View Results" }).click(PATIENTLY);
  const prompt = page.getByRole("region", { name: "How did this list go?" });
  await prompt.getByRole("button", { name: "4 of 5: Good" }).click();
  const words = `Rated at ${Date.now()}`;
  await prompt.getByLabel("What could be better? (optional)").fill(words);
  await prompt.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Thank you for your feedback")).toBeVisible();
  await expect(prompt).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: "Download", exact: true })).toBeVisible();
  await expect(prompt).toHaveCount(0);
  const staff = await browser.newPage();
  await open(staff, "tab=overview&about=bat_");
  await expect(staff.getByRole("row").filter({ hasText: words })).toContainText("4 of 5");
  await staff.close();
});

test("[PUB-092] [SET-056] claims are edited, and each mail is looked at, under System Admin", async ({
  browser,
}) => {
  // A page without the checks of the cast: those would run a script in the frame of the mail, which lets none run.
  const page = await browser.newPage();
  await open(page, "tab=system");
  await page.getByRole("button", { name: "Addresses checked per hour in a list" }).click();
  const dialog = page.getByRole("dialog", {
    name: "Addresses checked per hour in a list",
  });
  const source = `Benchmark ${Date.now()}`;
  await dialog.getByLabel("Source").fill(source);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Claims saved")).toBeVisible();
  await expect(
    page.getByRole("row").filter({ hasText: "Addresses checked per hour in a list" }),
  ).toContainText(source);
  await page.getByRole("button", { name: /^Welcome to/ }).click();
  const mail = page.getByRole("dialog", { name: /^Welcome to/ });
  const html = await mail.locator("iframe").getAttribute("src");
  expect(await (await page.request.get(html ?? "")).text()).toContain("Welcome to");
  await mail.getByRole("button", { name: "Text" }).click();
  await expect(mail.locator("pre")).toContainText("http");
  await page.close();
});
