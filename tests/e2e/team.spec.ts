// Several people in one organisation: invited, come, refused what their role does not include, and back in their own.
import { expect, type Page } from "@playwright/test";

import { callApi } from "./calls";
import { test } from "./cast";
import { createAddress, enterPassword, loadMailedLink, PASSWORD, signUp, verifyAddress } from "./newcomer";

async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.goto("/team");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog", { name: /^Invite to/ });
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("radio", { name: role }).check();
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText(`Invitation sent to ${email}`)).toBeVisible();
}

/** Registers from the page of the invitation, verifies, signs in, and is back there. */
async function registerFromInvitation(page: Page, email: string): Promise<void> {
  await page.addInitScript(() => localStorage.setItem("onboarding_completed", "true"));
  await page.goto(await loadMailedLink(page.request, email, "/invitation"));
  await page.getByRole("button", { name: "Create an account" }).click();
  const dialog = page.getByRole("dialog", { name: "Create your account" });
  await dialog.getByLabel("Full Name").fill("Vera Viewer");
  await expect(dialog.getByLabel("Email")).toHaveValue(email);
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("dialog", { name: "Check your email" })).toBeVisible();
  await verifyAddress(page, email);
  await page.goto("/?login=true");
  await enterPassword(page, email);
  await page.waitForURL(/\/invitation\?token=/);
}

test.describe("with refusals", () => {
  test.use({ refusalsExpected: true });

  test("[ORG-011] [ORG-006] [ORG-025] an owner invites, a newcomer joins as a viewer, is refused, and switches", async ({
    page,
    browser,
    extraHTTPHeaders,
  }) => {
    await signUp(page);
    await callApi(page, "PUT", "/api/organisation", { name: "Quill House" });
    const email = createAddress();
    await invite(page, email, "Viewer");

    const context = await browser.newContext({ extraHTTPHeaders: extraHTTPHeaders ?? {} });
    const vera = await context.newPage();
    await registerFromInvitation(vera, email);
    await expect(vera.getByText("Nora New invites you to Quill House as viewer.")).toBeVisible();
    await vera.getByRole("button", { name: "Accept" }).click();
    await expect(vera.getByRole("table", { name: "Members" })).toContainText(email);

    await vera.goto("/dashboard?tab=pricing");
    const sentence = "Your role (viewer) does not allow this. Ask an owner or admin of Quill House.";
    await expect(vera.getByText(sentence)).toBeVisible();
    await expect(
      vera.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Upgrade" }),
    ).toBeHidden();

    const third = await browser.newContext({ extraHTTPHeaders: extraHTTPHeaders ?? {} });
    const dan = await third.newPage();
    const developer = await signUp(dan);
    await invite(page, developer, "Developer");
    await dan.goto(await loadMailedLink(dan.request, developer, "/invitation"));
    await dan.getByRole("button", { name: "Accept" }).click();
    await expect(dan.getByRole("table", { name: "Members" })).toContainText(email);
    await dan.goto("/account-settings?tab=profile");
    await expect(dan.getByRole("button", { name: "Create API key" }).first()).toBeEnabled();
    await dan.goto("/account-settings?tab=subscription");
    await expect(
      dan
        .getByText("Your role (developer) does not allow this. Ask an owner or admin of Quill House.")
        .first(),
    ).toBeVisible();
    await third.close();

    // Another tab goes on in the organisation that it was opened in.
    const tab = await context.newPage();
    await tab.goto("/team");
    await expect(tab.getByRole("heading", { name: "Quill House" })).toBeVisible();
    await vera.getByRole("button", { name: "Organisation: Quill House" }).click();
    await vera.getByRole("button", { name: "Vera Viewer owner" }).click();
    await expect(vera.getByRole("heading", { name: "Validate", level: 1 })).toBeVisible();
    await expect(vera.getByRole("button", { name: "Organisation: Vera Viewer" })).toBeVisible();
    await tab.getByRole("button", { name: "Leave Quill House" }).click();
    await tab.getByRole("dialog").getByRole("button", { name: "Leave Quill House" }).click();
    await expect(tab.getByText("You have left Quill House")).toBeVisible();

    await page.goto("/team");
    await expect(page.getByRole("table", { name: "Members" })).toContainText(developer);
    const { members } = await callApi<{ members: { id: number; email: string }[] }>(
      page,
      "GET",
      "/api/organisation/members",
    );
    const gone = members.find((member) => member.email === developer);
    await callApi(page, "DELETE", `/api/organisation/members/${String(gone?.id)}`);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Only you so far" })).toBeVisible();
    await context.close();
  });
});
