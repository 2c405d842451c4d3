// Sessions that end by themselves while somebody works: nothing typed is lost, and signing in leads back to it.
import { expect, type Page } from "@playwright/test";

import { findAccessibilityIssues } from "./axe";
import { callApi, runShell } from "./calls";
import { PATIENTLY, test } from "./cast";
import { createTotp, enrolAccount, enterPassword, PASSWORD, signUp, turnOnTotp } from "./newcomer";

const SIGNED_OUT = "You were signed out. Sign in to go on.";
const LIST = "ana@gmail.com\nbo@gmail.com\ncy@gmail.com";
const FIELD = "Single address, or paste a list";

async function readSession(page: Page): Promise<number> {
  return page.evaluate(() => {
    const payload = (localStorage.getItem("token") ?? "").split(".")[1] ?? "";
    return (JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as { sid: number }).sid;
  });
}

/** Thirty days go by for the session of the page. */
async function expireSession(page: Page): Promise<void> {
  await runShell(
    "from accounts.access.models import SignIn",
    "from django.utils import timezone",
    `print(SignIn.objects.filter(pk=${await readSession(page)}).update(expires_at=timezone.now()))`,
  );
}

/** As another device does it: the session of this page is ended from a session of its own. */
async function signOutElsewhere(page: Page, email: string): Promise<void> {
  const origin = new URL(page.url()).origin;
  const body = JSON.stringify({ email, password: PASSWORD });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${origin}/api/auth/login`, { method: "POST", headers, body });
  const { token } = (await answer.json()) as { token: string };
  const ended = await fetch(`${origin}/api/user/sessions/${await readSession(page)}`, {
    method: "DELETE",
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(ended.ok).toBe(true);
}

/** The cookie that renews tokens is lost, and the token is too old. */
async function loseRefresh(page: Page): Promise<void> {
  const kept = (await page.context().cookies()).filter(({ path }) => path === "/");
  await page.context().clearCookies();
  await page.context().addCookies(kept);
  await page.evaluate(() => localStorage.setItem("token", "dead"));
}

async function signInAgain(page: Page, email: string): Promise<void> {
  await expect(page).toHaveURL(/:\d+\/\?ended=1$/);
  await expect(page.getByRole("status").getByText(SIGNED_OUT)).toBeVisible();
  await page.getByRole("button", { name: "Sign In" }).first().click();
  await enterPassword(page, email);
}

/** Presses a button of a page that may have noticed meanwhile, by a call of its own, that its session is over. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  await Promise.race([button.click().catch(() => undefined), page.waitForURL(/ended=1$/)]);
}

/** How often the calls that cost something were made. */
function countSendings(page: Page, path: string): () => number {
  let sent = 0;
  page.on("response", (response) => {
    if (response.url().endsWith(path) && response.request().method() !== "GET" && response.ok()) sent += 1;
  });
  return () => sent;
}

test.use({ refusalsExpected: true });

test.describe("a session that ends while somebody works", () => {
  const ways: [string, (page: Page, email: string) => Promise<void>][] = [
    ["expiry", expireSession],
    ["a sign-out elsewhere", signOutElsewhere],
    ["a refused refresh", loseRefresh],
  ];
  for (const [name, end] of ways) {
    test(`[PEN-041] [E4] by ${name} leads back to the list, which is sent once`, async ({ page }) => {
      const email = await signUp(page);
      await page.goto("/dashboard?tab=validate");
      await page.getByLabel(FIELD).fill(LIST);
      const countLists = countSendings(page, "/start");
      await end(page, email);
      await press(page, "Validate list");
      await signInAgain(page, email);
      await expect(page).toHaveURL(/\/dashboard\?tab=validate$/);
      await expect(page.getByText("Welcome, Nora New")).toBeVisible();
      await expect(page.getByLabel(FIELD)).toHaveValue(LIST);
      expect(countLists()).toBe(0);
      expect((await callApi<{ credits: number }>(page, "GET", "/api/credits")).credits).toBe(100);

      await page.getByRole("button", { name: "Validate list" }).click();
      await expect(page.getByText(/3 addresses validated/)).toBeVisible();
      expect(countLists()).toBe(1);
      await page.reload();
      await expect(page.getByLabel(FIELD)).toHaveValue("");
    });
  }

  test("[PEN-041] by a page that is opened, leads back to the list too", async ({ page }) => {
    const email = await signUp(page);
    await page.goto("/dashboard?tab=validate");
    await page.getByLabel(FIELD).fill(LIST);
    await expireSession(page);
    await page.reload();
    expect(await findAccessibilityIssues(page)).toEqual([]);
    await signInAgain(page, email);
    await expect(page).toHaveURL(/\/dashboard\?tab=validate$/);
    await expect(page.getByLabel(FIELD)).toHaveValue(LIST);
  });

  test("[PEN-041] leads back to tab, place and fields of the profile after the second factor", async ({
    page,
  }) => {
    const email = await signUp(page);
    const { codes } = await turnOnTotp(page);
    await page.goto("/account-settings?tab=profile");
    await page.getByLabel("Name", { exact: true }).fill("Nora Newer");
    await page.getByLabel("Address (optional)").fill("Quay 4, Rotterdam");
    await page.evaluate(() => scrollTo(0, 240));
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(240);
    await expireSession(page);
    const countProfiles = countSendings(page, "/api/user/profile");
    await page.keyboard.press("Enter"); // in the field that was filled last
    await signInAgain(page, email);
    const step = page.getByRole("dialog", { name: "Two-factor sign-in" });
    await step.getByLabel("Code").fill(codes[0] ?? createTotp(""));
    await step.getByRole("button", { name: "Verify" }).click();
    await expect(page).toHaveURL(/\/account-settings\?tab=profile$/);
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Nora Newer");
    await expect(page.getByLabel("Address (optional)")).toHaveValue("Quay 4, Rotterdam");
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(240);
    expect(countProfiles()).toBe(0);
    expect((await callApi<{ name: string }>(page, "GET", "/api/auth/me")).name).toBe("Nora New");
    await page.getByRole("button", { name: "Save profile" }).click();
    await expect(page.getByText("Profile updated successfully!")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Nora Newer");
  });

  test("[PEN-041] leads back to a single address, to a quote request, and to the review of a file", async ({
    page,
  }) => {
    const email = await signUp(page);
    await page.goto("/dashboard?tab=custom-packages");
    await page.getByLabel("Credits needed").fill("250,000");
    await page.getByLabel("Notes (optional)").fill("Twice a year");
    await expireSession(page);
    await press(page, "Request quote");
    await signInAgain(page, email);
    await expect(page).toHaveURL(/\?tab=custom-packages$/);
    await expect(page.getByLabel("Credits needed")).toHaveValue("250,000");
    await expect(page.getByLabel("Notes (optional)")).toHaveValue("Twice a year");
    const countRequests = countSendings(page, "/api/quotes/request-custom");
    await page.getByRole("button", { name: "Request quote" }).click();
    await expect(page.getByLabel("Credits needed")).toHaveValue("");
    expect(countRequests()).toBe(1);

    await page.goto("/dashboard?tab=validate");
    await page.getByLabel(FIELD).fill("ana@gmail.com");
    await expireSession(page);
    await press(page, "Validate");
    await signInAgain(page, email);
    await expect(page.getByLabel(FIELD)).toHaveValue("ana@gmail.com");

    await page.getByLabel("File with addresses").setInputFiles({
      name: "few.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`email\n${LIST}\n`),
    });
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("heading", { name: "Review" })).toBeVisible();
    const address = page.url();
    await expireSession(page);
    await press(page, "Start validation");
    await signInAgain(page, email);
    await expect(page).toHaveURL(address);
    await expect(page.getByRole("heading", { name: "Review" })).toBeVisible();
  });

  test("[PEN-041] leads back with Google", async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem("onboarding_completed", "true"));
    const enter = async () => {
      await page.getByRole("link", { name: "Continue with Google" }).click();
      await page.locator("button.person").first().click();
    };
    await page.goto("/?login=true");
    await enter();
    await expect(page).toHaveURL(/\/dashboard/);
    await page.goto("/dashboard?tab=validate");
    await page.getByLabel(FIELD).fill(LIST);
    await expireSession(page);
    await page.reload();
    await expect(page.getByText(SIGNED_OUT)).toBeVisible();
    await page.getByRole("button", { name: "Sign In" }).first().click();
    await enter();
    await expect(page).toHaveURL(/\/dashboard\?tab=validate$/);
    await expect(page.getByLabel(FIELD)).toHaveValue(LIST);
  });
});

/** Addresses of so many characters, each its own. */
function listAddresses(characters: number): string {
  const lines: string[] = [];
  for (let size = 0, index = 0; size < characters; index += 1) {
    const line = `${((index * 2_654_435_761) % 4_294_967_296).toString(36)}.${index}@example-${index % 977}.com`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join("\n");
}

async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel(FIELD).evaluate((field: HTMLTextAreaElement, pasted) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(field, pasted);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, text);
}

function countKept(page: Page): Promise<number> {
  return page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("unsent:")).length);
}

test("[PEN-042] a list of nine megabytes is kept, one of eleven is not", async ({ page }) => {
  test.slow();
  await signUp(page);
  await page.goto("/dashboard?tab=validate");
  const list = listAddresses(9_000_000);
  await paste(page, list);
  await expect.poll(() => countKept(page), PATIENTLY).toBe(1);
  await page.goto("/account-settings");
  await page.goto("/dashboard?tab=validate");
  const readLength = () =>
    page.getByLabel(FIELD).evaluate((field: HTMLTextAreaElement) => field.value.length);
  await expect.poll(readLength, PATIENTLY).toBe(list.length);
  expect(await page.getByLabel(FIELD).inputValue()).toBe(list);
  await paste(page, listAddresses(11_000_000));
  await expect.poll(() => countKept(page), PATIENTLY).toBe(0);
});

test("[PEN-042] what was typed is kept for a day, in this tab, and without passwords", async ({ page }) => {
  await page.clock.install();
  const email = await signUp(page);
  await page.goto("/dashboard?tab=validate");
  await page.getByLabel(FIELD).fill(LIST);
  await page.clock.runFor(1_000);
  expect(await countKept(page)).toBe(1);
  const other = await page.context().newPage();
  await other.goto("/dashboard?tab=validate");
  await expect(other.getByLabel(FIELD)).toHaveValue("");
  await other.close();
  await page.goto("/account-settings?tab=password");
  for (const field of await page.locator('input[type="password"]').all()) await field.fill("never kept");
  await page.clock.runFor(1_000);
  await page.goto("/account-settings?tab=profile");
  const kept = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  expect(kept).not.toContain("never kept");
  expect(kept).not.toContain(email);
  await page.clock.setSystemTime(Date.now() + 24 * 60 * 60 * 1000 + 60_000);
  await page.goto("/dashboard?tab=validate");
  await expect(page.getByLabel(FIELD)).toHaveValue("");
  expect(await countKept(page)).toBe(0);
});

test("[PEN-042] another person who signs in on the tab sees none of it, and it is gone", async ({ page }) => {
  const email = await signUp(page);
  const other = await enrolAccount(page.request);
  await page.goto("/dashboard?tab=validate");
  await page.getByLabel(FIELD).fill(LIST);
  await page.goto("/account-settings?tab=profile");
  await page.getByLabel("Name", { exact: true }).fill("Nora Newer");
  await expireSession(page);
  await press(page, "Save profile");
  await signInAgain(page, other);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText("Welcome, Nora New")).toBeVisible();
  await expect(page.getByLabel(FIELD)).toHaveValue("");
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(
    "ana@gmail.com",
  );
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
  await page.goto("/?login=true");
  await enterPassword(page, email);
  await expect(page.getByText("Welcome, Nora New")).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByLabel(FIELD)).toHaveValue("");
});

test("[PEN-042] [DEC-043] logging out by hand asks first when a list was not sent", async ({ page }) => {
  await signUp(page);
  await page.goto("/dashboard?tab=validate");
  await page.getByLabel(FIELD).fill(LIST);
  await page.getByRole("link", { name: "History" }).first().click();
  const logout = page.getByRole("button", { name: "Logout" });
  await logout.click();
  const question = page.getByRole("dialog", { name: "Log out without sending your list?" });
  await expect(question).toBeVisible();
  expect(await findAccessibilityIssues(page)).toEqual([]);
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(question).toBeHidden();
  await page.goto("/dashboard?tab=validate");
  await expect(page.getByLabel(FIELD)).toHaveValue(LIST);
  await logout.click();
  await question.getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
  expect(await countKept(page)).toBe(0);
});

test("[PEN-042] logging out does not ask about a single address", async ({ page }) => {
  await signUp(page);
  await page.goto("/dashboard?tab=validate");
  await page.getByLabel(FIELD).fill("ana@gmail.com");
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
});

test("[J7] [AUTH-015] a token that is refused is removed also where no page session is left", async ({
  page,
}) => {
  await signUp(page);
  await expireSession(page);
  await page.context().clearCookies();
  await page.goto("/documentation");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  await expect(page).toHaveURL(/\/documentation$/);
});
