// What a customer does with an empty page and with many rows; phones with a notch; pictures.
import { expect, type Page } from "@playwright/test";

import { callApi } from "./calls";
import { ALICE, signInByCall, test } from "./cast";
import { signUp } from "./newcomer";

const PHONE = { width: 390, height: 844 };

test("[look-14] one press fills the empty Analytics, and History with it", async ({ page }) => {
  await signUp(page);
  await page.goto("/dashboard?tab=analytics");
  await page.getByRole("button", { name: "Check a sample list" }).click();
  await expect(page.getByRole("region", { name: "Overview of the range" })).toContainText("8");
  await expect(page).toHaveURL(/tab=analytics$/);
  await page.goto("/dashboard?tab=history");
  await expect(page.getByRole("article")).toHaveCount(1);
});

test("[look-14] one press fills the empty History", async ({ page }) => {
  await signUp(page);
  await page.goto("/dashboard?tab=history");
  await page.getByRole("button", { name: "Check a sample list" }).click();
  await expect(page.getByRole("article")).toContainText("8 addresses");
  await expect(page).toHaveURL(/tab=history$/);
});

test("[look-04] History: keys go from card to card, and what is chosen is dealt with together", async ({
  page,
}) => {
  await signUp(page);
  await callApi(page, "POST", "/api/validate/bulk", { emails: ["anna.keller@gmail.com"] });
  await callApi(page, "POST", "/api/validate/single", { email: "gone.keller@gmail.com" });
  await callApi(page, "POST", "/api/validate/single", { email: "james.wilson@harborquill.com" });
  await page.goto("/dashboard?tab=history");
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(3);

  await page.keyboard.press("j");
  await expect(cards.first().getByRole("link", { name: "Results" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Validation Details" })).toBeVisible();
  await page.keyboard.press("Escape");

  const head = page.getByRole("heading", { name: "Overall categories" });
  const before = await head.boundingBox();
  await cards.first().getByRole("checkbox").check();
  await cards.nth(1).getByRole("checkbox").check();
  const bar = page.getByRole("group", { name: "Selected rows" });
  await expect(bar).toContainText("2 selected");
  expect((await head.boundingBox())?.y).toBe(before?.y);
  const file = page.waitForEvent("download");
  await bar.getByRole("button", { name: "Download" }).click();
  expect((await file).suggestedFilename()).toMatch(/^chosen-results-.*\.csv$/);
  await bar.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 1 list and 1 single validation?" });
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Deleted 1 list and 1 single validation")).toBeVisible();
  await expect(cards).toHaveCount(1);
  await expect(bar).toHaveCount(0);
});

test("[look-12] on a phone 90 days are drawn by week, which the axis says", async ({ page }) => {
  await signInByCall(page, ALICE);
  await page.route("**/api/analytics/advanced**", async (route) => {
    const answer = (await (await route.fetch()).json()) as { overview: { totalValidations: number } };
    const categories = { valid: 9, catch_all: 0, unknown: 0, disposable: 0, spam_trap: 0, invalid: 1 };
    const dailyUsage = Array.from({ length: 90 }, (_, index) => ({
      date: new Date(Date.now() - (89 - index) * 86_400_000).toISOString().slice(0, 10),
      ...{ validations: 10, valid: 9, unknown: 0, invalid: 1, accuracy: 100, categories },
    }));
    const previousUsage = dailyUsage.map(({ date }) => ({ date, validations: 5, accuracy: 100 }));
    answer.overview.totalValidations = 900;
    const json = { ...answer, usagePatterns: { dailyUsage, previousUsage, firstDay: null } };
    await route.fulfill({ json });
  });
  await page.setViewportSize(PHONE);
  await page.goto("/dashboard?tab=analytics&range=90d");
  const usage = page.getByRole("region", { name: "Daily usage" });
  await expect(usage.getByText("By week, from its first day")).toBeVisible();
  const bars = usage.locator(".recharts-bar").first().locator(".recharts-bar-rectangle");
  await expect(bars).toHaveCount(13);
  const swatch = usage.locator(".legend .tone-ghost");
  const width = await swatch.evaluate((item) => getComputedStyle(item, "::before").width);
  expect(parseFloat(width)).toBeGreaterThanOrEqual(24);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(bars).toHaveCount(90);
});

test("[look-15] the Help Center tab has its sections in a bar that stays", async ({ page }) => {
  await signInByCall(page, ALICE);
  await page.setViewportSize(PHONE);
  await page.goto("/account-settings?tab=help");
  const bar = page.getByRole("navigation", { name: "On this page" });
  await expect(bar.getByRole("link")).toHaveText(["Contact", "Quick answers", "Read on"]);
  await bar.getByRole("link", { name: "Quick answers" }).click();
  await expect(bar.getByRole("link", { name: "Quick answers" })).toHaveAttribute("aria-current", "location");
  await expect(page.getByRole("heading", { name: "Quick answers" })).toBeInViewport();
  await expect(bar).toBeInViewport();
});

/** Has the page believe that a notch and the bars of the system take so much of the screen. */
async function setInsets(
  page: Page,
  insets: { top?: number; bottom?: number; left?: number; right?: number },
) {
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setSafeAreaInsetsOverride", { insets });
}

function readEdges(page: Page, selector: string) {
  return page
    .locator(selector)
    .first()
    .evaluate((node) => {
      const { top, bottom, left, right } = node.getBoundingClientRect();
      return { top, bottom, left, right };
    });
}

test("[look-10] nothing lies below a notch or the bar of the system", async ({ page }) => {
  await signInByCall(page, ALICE);
  await page.setViewportSize(PHONE);
  await setInsets(page, { top: 47, bottom: 34 });
  await page.goto("/account-settings?tab=help");
  const viewport = page.locator('meta[name="viewport"]');
  await expect(viewport).toHaveAttribute("content", /viewport-fit=cover/);
  expect((await readEdges(page, ".topbar .brand")).top).toBeGreaterThanOrEqual(47);
  expect((await readEdges(page, ".phone-bar > a")).bottom).toBeLessThanOrEqual(PHONE.height - 34);
  await expect(page.getByRole("heading", { name: "Read on" })).toBeAttached();
  await page.evaluate(() => scrollTo(0, 400));
  await expect.poll(async () => (await readEdges(page, ".section-nav")).top).toBe(103);
});

test("[look-10] nothing lies below a notch at the side", async ({ page }) => {
  await signInByCall(page, ALICE);
  await page.setViewportSize({ width: PHONE.height, height: PHONE.width });
  await setInsets(page, { left: 47, right: 47, bottom: 21 });
  for (const address of ["/dashboard", "/"]) {
    await page.goto(address);
    for (const part of ["header", "main"]) {
      const { left, right } = await readEdges(page, part);
      expect([left, right], part).toEqual([47, PHONE.height - 47]);
    }
  }
});

test("the pictures of the steps and the walkthrough fill nothing with the accent", async ({ page }) => {
  await page.goto("/");
  const shapes = page.locator(".picture, .walk-scene > svg").locator("rect, circle, path, text");
  const fills = await shapes.evaluateAll((all) => all.map((shape) => getComputedStyle(shape).fill));
  const tick = page.locator(".picture .p-tick");
  const accent = await tick.evaluate((path) => getComputedStyle(path).stroke);
  expect(fills.length).toBeGreaterThan(50);
  expect(fills).not.toContain(accent);
  const glyphs = page.locator(".picture .glyph, .walk-scene .glyph");
  await expect(glyphs).toHaveCount(9);
});
