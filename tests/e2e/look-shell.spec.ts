// The frame around every page behind the sign-in: the palette, keys, stops of Tab, the bar of phones, toasts.
import { expect, type Page } from "@playwright/test";

import { callApi } from "./calls";
import { ALICE, BOB, signIn, signInByCall, test } from "./cast";
import { expectReadable } from "./page-checks";

const SAM = "sam@emailcheck.app";
const PHONE = { width: 390, height: 844 };

function palette(page: Page) {
  return page.getByRole("dialog", { name: "Search and commands" });
}

test("[look-07] the palette finds lists, settings and documents, and checks an address", async ({ page }) => {
  await signIn(page);
  await callApi(page, "POST", "/api/validate/single", {
    email: "ida.holm@harborquill.com",
  });
  await page.getByRole("button", { name: "Search or check an address" }).click();
  await expect(palette(page).getByRole("option", { name: /^Validate/ })).toBeVisible();
  await page.keyboard.type("ida.holm");
  await expect(
    palette(page)
      .getByRole("option", { name: /ida\.holm@harborquill\.com/ })
      .first(),
  ).toBeVisible();
  await palette(page).getByRole("combobox").fill("webhooks");
  await expect(
    palette(page).getByRole("group", { name: "Documentation" }).getByRole("option").first(),
  ).toBeVisible();
  await palette(page)
    .getByRole("group", { name: "Settings" })
    .getByRole("option", { name: "Webhooks" })
    .click();
  await expect(page).toHaveURL(/account-settings\?tab=profile#webhooks$/);

  await page.keyboard.press("Control+k");
  const recent = palette(page).getByRole("group", { name: "Recent" });
  await expect(recent.getByRole("option")).toHaveText(["Webhooks"]);
  await palette(page).getByRole("combobox").fill("qqqq zzzz");
  await expect(palette(page).getByRole("status")).toHaveText("Nothing found for “qqqq zzzz”.");
  await expectReadable(page);
  await palette(page).getByRole("combobox").fill("check gone.keller@gmail.com");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard\/result\/res_\w+$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("gone.keller@gmail.com");
});

test.describe("with a search that fails", () => {
  test.use({ refusalsExpected: true });

  test("[look-07] the palette says what it did not search, and tries again", async ({ page }) => {
    await signInByCall(page);
    await page.goto("/dashboard?tab=campaigns");
    await page.route("**/api/validate/batches*", (route) => route.fulfill({ status: 403, json: {} }));
    await page.keyboard.press("Control+k");
    await palette(page).getByRole("combobox").fill("newsletter");
    await expect(palette(page).getByRole("alert")).toContainText("Not searched: your lists and addresses.");
    await page.unroute("**/api/validate/batches*");
    await palette(page).getByRole("button", { name: "Try again" }).click();
    await expect(palette(page).getByRole("alert")).toHaveCount(0);
  });
});

test("[look-08] single keys go, start a check, export and change the theme, until they are turned off", async ({
  page,
}) => {
  await signInByCall(page, BOB);
  await page.goto("/dashboard?tab=campaigns");
  const main = page.getByRole("navigation", { name: "Main" });
  await expect(main.getByRole("link", { name: "History" })).toHaveAttribute("title", "Keys: g, then h");
  await expect(main.getByRole("link", { name: "History" })).toHaveAttribute("tabindex", "-1");
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page).toHaveURL(/tab=history$/);
  await expect(page.getByRole("button", { name: "Export history" })).toHaveAttribute("title", "Key: e");
  await page.keyboard.press("e");
  await expect(page.getByText("No validation data to export")).toBeVisible();
  await page.keyboard.press("t");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/tab=validate$/);
  await expect(page.locator('[data-key="n"]')).toBeFocused();
  await page.keyboard.type("nt");
  await expect(page.locator('[data-key="n"]')).toHaveValue("nt");

  await page.locator("main h1").click();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys.locator("kbd").first()).toHaveText("Ctrl");
  await expect(keys.getByText("Go to History").locator("xpath=..").locator("kbd")).toHaveText(["g", "h"]);
  await keys.getByRole("switch", { name: /Single keys/ }).press("Space");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

/** How often Tab stops before the focus is in the content. */
async function countStops(page: Page): Promise<number> {
  for (let stops = 0; stops < 40; stops += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.closest("main") !== null)) return stops;
  }
  return Infinity;
}

test("[look-09] the content is eight stops of Tab away at most, and arrows reach the rest", async ({
  page,
}) => {
  await signIn(page);
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/validate/single", {
    email: "anna.keller@gmail.com",
  });
  for (const address of [
    "/dashboard",
    "/dashboard?tab=history",
    `/dashboard/result/${id}`,
    "/account-settings",
  ]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("main .skeleton, main .page-loading, .sidebar .skeleton")).toHaveCount(0);
    expect(await countStops(page), address).toBeLessThanOrEqual(8);
  }

  await page.goto("/dashboard?tab=history");
  const main = page.getByRole("navigation", { name: "Main" });
  await expect(main.getByRole("link", { name: "Validate" })).toHaveAttribute("tabindex", "-1");
  await main.getByRole("link", { name: "History" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(main.getByRole("link", { name: "Campaigns" })).toBeFocused();
  await page.keyboard.press("Home");
  await expect(main.getByRole("link", { name: "Validate" })).toBeFocused();
  await page.getByRole("button", { name: "Export Summary" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: "Export Valid Emails" })).toBeFocused();
});

test("[look-09] [look-10] staff have the same frame: eight stops, the account's menu, four targets on phones", async ({
  page,
}) => {
  await signInByCall(page, SAM);
  await page.goto("/admin?tab=users");
  await expect(page.locator("[data-record]").first()).toBeVisible();
  expect(await countStops(page)).toBeLessThanOrEqual(8);
  await page.getByRole("button", { name: "Account menu" }).click();
  const menu = page.getByRole("group", { name: "Account menu" });
  await expect(menu.getByText(SAM)).toBeVisible();
  await expect(menu.getByRole("button", { name: "Logout" })).toBeVisible();
  await expectReadable(page);
  await page.keyboard.press("Escape");

  await page.setViewportSize(PHONE);
  const bar = page.getByRole("navigation", { name: "Quick access" });
  await expect(bar.getByRole("link")).toHaveText(["Overview", "Users", "Sales"]);
  await expect(bar.locator("[aria-current=page]")).toHaveText("Users");
  await expect(page.getByRole("link", { name: "Back to Main Dashboard" })).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => Object.assign(globalThis, { notLoadedAnew: true }));
  await bar.getByRole("link", { name: "Sales" }).click();
  await expect(page.getByRole("tab", { selected: true })).toHaveText("CRM & Contracts");
  await expect(bar.locator("[aria-current=page]")).toHaveText("Sales");
  await bar.getByRole("button", { name: "Menu" }).click();
  const drawer = page.getByRole("dialog", { name: "Menu" });
  await expectReadable(page);
  await drawer.getByRole("link", { name: "System Admin" }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole("tab", { selected: true })).toHaveText("System Admin");
  expect(await page.evaluate(() => "notLoadedAnew" in globalThis)).toBe(true);
});

test("[look-09] the account has one menu, and its credits are said once, as plan and packs", async ({
  page,
}) => {
  await signIn(page, BOB);
  const credits = await callApi<{
    credits: number;
    plan_credits: number;
    pack_credits: number;
  }>(page, "GET", "/api/credits");
  const overview = page.getByRole("complementary").getByRole("region", { name: "Overview" });
  await expect(page.locator(".credits")).toHaveText([`${credits.credits.toLocaleString("en-US")} credits`]);
  await expect(overview.getByText(`Plan ${credits.plan_credits.toLocaleString("en-US")}`)).toBeVisible();
  await expect(overview.getByText(`Packs ${credits.pack_credits.toLocaleString("en-US")}`)).toBeVisible();

  const opener = page.getByRole("button", { name: "Account menu" });
  await opener.focus();
  await page.keyboard.press("Enter");
  const menu = page.getByRole("group", { name: "Account menu" });
  await expect(menu.getByText(BOB)).toBeVisible();
  await expect(menu.getByRole("link", { name: "API" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(menu.getByRole("link", { name: "Team" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(menu.getByRole("link", { name: "Settings" })).toBeFocused();
  await expect(menu.getByRole("button", { name: "Logout" })).toBeVisible();
  await menu.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expectReadable(page);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();
});

test("[look-09] the current page is told apart where the system forces its colours", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await signIn(page);
  const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]");
  const sign = await current.evaluate((link) => getComputedStyle(link, "::before").content);
  expect(sign).toContain("‹");
});

test("[look-10] on a phone four targets are at the bottom, and toasts at the top cover no badge", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  await signIn(page);
  const bar = page.getByRole("navigation", { name: "Quick access" });
  await expect(bar.getByRole("link")).toHaveText(["Validate", "History", "Analytics"]);
  await expect(bar.locator("[aria-current=page]")).toHaveText("Validate");
  const low = await bar
    .locator("a, button")
    .evaluateAll((targets) =>
      targets
        .filter((target) => target.getBoundingClientRect().height < 44)
        .map(({ textContent }) => textContent),
    );
  expect(low).toEqual([]);
  await page.getByRole("button", { name: /anna\.keller/ }).click();
  const toast = page.locator("[data-sonner-toast]", {
    hasText: "Email validated successfully!",
  });
  await expect(toast).toBeInViewport();
  const badge = page.locator("main .badge-large").first();
  await expect(badge).toBeVisible();
  const bottomOf = async (one: typeof toast) =>
    one.evaluate((element) => element.getBoundingClientRect().bottom);
  const topOf = async (one: typeof toast) => one.evaluate((element) => element.getBoundingClientRect().top);
  expect(await bottomOf(toast)).toBeLessThan(await topOf(badge));
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const end = await page
    .locator("main")
    .evaluate((main) => main.lastElementChild?.getBoundingClientRect().bottom ?? 0);
  expect(end).toBeLessThanOrEqual(await topOf(bar));
  await bar.getByRole("button", { name: "Menu" }).click();
  const drawer = page.getByRole("dialog", { name: "Menu" });
  await expect(drawer.getByRole("region", { name: "Overview" }).getByText("Available credits")).toBeVisible();
  await expectReadable(page);
});

test("[look-18] a toast about an address has the tone of its verdict", async ({ page }) => {
  await signIn(page, ALICE);
  await page.getByRole("button", { name: /gone\.keller/ }).click();
  const toast = page.locator("[data-sonner-toast]", {
    hasText: "Email validated successfully!",
  });
  await expect(toast).toHaveClass(/tone-invalid/);
  await expect(toast).not.toHaveAttribute("data-type", "success");
});
