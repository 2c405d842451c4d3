// Staff and the accounts of customers: found, edited, looked at, deleted, given credits.
import { randomUUID } from "node:crypto";

import { expect, type Browser, type Locator, type Page } from "@playwright/test";

import { signInByCall, test } from "./cast";
import { enterPassword, createAddress, registerAccount, signUp } from "./newcomer";

const SAM = "sam@emailcheck.app";
const OWN = "battery-43-staple";

/** Somebody else's window: a customer who has just come. */
async function customer(browser: Browser): Promise<{ email: string; page: Page }> {
  const page = await (await browser.newContext()).newPage();
  return { email: await signUp(page), page };
}

/** Sam in the staff area, with the account in the list. */
async function findUser(page: Page, email: string): Promise<Locator> {
  await page.goto(`/admin?tab=users&user=${encodeURIComponent(email)}`);
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(row).toBeVisible();
  return row;
}

test("[ADM-002] [ADM-011] [ADM-202] an account is found, edited and its ledger read", async ({
  page,
  browser,
}) => {
  const { email } = await customer(browser);
  await signInByCall(page, SAM);
  await page.goto("/admin");
  await page.getByRole("tab", { name: "User Management" }).click();
  await expect(page).toHaveURL(/\/admin\?tab=users$/);
  const heads = page.getByRole("columnheader");
  await expect(heads).toHaveText(["User", "Plan", "Credits", "Usage", "Joined", "Actions"]);
  await expect(page.getByLabel("Plan", { exact: true }).getByRole("option")).toHaveText([
    "All",
    "Free",
    "Starter",
    "Growth",
    "Pro",
  ]);
  await page.getByLabel("Search users").fill(email.slice(3, 12).toUpperCase());
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("Free");
  await page.getByLabel("Plan", { exact: true }).selectOption("Pro");
  await expect(page.getByText("No users found")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await findUser(page, email);

  await page.getByRole("button", { name: `Edit ${email}` }).click();
  const dialog = page.getByRole("dialog", { name: "Edit User" });
  await expect(dialog).toContainText("The admin role gives full access to this dashboard.");
  await dialog.getByLabel("Credits", { exact: true }).fill("250");
  await dialog.getByLabel("Plan").selectOption("starter");
  await expect(dialog).toContainText("the new plan is given, and nobody is charged for it");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(dialog).toContainText("Enter a reason for the change of credits");
  await dialog.getByLabel("Reason for the change of credits").fill("Sorry for the fault");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("User updated successfully!")).toBeVisible();
  await expect(row).toContainText("Starter");
  await expect(row).toContainText("5,250");

  await row.getByRole("button", { name: "Nora New" }).click();
  const drawer = page.getByRole("dialog", { name: "Nora New" });
  await expect(drawer).toContainText("150 credits, bonus");
  await drawer.getByRole("button", { name: "Ledger" }).click();
  const entry = drawer.getByRole("row").filter({ hasText: "Sorry for the fault" });
  await expect(entry).toContainText("by Sam Staff (sam@emailcheck.app)");
  await expect(entry).toContainText("+150");
  await drawer.getByLabel("Filter by reason").fill("nothing like it");
  await expect(drawer.getByText("No entry matches")).toBeVisible();
  await drawer.getByRole("button", { name: "Activity" }).click();
  await expect(drawer.getByText("Credits changed from 100 to 250")).toBeVisible();
});

test("[ADM-209] [ADM-210] [ADM-211] accounts are deleted after it was said what goes", async ({
  page,
  browser,
}) => {
  const { email } = await customer(browser);
  const tester = `test.${randomUUID().slice(0, 8)}@harborquill.com`;
  await registerAccount(await (await browser.newContext()).newPage(), tester);
  await signInByCall(page, SAM);
  const row = await findUser(page, email);
  await row.getByRole("button", { name: `Delete ${email}` }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Nora New?" });
  await expect(dialog).toContainText("100 unspent credits (100 welcome)");
  await expect(dialog).toContainText("as long as the law requires");
  await dialog.getByRole("button", { name: "Delete user" }).click();
  await expect(dialog).toContainText(`Type ${email} to confirm`);
  await dialog.getByLabel(`Type ${email}`).fill(email);
  await dialog.getByRole("button", { name: "Delete user" }).click();
  await expect(page.getByText(`User ${email} deleted successfully!`)).toBeVisible();
  await expect(page.getByText("No users found")).toBeVisible();

  const own = await findUser(page, SAM);
  await expect(own.getByRole("button", { name: `Delete ${SAM}` })).toBeDisabled();

  await page.getByRole("button", { name: "Delete Test Users" }).click();
  const tests = page.getByRole("dialog", { name: "Delete Test Users" });
  await expect(tests.getByRole("list", { name: "To be deleted" })).toContainText(tester);
  await tests.getByRole("button", { name: /^Delete \d+ test users?$/ }).click();
  await expect(page.getByText(/^Successfully deleted \d+ test users!$/)).toBeVisible();
  await page.goto(`/admin?tab=users&user=${tester}`);
  await expect(page.getByText("No users found")).toBeVisible();
});

test.describe("a password that somebody else chose", () => {
  test.use({ refusalsExpected: true });

  test("[ADM-006] [ADM-214] [ADM-215] lets a new administrator in to choose another", async ({
    page,
    browser,
  }) => {
    const email = `ada.${randomUUID().slice(0, 8)}@emailcheck.app`;
    await signInByCall(page, SAM);
    await page.goto("/admin?tab=users");
    await page.getByRole("button", { name: "Create Admin" }).click();
    const dialog = page.getByRole("dialog", { name: "Create Admin" });
    await expect(dialog).toContainText("The admin role gives full access to this dashboard.");
    await dialog.getByLabel("Email").fill("ada@oak.de");
    await dialog.getByRole("button", { name: "Create admin" }).click();
    await expect(dialog).toContainText("Admin email must end with @emailcheck.app");
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByLabel("Name", { exact: true }).fill("Ada");
    await dialog.getByRole("button", { name: "Create admin" }).click();
    const made = page.getByRole("dialog", { name: "Admin created" });
    const password = await made.locator("code").innerText();
    await expect(page.getByText(`Admin created! Password: ${password}`)).toBeVisible();
    await made.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("row").filter({ hasText: email })).toContainText("Admin");

    const hers = await (await browser.newContext()).newPage();
    await hers.addInitScript(() => localStorage.setItem("onboarding_completed", "true"));
    await hers.goto("/?login=true");
    await enterPassword(hers, email, password);
    await expect(hers).toHaveURL(/\/reset-password\?token=/);
    await hers.getByLabel("New password", { exact: true }).fill(OWN);
    await hers.getByLabel(/Confirm/).fill(OWN);
    const chosen = hers.waitForResponse("**/api/auth/reset-password");
    await hers.getByRole("button", { name: /Reset password|Set new password/i }).click();
    expect((await chosen).status()).toBe(200);
    await hers.goto("/?login=true");
    await enterPassword(hers, email, OWN);
    await expect(hers.getByText("Welcome, Ada")).toBeVisible();
    await hers.goto("/admin?tab=users");
    await expect(hers.getByRole("heading", { name: "User Management" })).toBeVisible();
  });
});

test("[ADM-301] [ADM-302] [ADM-303] credits are given to those who were found", async ({ page, browser }) => {
  const { email, page: theirs } = await customer(browser);
  const unknown = createAddress();
  await signInByCall(page, SAM);
  await page.goto("/admin?tab=credits");
  const form = page.getByRole("region", { name: "Bulk Credit Management" });
  await form.getByRole("button", { name: "Preview grant" }).click();
  for (const wrong of ["Enter at least one address", "Enter a whole number from 1", "Choose a reason"])
    await expect(form.getByRole("alert").filter({ hasText: wrong })).toBeVisible();
  await form.getByLabel("Emails").fill(` ${email.toUpperCase()} \n\n${unknown}\n${email}`);
  await form.getByLabel("Credits for each").fill("250");
  await form.getByLabel("Reason").selectOption("compensation");
  await form.getByRole("button", { name: "Preview grant" }).click();
  await expect(form.getByRole("list", { name: "Found", exact: true })).toContainText(email);
  await expect(form.getByRole("list", { name: "Not found" })).toContainText(unknown);
  await expect(form.getByRole("list", { name: "Duplicates" })).toContainText(email);
  await form.getByRole("button", { name: "Grant 250 credits" }).click();
  await expect(page.getByText("Credits granted to 1 users successfully!")).toBeVisible();
  await expect(form).toContainText(unknown);
  await theirs.goto("/account-settings?tab=subscription");
  await expect(theirs.getByRole("row").filter({ hasText: "Compensation" })).toContainText("+250");
});

test.describe("a look", () => {
  test.use({ refusalsExpected: true });

  test("[ADM-230] shows the pages of a customer, changes nothing, and is told to the customer", async ({
    page,
    browser,
  }) => {
    const { email, page: theirs } = await customer(browser);
    await signInByCall(page, SAM);
    const row = await findUser(page, email);
    await row.getByRole("button", { name: "Nora New" }).click();
    await page.getByRole("button", { name: "View as user…" }).click();
    const dialog = page.getByRole("dialog", { name: "View as Nora New" });
    await dialog.getByLabel("Reason").fill("Asked by phone");
    await dialog.getByRole("button", { name: "View as user" }).click();
    const bar = page.getByRole("complementary", { name: "Viewing as a user" });
    await expect(bar).toContainText(`You are viewing as Nora New (${email}), read-only. Ends in 14 min`);
    await expect(page.getByText("Welcome, Nora New")).toBeVisible();
    await page.goto("/account-settings?tab=profile");
    await expect(bar).toBeVisible();
    await page.getByLabel("Company").first().fill("Changed by staff");
    const save = page.getByRole("button", { name: "Save" }).first();
    await expect(save).toHaveAttribute("aria-disabled", "true");
    await expect(save).toHaveAttribute("title", "Not available: you are viewing as a user, read-only.");
    await page.goto("/privacy");
    await expect(bar).toBeVisible();
    await bar.getByRole("button", { name: "End view" }).click();
    await expect(page).toHaveURL(/\/admin\?tab=users$/);
    await expect(page.getByText("Signed in as Sam Staff.")).toBeVisible();
    await expect(bar).toHaveCount(0);
    await theirs.goto("/account-settings?tab=profile");
    await expect(theirs.getByText("Staff began to look at the account, read-only")).toBeVisible();
  });
});

test.describe("a load or a save that fails", () => {
  test.use({ refusalsExpected: true });

  test("[ADM-218] [ADM-207] says so, keeps the view, and can be tried again", async ({ page, browser }) => {
    const { email } = await customer(browser);
    await signInByCall(page, SAM);
    const list = "**/api/admin/users/authenticated*";
    await page.route(list, (route) => route.fulfill({ status: 400, body: "{}" }));
    await page.goto("/admin?tab=users");
    await expect(page.getByRole("heading", { name: "Failed to load users" })).toBeVisible();
    await page.unroute(list);
    await page.getByRole("button", { name: "Retry" }).click();
    await findUser(page, email);
    await page.getByRole("button", { name: `Edit ${email}` }).click();
    await page.route("**/api/admin/users/*", (route) => route.fulfill({ status: 400, body: "{}" }));
    const dialog = page.getByRole("dialog", { name: "Edit User" });
    await dialog.getByLabel("Status").selectOption("suspended");
    await expect(dialog).toContainText("Suspending signs the user out");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(dialog.getByText("Enter a reason for the suspension")).toBeVisible();
    await dialog.getByLabel("Reason for the suspension").fill("Bought lists");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Failed to update user").first()).toBeVisible();
    await expect(dialog).toBeVisible();
  });
});
