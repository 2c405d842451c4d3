// Charts, empty states, and what forced colours leave of bars, meters and marks.
import { expect, type Page } from "@playwright/test";

import { BOB, signInByCall, test } from "./cast";

const TODAY = new Date().toISOString().slice(0, 10);

async function check(page: Page, ...emails: string[]): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("token"));
  for (const email of emails) {
    const answer = await page.request.post("/api/validate/single", {
      headers: { Authorization: `Bearer ${token ?? ""}` },
      data: { email },
    });
    expect(answer.status()).toBe(200);
  }
}

async function openAnalytics(page: Page): Promise<void> {
  await signInByCall(page);
  await check(page, "anna.keller@gmail.com", "gone.keller@gmail.com");
  await page.goto("/dashboard?tab=analytics");
  await expect(page.locator(".recharts-bar-rectangle").first()).toBeVisible();
}

test("[look-12] six categories in one order, even ticks, no day before the first, and a way into History", async ({
  page,
}) => {
  await openAnalytics(page);
  const usage = page.getByRole("region", { name: "Daily usage" });
  const order = ["Valid", "Catch-all", "Unknown", "Invalid", "Disposable", "Spam trap"];
  expect((await usage.getByRole("listitem").allInnerTexts()).slice(0, 6)).toEqual(order);
  await expect(usage.locator(".recharts-bar")).toHaveCount(6);
  const side = await usage.locator(".recharts-yAxis-tick-labels .recharts-text").allTextContents();
  const ticks = side.map((text) => Number(text.replace(",", "")));
  const step = ticks[1] ?? 0;
  expect(["1", "2", "5"]).toContain(String(step).charAt(0));
  expect(ticks).toEqual(ticks.map((_, index) => index * step));
  const bars = page.getByRole("list", { name: "Results by category" });
  await expect(bars.getByRole("link")).toContainText(order);
  const hatch = bars.getByRole("listitem").nth(2).locator(".bar > span");
  expect(await hatch.evaluate((bar) => getComputedStyle(bar).backgroundImage)).toContain("repeating-linear");

  await page.getByRole("application", { name: /^Validations by day/ }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(usage.locator(".chart-tooltip")).toContainText("Total");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/tab=history&from=(\d{4}-\d\d-\d\d)&to=\1$/);

  await page.goBack();
  await bars.getByRole("link", { name: /^Invalid/ }).click();
  await expect(page).toHaveURL(new RegExp(`to=${TODAY}&category=invalid$`));
  await expect(page.getByLabel("To day (UTC)")).toHaveValue(TODAY);
  const cards = page.getByRole("article");
  await expect(cards.filter({ hasText: "gone.keller@gmail.com" }).first()).toBeVisible();
  await expect(cards.filter({ hasText: "anna.keller@gmail.com" })).toHaveCount(0);
});

test("[look-12] a press on a bar opens its day", async ({ page }) => {
  await openAnalytics(page);
  await page.locator(".recharts-bar-rectangle path").last().click();
  await expect(page).toHaveURL(new RegExp(`tab=history&from=${TODAY}&to=${TODAY}&category=[a-z_]+$`));
});

test("[look-14] where nothing has begun there is the dashed trace and one action, and no icon", async ({
  page,
}) => {
  await signInByCall(page, BOB);
  await page.route("**/api/validate/batches**", async (route) => {
    const answer = await route.fetch();
    const nothing = {
      batches: [],
      individual_validations: [],
      batches_total: 0,
      individual_total: 0,
    };
    await route.fulfill({
      json: { ...((await answer.json()) as object), ...nothing },
    });
  });
  await page.goto("/dashboard?tab=history");
  const state = page.locator(".state");
  await expect(state.getByRole("heading", { name: "No Validation History" })).toBeVisible();
  await expect(state.locator("svg")).toHaveCount(1);
  await expect(state.locator(".trace-blank .trace-hollow")).toHaveCount(6);
  await expect(state.getByRole("link")).toHaveText(["Start Validating"]);
  await page.goto("/dashboard?tab=history&search=nobody");
  await expect(state.getByRole("button", { name: "Clear filters" })).toBeVisible();
  await expect(state.locator("svg")).toHaveCount(0);
});

test("[look-12] forced colours keep bars, meters, the current page and the pressed segment", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await openAnalytics(page);
  const read = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property);
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const seen = ".category-bars .tone-valid .bar > span";
  expect(await read(seen, "forced-color-adjust")).toBe("none");
  expect(await read(seen, "background-color")).not.toBe(ground);
  expect(await read(".category-bars .tone-invalid .bar > span", "background-image")).toContain("gradient");
  expect(await read(".category-bars .bar", "border-top-width")).toBe("1px");
  expect(await read(".credit-meter > div", "background-color")).not.toBe(ground);
  expect(await read(".fill.tone-valid rect", "fill")).not.toBe(await read(".fill.tone-invalid rect", "fill"));
  expect(await read(".fill.tone-invalid path", "stroke")).not.toBe("none");
  for (const marked of ['nav a[aria-current="page"]', '.segments [aria-pressed="true"]']) {
    expect(await read(marked, "outline-style")).toBe("solid");
    expect(await read(marked, "outline-width")).toBe("2px");
  }
});
