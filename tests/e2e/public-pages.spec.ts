// Status, help center, blog and newsletter, as visitors use them.
import { expect, type Page } from "@playwright/test";

import { test } from "./cast";
import { expectReadablePage } from "./page-checks";

const entries = (page: Page) => page.locator("details[data-entry]:visible");

test("[PUB-061] [PUB-062] [PUB-063] the help center is searched in the browser", async ({ page }) => {
  await page.goto("/help-center");
  const all = await entries(page).count();
  const search = page.getByRole("searchbox", {
    name: "Search the help center",
  });
  await search.fill("HMAC whsec");
  await expect(entries(page)).toHaveCount(1);
  await expect(page.getByText(`1 of ${all} answers`)).toBeVisible();
  await expect(page).toHaveURL(/q=HMAC/);
  await page.reload();
  await expect(entries(page)).toHaveCount(1);

  await search.fill("nothing of that kind");
  await expect(page.getByRole("heading", { name: "No results found" })).toBeVisible();
  const card = page.getByRole("complementary", { name: "Still Need Help?" });
  await expect(card.getByRole("link", { name: "Contact support" })).toHaveAttribute("href", "/contact");
  await page.getByRole("button", { name: "Clear search" }).click();
  await expect(entries(page)).toHaveCount(all);
  await expect(search).toBeFocused();

  const categories = page.getByRole("navigation", { name: "Categories" });
  await categories.getByRole("link", { name: /Billing/ }).click();
  await expect(page.locator("section[data-group]:visible")).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "Billing" })).toBeVisible();
  await expect(page).toHaveURL(/category=billing/);
});

test("[ADM-125] a link opens its answer, which can be voted on", async ({ page }) => {
  await page.goto("/help-center?category=api-docs#unknown");
  const entry = page.locator("details[data-entry]").filter({ has: page.locator("#unknown") });
  await expect(entry.getByText("The mail server did not give a clear answer")).toBeVisible();
  await entry.getByRole("button", { name: "Yes" }).click();
  await expect(entry.getByRole("status")).toHaveText("Thank you for your feedback");
  await expect(entry.getByRole("button", { name: "Yes" })).toHaveAttribute("aria-pressed", "true");
});

test("[PUB-071] [PUB-072] [PUB-074] articles are filtered, more are loaded, one is read", async ({
  page,
}) => {
  await page.goto("/blog");
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(6);
  await page.getByRole("link", { name: "Load more" }).click();
  await expect(cards).toHaveCount(12);
  await expect(cards.nth(6).getByRole("link").first()).toBeFocused();
  await expect(page).toHaveURL(/show=all/);
  await page.getByRole("link", { name: /^Data quality/ }).click();
  await expect(cards).toHaveCount(4);
  await expect(page).toHaveURL(/category=data-quality/);
  await expect(page.getByText("Featured")).toHaveCount(0);
  const title = await cards.first().getByRole("heading").innerText();
  await cards
    .first()
    .getByRole("link", { name: /^Read More/ })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
});

test.describe("the newsletter box", () => {
  test.use({ refusalsExpected: true });

  test("[PUB-074] [PUB-077] answers in place", async ({ page }) => {
    await page.goto("/blog");
    const box = page.getByRole("region", { name: "The newsletter" });
    const field = box.getByLabel("Email address for the newsletter");
    await field.fill("nobody");
    await box.getByRole("button", { name: "Subscribe" }).click();
    await expect(box.getByRole("status")).toHaveText("Please enter a valid email address.");
    await expect(field).toBeFocused();
    await field.fill(`reader-${Date.now()}@gmail.com`);
    await box.getByRole("button", { name: "Subscribe" }).click();
    await expect(box.getByRole("status")).toHaveText(
      "Please confirm your subscription: we have sent you a link.",
    );
    await expect(page).toHaveURL(/\/blog$/);
  });
});

test("[PUB-054] the status page renews itself and keeps what is open", async ({ page }) => {
  await page.clock.install();
  await page.goto("/status");
  await expect(page.getByRole("heading", { level: 3 }).first()).toHaveText("Email Validation");
  await page.getByText("Show the days as a table").click();
  await page.getByRole("heading", { level: 1 }).click();
  await page.route("**/status", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<div data-enhance="refresh"><h1 data-refresh-heading>Partial System Outage</h1><details><summary>Days</summary><p>A row</p></details></div>`,
    }),
  );
  await page.clock.runFor(61_000);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Partial System Outage");
  await expect(page.getByRole("status")).toHaveText("Partial System Outage");
  await expect(page.getByText("A row")).toBeVisible();
});

for (const paths of [
  ["/status", "/changelog", "/help-center#catch-all", "/blog", "/blog/reading-bounce-codes"],
  ["/about", "/contact", "/integrations"],
  ["/privacy", "/refund-policy", "/terms"],
]) {
  test(`no accessibility finding and no sideways scroll: ${paths.join(" ")}`, async ({ page }) => {
    for (const path of paths) {
      await page.goto(path);
      await expectReadablePage(page);
    }
  });
}
