// Who somebody is: from the first visit to the deleted account, and every other way in.
import { readFileSync } from "node:fs";

import { expect, type Page } from "@playwright/test";

import { findAccessibilityIssues } from "./axe";
import { signInByCall, test } from "./cast";
import {
  PASSWORD,
  enrolAccount,
  enterPassword,
  loadMailedLink,
  createAddress,
  registerAccount,
  signUp,
  createTotp,
  turnOnTotp,
  verifyAddress,
} from "./newcomer";

const NEW_PASSWORD = "battery-43-staple";
const STAFF = "sam@emailcheck.app";

test.describe("a newcomer", () => {
  test.use({ refusalsExpected: true });

  test("[AUTH-009] [AUTH-044] [DOC-043] registers, verifies, turns TOTP on, makes and uses a key, exports and leaves", async ({
    page,
  }) => {
    test.slow();
    const email = createAddress();
    await registerAccount(page, email);
    await verifyAddress(page, email);
    await expect(page).toHaveURL(/\/\?login=true$/);
    await enterPassword(page, email);
    await expect(page.getByText("Welcome, Nora New")).toBeVisible();
    await expect(page.getByText("100 credits", { exact: true }).first()).toBeVisible();

    const { secret, codes } = await turnOnTotp(page);
    await page.getByRole("button", { name: /Account menu/ }).click();
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL(/:\d+\/$/);
    await page.goto("/?login=true");
    await enterPassword(page, email);
    const step = page.getByRole("dialog", { name: "Two-factor sign-in" });
    await step.getByLabel("Code").fill("000000");
    await step.getByRole("button", { name: "Verify" }).click();
    await expect(step.getByRole("alert")).toHaveText("That code is not right. Please try again.");
    // The step of the code that turned it on is used up.
    await step.getByLabel("Code").fill(createTotp(secret, 1));
    await step.getByRole("button", { name: "Verify" }).click();
    await expect(page.getByText("Welcome, Nora New")).toBeVisible();
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL(/:\d+\/$/);
    await page.goto("/?login=true");
    await enterPassword(page, email);
    await step.getByLabel("Code").fill(codes[0] ?? "");
    await step.getByRole("button", { name: "Verify" }).click();
    await expect(page.getByText("Welcome, Nora New")).toBeVisible();

    await page.goto("/account-settings?tab=profile#api-keys");
    await expect(page.getByText("9 recovery codes left.")).toBeVisible();
    await expect(page.getByLabel(/^Company/)).toHaveValue("Harbor & Quill");
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Newsletter");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = await page.getByLabel("API key", { exact: true }).innerText();
    await page.getByRole("button", { name: "I have kept it" }).click();
    await expect(page.getByText("Newsletter").first()).toBeVisible();
    expect(await page.content()).not.toContain(key);
    const headers = { Authorization: `Bearer ${key}` };
    const call = () =>
      page.request.post("/api/v1/validate/single", {
        headers,
        data: { email: "anna.keller@gmail.com" },
      });
    expect((await call()).status()).toBe(200);
    await page.getByRole("button", { name: "More actions for Newsletter" }).click();
    await page.getByRole("menuitem", { name: "Revoke Newsletter" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await expect(page.getByText("No API keys yet")).toBeVisible();
    const refused = await call();
    expect([refused.status(), ((await refused.json()) as { code: string }).code]).toEqual([
      401,
      "INVALID_API_KEY",
    ]);

    await page.goto("/account-settings?tab=privacy");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export my data" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\d{4}-\d{2}-\d{2}\.json$/);
    expect(JSON.stringify(JSON.parse(readFileSync(await file.path(), "utf8")))).toContain(email);
    await expect(page.getByText("Data exported successfully!")).toBeVisible();

    await page.getByRole("button", { name: "Delete account" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete account" });
    await expect(dialog).toContainText("99 unspent credits");
    await dialog.getByLabel(`Type ${email}`).fill(email);
    await dialog.getByLabel("Password").fill("not the password");
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("The address or password does not match.");
    await dialog.getByLabel("Password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await expect(page.getByText("Your account has been deleted.")).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
    await page.goto("/?login=true");
    await enterPassword(page, email);
    await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("Invalid email or password");
  });

  test("[AUTH-013] [AUTH-042] [AUTH-043] must verify first, may ask for another mail, and a used link says so", async ({
    page,
  }) => {
    const email = createAddress();
    await registerAccount(page, email);
    // The queue makes the account, and writes then.
    await loadMailedLink(page.request, email, "/verify-email");
    await page.goto("/?login=true");
    await enterPassword(page, email);
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    await expect(dialog.getByRole("alert")).toHaveText("Please verify your email before logging in.");
    await dialog.getByRole("button", { name: "Resend verification email" }).click();
    await expect(dialog.getByText("Verification email sent! Please check your inbox.")).toBeVisible();
    await verifyAddress(page, email, 2);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Already verified" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Go to Login" })).toBeVisible();
  });

  test("[AUTH-022] [AUTH-025] [AUTH-030] chooses a new password by a link that works once", async ({
    page,
  }) => {
    const email = await enrolAccount(page.request);
    await page.goto("/?forgot=true");
    await page.getByRole("dialog").getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send reset link" }).click();
    await expect(page.getByText("Password reset link sent to your email!")).toBeVisible();
    const link = await loadMailedLink(page.request, email, "/reset-password");
    await page.goto(link);
    const submit = page.getByRole("button", { name: "Reset password" });
    await expect(submit).toBeDisabled();
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.getByLabel("Confirm password").fill("battery-43-stapled");
    await expect(page.getByText("Passwords do not match")).toBeVisible();
    await expect(submit).toBeDisabled();
    await page.getByLabel("Confirm password").fill(NEW_PASSWORD);
    await submit.click();
    await expect(page.getByRole("heading", { name: "Password Reset Complete" })).toBeVisible();
    await expect(page).toHaveURL(/:\d+\/$/);
    await page.goto(link);
    await expect(page.getByRole("heading", { name: "Invalid Reset Link" })).toBeVisible();
    await page.goto("/?login=true");
    await enterPassword(page, email, NEW_PASSWORD);
    await expect(page.getByText("Welcome, Nora New")).toBeVisible();
  });

  test("[AUTH-019] sees where the account is signed in, and signs out everywhere", async ({
    page,
    browser,
  }) => {
    const email = await signUp(page);
    const other = await (await browser.newContext()).newPage();
    await other.goto(new URL("/?login=true", page.url()).href);
    await enterPassword(other, email);
    await expect(other).toHaveURL(/\/dashboard/);

    await page.goto("/account-settings?tab=profile#security");
    await expect(page.getByText("Chrome on Linux", { exact: true })).toHaveCount(2);
    await expect(page.getByText("This device")).toHaveCount(1);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await expect(page.getByText("Signed out everywhere")).toBeVisible();
    await other.reload();
    await expect(other.getByText("You were signed out. Sign in to go on.")).toBeVisible();
    await other.context().close();
  });
});

test.describe("with Google", () => {
  test.use({ refusalsExpected: true });

  async function leave(page: Page): Promise<void> {
    await page.goto("/?login=true");
    await page.getByRole("link", { name: "Continue with Google" }).click();
    await expect(page).toHaveURL(/\/sandbox\/google/);
  }

  test("[AUTH-061] [AUTH-062] [AUTH-064] one comes back signed in, and the code leaves the address", async ({
    page,
  }) => {
    await leave(page);
    await page.locator("button.person").first().click();
    await expect(page).toHaveURL(/\/dashboard/);
    await expect(page.getByText("Successfully logged in with Google!")).toBeVisible();
    await page.goBack();
    await expect(page).not.toHaveURL(/session_id/);
  });

  test("[AUTH-066] an address that Google does not vouch for takes the password, once", async ({ page }) => {
    await leave(page);
    await page.getByRole("button", { name: "Bob Birch" }).click();
    const dialog = page.getByRole("dialog", { name: "Is this address yours?" });
    await expect(dialog.getByText("bob@birchworks.net")).toBeVisible();
    expect(await findAccessibilityIssues(page)).toEqual([]);
    await dialog.getByLabel("Password of your account").fill("not the password");
    await dialog.getByRole("button", { name: "Link and sign in" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Invalid email or password");
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
    await dialog.getByLabel("Password of your account").fill("sandbox-2026");
    await dialog.getByRole("button", { name: "Link and sign in" }).click();
    await expect(page.getByText("Successfully logged in with Google!")).toBeVisible();
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL(/:\d+\/$/);
    await leave(page);
    await page.getByRole("button", { name: "Bob Birch" }).click();
    await expect(page).toHaveURL(/\/dashboard/);
  });

  test("[AUTH-066] whoever is new there opens a mailed link first", async ({ page }) => {
    await leave(page);
    await page.getByRole("button", { name: "Nora Quill" }).click();
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expect(page.getByRole("dialog", { name: "Check your email" })).toBeVisible();
    await verifyAddress(page, "nora@quillworks.net");
    await leave(page);
    await page.getByRole("button", { name: "Nora Quill" }).click();
    await expect(page.getByText("Welcome, Nora Quill")).toBeVisible();
  });

  test("[AUTH-066] [SEC-009] staff without the company's Google account are told how to come in", async ({
    page,
  }) => {
    await leave(page);
    await page.getByRole("button", { name: "staff, but not by the company" }).click();
    await expect(page.getByRole("dialog", { name: "Sign in" }).getByRole("alert")).toHaveText(
      "Staff sign in with their password, or with the Google account that the company gave them.",
    );
    await page.goto("/dashboard");
    await expect(page).toHaveURL(/:\d+\/(\?.*)?$/);
  });

  test("[AUTH-064] whoever turns back is told that it failed", async ({ page }) => {
    await leave(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    await expect(dialog.getByRole("alert")).toHaveText("Google authentication failed. Please try again.");
    await expect(page).toHaveURL(/:\d+\/$/);
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  });
});

test.describe("staff", () => {
  test.use({ refusalsExpected: true });

  test("[AUTH-072] [AUTH-073] [ADM-003] enter by the partner portal and find eleven tabs", async ({
    page,
  }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Partner Portal" }).click();
    const dialog = page.getByRole("dialog", { name: "Partner Portal" });
    await dialog.getByLabel("Staff email").fill("sam@company.com");
    await dialog.getByLabel("Password").fill("sandbox-2026");
    await dialog.getByRole("button", { name: "Sign In" }).click();
    await expect(dialog.getByRole("alert")).toHaveText(
      "Admin access denied. Only @emailcheck.app emails are allowed.",
    );
    await dialog.getByLabel("Staff email").fill(STAFF);
    await dialog.getByRole("button", { name: "Sign In" }).click();
    await expect(page).toHaveURL(/\/admin$/);
    await expect(page.getByRole("tab")).toHaveText([
      "Overview",
      "User Management",
      "Quote Generator",
      "Credit Management",
      "Revenue Intelligence",
      "API Monitor",
      "Plan Builder",
      "CRM & Contracts",
      "System Admin",
      "Monitoring & Alerts",
      "API Credits",
    ]);
    await page.getByRole("tab", { name: "CRM & Contracts" }).click();
    await expect(page).toHaveURL(/\/admin\?tab=crm$/);
    await page.getByRole("tab", { name: "API Credits" }).click();
    await page.goBack();
    await page.reload();
    await expect(page.getByRole("tab", { selected: true })).toHaveText("CRM & Contracts");
    await page.getByRole("link", { name: "Back to Main Dashboard" }).click();
    await expect(page.getByRole("navigation").getByRole("link", { name: "Admin Dashboard" })).toBeVisible();
  });

  test("[ADM-008] [ADM-007] lose the area when their session has ended", async ({ page }) => {
    await signInByCall(page, STAFF);
    const kept = (await page.context().cookies()).filter(({ path }) => path === "/");
    await page.context().clearCookies();
    await page.context().addCookies(kept);
    await page.evaluate(() => localStorage.setItem("token", "dead"));
    await page.goto("/admin");
    await expect(page.getByRole("heading", { name: "Admin Access Required" })).toBeVisible();
    await expect(page.getByText("Admin access required.")).toBeVisible();
    await expect(page.getByRole("tab")).toHaveCount(0);
  });

  test("[ADM-009] without a stored token nothing is asked", async ({ page }) => {
    await signInByCall(page, STAFF);
    await page.evaluate(() => localStorage.removeItem("token"));
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/")) calls.push(request.url());
    });
    await page.goto("/admin");
    await expect(page.getByText("Authentication required")).toBeVisible();
    expect(calls).toEqual([]);
  });
});

test("[ADM-004] [ADM-016] a customer sees the access card and nothing else of the staff area", async ({
  page,
}) => {
  await signInByCall(page);
  await page.goto("/admin");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Admin Access Required");
  await page.getByRole("link", { name: "Go to Login" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
});

test("[AUTH-010] the address opens the login dialog, and closing it is remembered", async ({ page }) => {
  await page.goto("/?login=true");
  await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/:\d+\/$/);
});

test.describe("somebody who has not seen the tour", () => {
  test.use({ toured: false });

  test("[DASH-014] [DASH-015] [DASH-016] is shown it in six steps, once", async ({ page }) => {
    const email = createAddress();
    await registerAccount(page, email);
    await verifyAddress(page, email);
    await page.goto("/?login=true");
    await enterPassword(page, email);
    for (const title of ["Welcome", "Credits", "Validate emails", "Analytics", "Account settings"]) {
      await expect(page.getByRole("dialog", { name: title })).toBeVisible();
      await expect(page.getByRole("button", { name: "Skip Tour" })).toBeVisible();
      await page.getByRole("button", { name: "Next" }).click();
    }
    await expect(page.getByRole("dialog", { name: "Ready" })).toBeVisible();
    const [kept] = await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith("/api/user/onboarding")),
      page.getByRole("button", { name: "Get Started" }).click(),
    ]);
    expect(kept.status()).toBe(200);
    await page.evaluate(() => localStorage.removeItem("onboarding_completed"));
    await page.reload();
    await expect(page.getByRole("heading", { name: "Validate", level: 1 })).toBeVisible();
    await expect(page.locator('[data-island="tour"]')).toHaveCount(0);
  });
});
