import { expect, type Route } from "@playwright/test";

import { findAccessibilityIssues } from "./axe";
import { ALICE, BOB, getSamplePath, signIn, test } from "./cast";

test("[DASH-001] a visitor is sent from the dashboard to the landing page", async ({ page }) => {
  await page.goto("/dashboard?tab=history");
  await expect(page).toHaveURL(/:\d+\/(\?.*)?$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Know which addresses are safe to send to.",
  );
});

test.describe("with refused calls", () => {
  test.use({ refusalsExpected: true });

  test("[AUTH-007] a wrong password stays in the dialog and says so", async ({ page }) => {
    await page.goto("/?login=true");
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    await dialog.getByLabel("Email").fill(ALICE);
    await dialog.getByLabel("Password").fill("not the password");
    await dialog.getByRole("button", { name: "Sign In" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Invalid email or password");
  });

  test("[AUTH-017] a dead token is renewed without the user noticing", async ({ page }) => {
    await signIn(page);
    await page.evaluate(() => localStorage.setItem("token", "dead"));
    await page.reload();
    await expect(page.getByText(/^[\d,]+ credits$/)).toBeVisible();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("token"))).not.toBe("dead");
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test("[AUTH-015] [AUTH-017] a session that cannot be renewed ends on the landing page", async ({
    page,
  }) => {
    await signIn(page);
    const kept = (await page.context().cookies()).filter(({ path }) => path === "/");
    await page.context().clearCookies();
    await page.context().addCookies(kept);
    await page.evaluate(() => localStorage.setItem("token", "dead"));
    await page.reload();
    await expect(page).toHaveURL(/\/\?ended=1$/);
    // The page session ends too, with one more load: only then is nobody signed in by half.
    await expect(page.locator("html")).not.toHaveAttribute("data-person");
    await expect(page.getByText("You were signed out. Sign in to go on.")).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  });

  const refused = [
    ["empty.csv", /./],
    ["no-emails.csv", /No email addresses found in the file/],
    ["binary.csv", /./],
    ["truncated.xlsx", /./],
  ] as const;
  for (const [name, words] of refused) {
    test(`[VAL-025] ${name} is refused with a reason and charges nothing`, async ({ page }) => {
      await signIn(page, BOB);
      const credits = page.getByText(/^[\d,]+ credits$/);
      const before = await credits.textContent();
      await page.getByLabel("File with addresses").setInputFiles(getSamplePath(`bad/${name}`));
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("alert").getByText(words).first()).toBeVisible();
      await expect(page.getByRole("alert").getByText(/^Reference: req_/)).toBeVisible();
      await page.reload();
      await expect(credits).toHaveText(before ?? "");
    });
  }
});

test("[AUTH-014] logout ends the session here and on the server", async ({ page }) => {
  await signIn(page);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
  expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/:\d+\/(\?.*)?$/);
});

test.describe("while the server does not answer", () => {
  test.use({ refusalsExpected: true, failuresExpected: true });

  const CALLS = "**/api/**";
  const LOGOUT = "**/api/auth/logout";
  const faults = [
    ["silent", (route: Route) => route.abort("connectionfailed")],
    [
      "ill",
      (route: Route) =>
        route.fulfill({
          status: 503,
          json: { detail: "Later.", code: "UNAVAILABLE" },
        }),
    ],
  ] as const;
  for (const [name, fail] of faults) {
    test(`[AUTH-014] whoever logs out while it is ${name} is signed out by the next page`, async ({
      page,
    }) => {
      await signIn(page, BOB);
      const { cookies } = await page.context().storageState();
      await page.route(CALLS, fail); // any other that reached the server would end the session
      await page.getByRole("button", { name: "Logout" }).click();
      await expect(page.getByRole("alert")).toContainText("Not signed out yet");
      await expect(page.getByText("Welcome,")).toHaveCount(0);
      expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
      expect(await findAccessibilityIssues(page)).toEqual([]);

      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.goto("/dashboard");
      await expect(page).toHaveURL(/:\d+\/(\?.*)?$/);
      await expect(page.getByRole("button", { name: "Sign in" }).first()).toBeVisible();
      expect((await page.context().cookies()).map((cookie) => cookie.name)).not.toContain("signed_out");
      // What was copied before opens nothing either: the session has ended on the server.
      await page.context().clearCookies();
      await page.context().addCookies(cookies);
      await page.goto("/dashboard");
      await expect(page).toHaveURL(/:\d+\/\?ended=1$/);
    });
  }

  test("[AUTH-014] the page tries again, and goes home when the server is back", async ({ page }) => {
    await signIn(page, BOB);
    await page.route(LOGOUT, (route) => route.abort("connectionfailed"), {
      times: 2,
    });
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page.getByRole("alert")).toContainText("Not signed out yet");
    await expect(page).toHaveURL(/:\d+\/$/, { timeout: 15_000 });
    await page.goto("/dashboard");
    await expect(page).toHaveURL(/:\d+\/(\?.*)?$/);
  });
});

test("[LIM-011] the performance warnings are loaded only under their flag", async ({ page }) => {
  const loaded: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("perf-warnings")) loaded.push(request.url());
  });
  await page.goto("/", { waitUntil: "networkidle" });
  expect(loaded).toEqual([]);
  await page.evaluate(() => localStorage.setItem("perf_warnings", "1"));
  await page.reload();
  await expect.poll(() => loaded.length).toBe(1);
});
