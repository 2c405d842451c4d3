// What staff do to accounts that others must be able to hold against them: with a reason, and never unseen.
import { randomUUID } from "node:crypto";

import { expect, type Browser, type Page } from "@playwright/test";

import { callApi, runShell } from "./calls";
import { signInByCall, PATIENTLY, test } from "./cast";
import { expectReadable } from "./page-checks";
import { enterPassword, signUp } from "./newcomer";
import { loadMails } from "./sales";

const SAM = "sam@emailcheck.app";
const LISTED = ["ida.holm@harborquill.com", "jon@harborquill.com", "not an address"];

/** Somebody else's window: a customer who has just come. */
async function customer(browser: Browser): Promise<{ email: string; page: Page }> {
  const page = await (await browser.newContext()).newPage();
  return { email: await signUp(page), page };
}

/** Sam in the staff area, with the account alone in the list. */
async function findAccount(page: Page, email: string): Promise<void> {
  await page.goto(`/admin?tab=users&user=${encodeURIComponent(email)}`);
  await expect(page.getByRole("row").filter({ hasText: email })).toBeVisible();
}

test("[ADM-230] [C5] staff see addresses after a reason, which the customer reads", async ({
  page,
  browser,
}) => {
  const { email, page: theirs } = await customer(browser);
  const { batch_id } = await callApi<{ batch_id: string }>(theirs, "POST", "/api/validate/bulk", {
    emails: LISTED,
  });
  const ended = async () =>
    (await callApi<{ status: string }>(theirs, "GET", `/api/validate/batch/${batch_id}/status`)).status;
  await expect.poll(ended, PATIENTLY).toBe("completed");
  await signInByCall(page, SAM);
  await findAccount(page, email);
  await page.getByRole("button", { name: "Nora New" }).click();
  const drawer = page.getByRole("dialog", { name: "Nora New" });
  await drawer.getByRole("button", { name: `Addresses of ${batch_id}…` }).click();
  await drawer.getByRole("button", { name: "Show addresses" }).click();
  await expect(drawer.getByText("Enter a reason")).toBeVisible();
  await expectReadable(page, ".dialog");
  await drawer.getByLabel("Why do you need it?").fill("Ticket 4711");
  await drawer.getByRole("button", { name: "Show addresses" }).click();
  const shown = drawer.getByRole("region", {
    name: `Addresses of ${batch_id}`,
  });
  for (const address of LISTED)
    await expect(shown.getByRole("row").filter({ hasText: address })).toHaveCount(1);
  await drawer.getByRole("button", { name: "Find an address…" }).click();
  await drawer.getByLabel("Address to look for").fill(LISTED[1] ?? "");
  await drawer.getByLabel("Why do you need it?").fill("A complaint");
  await drawer.getByRole("button", { name: "Find address" }).click();
  await expect(drawer.getByText(`Row 2 of ${batch_id}`)).toBeVisible();
  await expectReadable(page, ".dialog");
  await theirs.goto("/account-settings?tab=profile");
  await expect(
    theirs.getByText(`Staff looked at the addresses of list ${batch_id}: Ticket 4711`),
  ).toBeVisible();
  await expect(theirs.getByText("Staff searched the lists for one address: A complaint")).toBeVisible();
});

test("[ORG-035] [ADM-206] an owner of two organisations is edited for the one that staff choose", async ({
  page,
  browser,
}) => {
  const { email } = await customer(browser);
  const name = "Harbour Holdings of the Northern and Western Isles and Coasts";
  await runShell(
    "from accounts.organisations.models import Membership, Organisation",
    "from accounts.organisations.roles import OrganisationRole",
    "from accounts.users.models import User",
    `held_by_nobody = Organisation.objects.create(name="${name}")`,
    `owner = User.objects.get(email="${email}")`,
    "Membership.objects.create(organisation=held_by_nobody, user=owner, role=OrganisationRole.OWNER)",
  );
  await signInByCall(page, SAM);
  await findAccount(page, email);
  await page.getByRole("button", { name: `Edit ${email}` }).click();
  const dialog = page.getByRole("dialog", { name: "Edit User" });
  await expectReadable(page, ".dialog");
  await dialog.getByLabel("Organisation").selectOption({ label: `${name} · Free, 0 credits` });
  await dialog.getByLabel("Credits", { exact: true }).fill("25");
  await dialog.getByLabel("Reason for the change of credits").fill("For the new office");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("User updated successfully!")).toBeVisible();
  await page.getByRole("button", { name: "Nora New" }).click();
  const drawer = page.getByRole("dialog", { name: "Nora New" });
  await expect(drawer.getByText("Owner · Free, 25 credits")).toBeVisible();
  await expectReadable(page, ".dialog");
});

test.describe("a suspension", () => {
  test.use({ refusalsExpected: true });

  test("[ADM-222] [F5] is mailed with its reason, and so is its end", async ({ page, browser }) => {
    const { email, page: theirs } = await customer(browser);
    const reason = `Bought lists, ${randomUUID()}`;
    const mailed = async () =>
      (await loadMails(page, email)).map(({ subject, text }) => `${subject}: ${text}`).join("\n");
    await signInByCall(page, SAM);
    await findAccount(page, email);
    await page.getByRole("button", { name: `Edit ${email}` }).click();
    const dialog = page.getByRole("dialog", { name: "Edit User" });
    await dialog.getByLabel("Status").selectOption("suspended");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(dialog.getByText("Enter a reason for the suspension")).toBeVisible();
    await expectReadable(page, ".dialog");
    await dialog.getByLabel("Reason for the suspension").fill(reason);
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("User updated successfully!")).toBeVisible();
    await expect.poll(mailed).toContain(`Reason: ${reason}`);
    await page.getByRole("button", { name: "Nora New" }).click();
    const drawer = page.getByRole("dialog", { name: "Nora New" });
    await expect(drawer.getByText(reason)).toBeVisible();
    await expectReadable(page, ".dialog");
    await theirs.goto("/?login=true");
    await enterPassword(theirs, email);
    await expect(theirs.getByRole("alert").getByText("Account suspended")).toBeVisible();
    await drawer.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Status").selectOption("active");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(mailed).toContain("Your account is open again: ");
    await enterPassword(theirs, email);
    await expect(theirs.getByText("Welcome, Nora New")).toBeVisible();
  });
});

test("[ADM-208] [F1] the deletion of a colleague waits for a second administrator", async ({ page }) => {
  const email = `tom.${randomUUID().slice(0, 8)}@emailcheck.app`;
  await signInByCall(page, SAM);
  await callApi(page, "POST", "/api/admin/create-admin", {
    email,
    name: "Tom Tern",
  });
  await findAccount(page, email);
  await page.getByRole("button", { name: `Delete ${email}` }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Tom Tern?" });
  await expect(dialog).toContainText("A second administrator must confirm it within 7 days");
  await dialog.getByRole("button", { name: "Ask for deletion" }).click();
  await expect(dialog.getByText("Enter a reason")).toBeVisible();
  await expectReadable(page, ".dialog");
  await dialog.getByLabel("Why should this account be deleted?").fill("Has left the company");
  await dialog.getByRole("button", { name: "Ask for deletion" }).click();
  const panel = page.getByRole("region", {
    name: "Waiting for a second administrator",
  });
  await expect(panel).toContainText(`Tom Tern (${email}), asked by Sam Staff (${SAM}): Has left the company`);
  await expect(panel.getByRole("button", { name: `Confirm the deletion of ${email}` })).toHaveCount(0);
  await expectReadable(page);
  await panel.getByRole("button", { name: `Cancel the deletion of ${email}` }).click();
  await page.getByRole("button", { name: "Keep the account" }).click();
  await expect(page.getByText(`The deletion of ${email} is cancelled`)).toBeVisible();
  await expect(panel.getByText(email)).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: email })).toBeVisible();
});
