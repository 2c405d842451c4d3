// The documentation in a browser: search, languages, the reader's own test key, copying, votes.
import { expect } from "@playwright/test";

import { signInByCall, test } from "./cast";
import { expectReadablePage } from "./page-checks";

test("[DOC-002] [DOC-009] the search filters while one types, and keeps its text", async ({ page }) => {
  await page.goto("/documentation");
  const search = page.getByRole("searchbox", {
    name: "Search the documentation",
  });
  await expect(page.locator("[data-chapter]:visible")).toHaveCount(8);
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type("signature rotated");
  await expect(page.locator("[data-chapter]:visible")).toHaveCount(1);
  await expect(page.getByRole("heading", { name: "Check the signature" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Sections" }).getByRole("link")).toHaveText([
    "Webhooks",
    "Check the signature",
  ]);
  await page.reload();
  await expect(search).toHaveValue("signature rotated");
  await expect(page.locator("[data-chapter]:visible")).toHaveCount(1);
  await search.fill("nothing has these words");
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await expect(page.locator("[data-chapter]:visible")).toHaveCount(0);
  await page.getByRole("link", { name: "Clear search" }).click();
  await expect(search).toHaveValue("");
  await expect(page.locator("[data-chapter]:visible")).toHaveCount(8);
});

test("[DOC-013] the language changes in place and is remembered; Copy takes what is shown", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/documentation#validate-single");
  const languages = page.getByRole("navigation", {
    name: "Language of the samples",
  });
  const sample = page.locator("#validate-single [data-panel=single]");
  await expect(sample).toContainText("curl -sS");
  await languages.getByRole("link", { name: "Python" }).click();
  await expect(sample).toContainText("import requests");
  await expect(languages.getByRole("link", { name: "Python" })).toHaveAttribute("aria-current", "true");
  await sample.getByRole("button", { name: "Copy: Request" }).click();
  const code = await sample.locator("code").textContent();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  await page.goto("/documentation");
  await expect(sample).toContainText("import requests");
});

test("[DOC-013] a test key made on the page stands in all samples of this tab, and works", async ({
  page,
}) => {
  await signInByCall(page);
  await page.goto("/documentation");
  const places = page.locator("[data-key]");
  await expect(places.first()).toHaveText("ec_test_YOUR_KEY");
  await page.getByRole("button", { name: "Create a test key" }).click();
  await expect(places.first()).toHaveText(/^ec_test_[A-Za-z0-9]{57}$/);
  const [key, ...others] = await places.allTextContents();
  expect(new Set(others)).toEqual(new Set([key]));
  const answer = await page.request.post("/api/v1/validate/single", {
    headers: { Authorization: `Bearer ${key ?? ""}` },
    data: { email: "valid@test.emailcheck.app" },
  });
  expect(await answer.json()).toMatchObject({ category: "valid", test: true });
  await page.getByRole("link", { name: "Ruby" }).click();
  await expect(page.locator("[data-panel=client]").first()).toContainText("securerandom");
  await expect(places.first()).toHaveText(key ?? "");
  await page.reload();
  await expect(places.first()).toHaveText(key ?? "");
  await page.getByRole("button", { name: "Take it out again" }).click();
  await expect(places.first()).toHaveText("ec_test_YOUR_KEY");
});

test("[DOC-005] [DOC-011] a vote is taken once for each section and thanked for", async ({ page }) => {
  await page.goto("/documentation");
  const box = page.getByRole("group", {
    name: "Was this helpful? Authentication",
  });
  await box.getByRole("button", { name: "Yes" }).click();
  await expect(box.getByRole("status")).toHaveText("Thank you for your feedback");
  await expect(box.getByRole("button", { name: "Yes" })).toHaveAttribute("aria-pressed", "true");
  await box.getByRole("button", { name: "No" }).click();
  await expect(box.getByRole("button", { name: "Yes" })).toHaveAttribute("aria-pressed", "false");
});

test("the sidebar follows the reader", async ({ page }) => {
  await page.goto("/documentation#webhooks");
  const here = page.getByRole("navigation", { name: "Sections" }).locator("[aria-current=location]");
  await expect(here).toHaveText("Webhooks");
});

test("nothing is out of reach or hard to read", async ({ page }) => {
  test.slow();
  await page.goto("/documentation");
  await expectReadablePage(page);
});
