// A text that holds an address, or several, in the field for one.
import { expect } from "@playwright/test";

import { callApi } from "./calls";
import { signIn, test } from "./cast";

const TYPED = "Anna Keller <anna.keller@gmail.com>";

test("[REP-007] [E1] a name and brackets around an address are left out, and the text stays to be seen", async ({
  page,
}) => {
  await signIn(page);
  await page.getByLabel("Single address").fill(TYPED);
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  const report = page.getByRole("region", { name: "anna.keller@gmail.com" });
  await expect(report.getByText("We checked anna.keller@gmail.com")).toBeVisible();
  await expect(report.getByText(TYPED, { exact: true })).toBeVisible();
  await expect(report.locator(".verdict .badge")).toHaveText("Valid");
  await expect(page.getByLabel("Single address")).toHaveValue(TYPED);
  const history = await callApi<{ individual_validations: { id: number; email: string }[] }>(
    page,
    "GET",
    "/api/validate/batches",
  );
  const [kept] = history.individual_validations;
  expect(kept?.email).toBe(TYPED);
  await page.goto(`/dashboard/result/${kept?.id}`);
  await expect(page.getByText("We checked anna.keller@gmail.com")).toBeVisible();
  await expect(page.getByText(TYPED, { exact: true })).toBeVisible();
  await page.goto("/dashboard?tab=history");
  await expect(page.getByText(TYPED, { exact: true }).first()).toBeVisible();
});

test("[REP-007] several addresses in one line check nothing, cost nothing and become a list", async ({
  page,
}) => {
  await signIn(page);
  const field = page.getByLabel("Single address");
  await field.fill(
    '"Keller, Anna" <anna.keller@gmail.com>; gone.keller@gmail.com, tom.reed@velvetcircuit.com',
  );
  const [answer] = await Promise.all([
    page.waitForResponse("**/api/validate/single"),
    page.getByRole("button", { name: "Validate", exact: true }).click(),
  ]);
  expect(await answer.json()).toMatchObject({ category: "invalid", credits_used: 0, transcript: [] });
  await expect(page.getByText("This field takes one address, we found 3.")).toBeVisible();
  await expect(page.locator(".verdict")).toHaveCount(0);
  await page.getByRole("button", { name: "Check them as a list" }).click();
  await expect(field).toHaveValue("anna.keller@gmail.com\ngone.keller@gmail.com\ntom.reed@velvetcircuit.com");
  await expect(field).toBeFocused();
  await expect(page.getByText(/we found/)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Validate list" })).toBeVisible();
});
