// Settings by sections, staff's records in one drawer, and what the tab Upgrade recommends.
import { expect } from "@playwright/test";

import { callApi } from "./calls";
import { signInByCall, test } from "./cast";
import { signUp } from "./newcomer";

const SAM = "sam@emailcheck.app";

test("[look-15] a bar that stays leads through the sections, and a row keeps its other actions in a menu", async ({
  page,
}) => {
  await signInByCall(page);
  await page.goto("/account-settings?tab=profile#security");
  const bar = page.getByRole("navigation", { name: "On this page" });
  const current = bar.locator("[aria-current=location]");
  await expect(page.getByRole("heading", { name: "Security" })).toBeInViewport();
  await expect(current).toHaveText("Security");
  await bar.getByRole("link", { name: "API Keys" }).click();
  await expect(page).toHaveURL(/tab=profile#api-keys$/);
  const heading = page.getByRole("heading", { name: "API Keys", exact: true });
  await expect(heading).toBeInViewport();
  await expect(current).toHaveText("API Keys");
  const below = await bar.evaluate((element) => element.getBoundingClientRect().bottom);
  expect(await heading.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(below);
  const name = `Look ${Date.now()}`;
  await callApi(page, "POST", "/api/user/api-keys", { name });
  await page.reload();
  const more = page.getByRole("button", { name: `More actions for ${name}` });
  await more.press("Enter");
  await expect(page.getByRole("menuitem", { name: `Requests of ${name}` })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: `Revoke ${name}` })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Revoke this key?" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
});

test("[look-16] a record has an address, the next one is a key away, and the focus goes back to its row", async ({
  page,
}) => {
  await signInByCall(page, SAM);
  await page.goto("/admin?tab=users&users_sort=name");
  const names = page.locator("[data-record]");
  await expect(names.nth(1)).toBeVisible();
  const [first = "", second = ""] = await names.allInnerTexts();
  await names.first().click();
  const drawer = page.getByRole("dialog");
  await expect(drawer.getByRole("heading", { name: first, level: 2 })).toBeVisible();
  await page.keyboard.press("j");
  await expect(drawer.getByRole("heading", { name: second, level: 2 })).toBeVisible();
  await expect(drawer.locator(".record-steps")).toContainText("2 of ");
  const address = page.url();
  expect(address).toMatch(/record=\d+/);
  await page.reload();
  await expect(drawer.getByRole("heading", { name: second, level: 2 })).toBeVisible();
  await drawer.getByRole("button", { name: "Previous" }).click();
  await expect(drawer.getByRole("heading", { name: first, level: 2 })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);
  await expect(page).toHaveURL(/users_sort=name$/);
  await expect(names.first()).toBeFocused();
  await page.setViewportSize({ width: 1600, height: 900 });
  const widths: number[] = [];
  for (const tab of ["users", "system", "credits", "plans"]) {
    await page.goto(`/admin?tab=${tab}`);
    const box = await page.getByRole("tabpanel").boundingBox();
    widths.push(box?.width ?? 0);
  }
  expect(new Set(widths).size).toBe(1);
});

test("[look-16] [look-18] contracts and incidents have addresses too, and a press on Undo leaves the drawer open", async ({
  page,
}) => {
  await signInByCall(page, SAM);
  const name = `Willow ${Date.now()}`;
  for (const number of [1, 2]) {
    await callApi(page, "POST", "/api/admin/contracts", {
      companyName: `${name} ${number}`,
      plan: "Scale",
      startDate: "2030-01-01",
      endDate: `2040-01-0${number}`,
      value: "12000",
      renewalDate: null,
      autoRenewal: false,
    });
    await callApi(page, "POST", "/api/admin/incidents", {
      kind: "incident",
      title: `${name} ${number}`,
      services: ["Dashboard"],
      started_at: `2030-01-0${number}T10:00:00Z`,
      ended_at: `2030-01-0${number}T11:00:00Z`,
      note: "",
    });
  }
  const drawer = page.getByRole("dialog");
  const heading = (number: number) => drawer.getByRole("heading", { name: `${name} ${number}`, level: 2 });
  await page.goto(`/admin?tab=crm&view=contracts&contract_search=${encodeURIComponent(name)}`);
  const row = page.getByRole("button", { name: `${name} 2` });
  await page.getByRole("button", { name: `${name} 1` }).click();
  await expect(heading(1)).toBeVisible();
  await page.keyboard.press("j");
  await expect(heading(2)).toBeVisible();
  expect(page.url()).toMatch(/contract=\d+/);
  await page.reload();
  await expect(heading(2)).toBeVisible();
  await drawer.getByRole("button", { name: "Cancel contract" }).click();
  await expect(drawer.getByText("Cancelled")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(drawer.getByRole("button", { name: "Cancel contract" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);
  await expect(row).toBeFocused();

  await page.goto("/admin?tab=monitoring");
  await page.getByRole("button", { name: `${name} 2`, exact: true }).click();
  await expect(heading(2)).toBeVisible();
  await page.keyboard.press("j");
  await expect(heading(1)).toBeVisible();
  await page.reload();
  await expect(heading(1)).toBeVisible();
});

test("[look-17] the own plan is ringed, one is recommended from the own use, and 1,000 addresses have a price", async ({
  page,
}) => {
  await signUp(page);
  await page.goto("/dashboard?tab=pricing");
  await expect(
    page.getByText("No recommendation yet: you checked nothing in the last 30 days."),
  ).toBeVisible();
  await callApi(page, "POST", "/api/validate/single", {
    email: "nobody@nowhere.invalid",
  });
  await page.reload();
  await expect(
    page.getByText("You checked 1 address in the last 30 days; Free Trial covers 100."),
  ).toBeVisible();
  const own = page.locator(".offer[aria-current]");
  await expect(own.getByRole("heading")).toHaveText("Free TrialRecommended");
  await expect(own).toHaveCSS("outline-style", "solid");
  await expect(page.getByText("$7.90 for 1,000 addresses")).toBeVisible();
  await page.getByRole("button", { name: "Pay As You Go" }).click();
  await expect(page.getByText("$8.90 for 1,000 addresses")).toBeVisible();
});
