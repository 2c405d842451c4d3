// The landing page, where it moves: menu, demo, prices, cookies, trying an address, signing up for a plan.
import { expect, type Page } from "@playwright/test";

import { test } from "./cast";
import { enterPassword, createAddress, PASSWORD, signUp, verifyAddress } from "./newcomer";

async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number;
          })[])
            sum += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}

test("[PUB-001] the menu of a phone opens, closes on Escape and leads to a section", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  const menu = page.getByRole("navigation", { name: "Menu" });
  await expect(menu).toBeHidden();
  await page.getByLabel("Menu", { exact: true }).first().click();
  await expect(menu.getByRole("link")).toHaveText([
    "Features",
    "Pricing",
    "Demo Video",
    "API Docs",
    "About",
    "Contact",
  ]);
  await expect(menu.getByRole("button", { name: "Start Free Trial" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await page.getByLabel("Menu", { exact: true }).first().click();
  await menu.getByRole("link", { name: "Pricing" }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole("heading", { name: "Pricing", exact: true })).toBeInViewport();
  await page.mouse.wheel(0, 2_000);
  await expect(page.getByLabel("Menu", { exact: true }).first()).toBeInViewport();
});

test("[PUB-002] [PUB-003] [PUB-012] the demo is a walkthrough that keys turn and Escape closes", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Demo Video" }).first().click();
  const demo = page.getByRole("dialog", { name: "EmailCheck in one minute" });
  await expect(demo.getByText("Upload a list.")).toBeVisible();
  await expect(demo.getByRole("button", { name: "Play" })).toBeVisible();
  // The scenes are loaded when they are first wanted; until then there is nobody to hear the key.
  await expect(async () => {
    if (await demo.getByText("1 of 4").isVisible()) await page.keyboard.press("ArrowRight");
    await expect(demo.getByText("2 of 4")).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expect(demo.getByText("The servers are asked.")).toBeVisible();
  await expect(demo.getByText("Upload a list.")).toBeHidden();
  await demo.getByRole("button", { name: "Back" }).click();
  await demo.getByRole("button", { name: "Back" }).click();
  await expect(demo.getByText("4 of 4")).toBeVisible();
  await demo.getByRole("button", { name: "Play" }).click();
  await expect(demo.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(demo).toBeHidden();
  await page.goto("/documentation");
  await page.getByRole("link", { name: "Demo Video" }).first().click();
  await expect(demo).toBeVisible();
  await demo.getByLabel("Close").click();
  await expect(demo).toBeHidden();
  await page.getByRole("button", { name: "Schedule Demo" }).click();
  await expect(page.getByText("Demo scheduling feature coming soon!")).toBeVisible();
});

test("[PUB-010] [PUB-013] the choice about cookies is kept, and changed from the footer", async ({
  page,
}) => {
  await page.goto("/");
  const bar = page.getByRole("region", { name: "Cookies" });
  const chat = page.getByRole("contentinfo").getByRole("button", { name: /chat/ });
  await expect(chat).toHaveText("Live chat needs your consent");
  // There is no chat to ask about here: the choice is offered, and asked for where it is used.
  await expect(bar).toBeHidden();
  await page.getByRole("button", { name: "Cookie settings" }).click();
  await expect(bar).toBeVisible();
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02);
  await bar.getByRole("button", { name: "Decline" }).click();
  await expect(bar).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem("cookie_consent"))).toBe("declined");
  await page.reload();
  await expect(bar).toBeHidden();
  await chat.click();
  await expect(bar).toBeVisible();
  await bar.getByRole("button", { name: "Accept" }).click();
  expect(await page.evaluate(() => localStorage.getItem("cookie_consent"))).toBe("accepted");
  await expect(chat).toHaveText("Open live chat");
  // No chat is configured here: it says so, and nothing is loaded.
  await expect(page.getByText("Chat widget not available. Please refresh the page.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Cookie settings" }).click();
  await expect(bar).toBeVisible();
});

test.describe("beyond the tries of an hour", () => {
  test.use({ refusalsExpected: true });

  test("[PUB-017] a visitor tries three addresses, sees the evidence, and is asked to sign up", async ({
    page,
  }) => {
    await page.goto("/");
    const box = page.locator("#try");
    await expect(box.getByText("An example of an answer")).toBeVisible();
    const answered = page.waitForResponse("**/api/try");
    await box.getByRole("button", { name: "gone.keller@gmail.com" }).click();
    expect((await answered).status()).toBe(200);
    await expect(box.getByText("An example of an answer")).toBeHidden();
    await expect(box.getByText("Do not send", { exact: true })).toBeVisible();
    await expect(box.getByText("2 tries left.")).toBeVisible();
    await box.getByText(/All \d+ checks and the conversation/).click();
    await expect(box.getByLabel("Conversation with the mail server")).toContainText("gone.keller@gmail.com");
    const field = box.getByLabel("Try it with any address");
    await field.fill("not an address");
    await field.press("Enter");
    await expect(box.getByText("Please enter a valid email address")).toBeVisible();
    for (const [name, left] of [
      ["anna", "1 try left."],
      ["tom", "That was the last try of this hour."],
    ] as const) {
      await field.fill(`${name}.keller@gmail.com`);
      await box.getByRole("button", { name: "Check" }).click();
      await expect(box.getByText(left)).toBeVisible();
    }
    await field.fill("ida.holm@harborquill.com");
    await field.press("Enter");
    await box.getByRole("button", { name: "Sign up to check more" }).click();
    await expect(page.getByRole("dialog", { name: "Create your account" })).toBeVisible();
  });
});

test("[PEN-028] the free start says what it brings; Growth is tried inside, as a second step", async ({
  page,
}) => {
  await page.goto("/");
  const start = page.getByRole("main").getByRole("button", { name: "Start Free Trial" }).first();
  await expect(start).toHaveAccessibleDescription("100 full checks, no card needed");
  await expect(page.getByText("100 full checks, no card needed").first()).toBeInViewport();
  await start.click();
  await expect(page.getByRole("dialog", { name: "Create your account" })).toBeVisible();
  await signUp(page);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Start Free Trial" })).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Open the dashboard" }).first().click();
  await expect(page).toHaveURL(/\/dashboard(\?|$)/);
  await page.goto("/dashboard?tab=pricing");
  await expect(page.getByRole("heading", { name: "Try Growth for 14 days" })).toBeVisible();
  await page.getByRole("button", { name: "Start Growth trial" }).click();
  await expect(page.getByText("Your 14-day Growth trial has started. 100 credits were added.")).toBeVisible();
});

test("[PUB-008] [PUB-015] prices switch, and the plan that was chosen waits after signing in", async ({
  page,
}) => {
  await page.goto("/");
  const prices = page.locator("#pricing");
  await prices.getByText("Pay As You Go").click();
  await expect(prices.getByText("$0.0089 per credit, never expires")).toBeVisible();
  await expect(prices.getByText("Save 17%")).toBeHidden();
  await prices.getByText("Monthly Pricing").click();
  await prices.getByText("Yearly", { exact: true }).click();
  await expect(prices.getByText("$787 billed yearly")).toBeVisible();
  await prices.getByRole("button", { name: "Choose Growth" }).click();
  const dialog = page.getByRole("dialog", { name: "Create your account" });
  await expect(dialog).toContainText("You chose Growth, $787 billed yearly");
  const email = createAddress();
  await dialog.getByLabel("Full Name").fill("Nora New");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("dialog", { name: "Check your email" })).toBeVisible();
  await verifyAddress(page, email);
  await page.goto("/?login=true");
  await enterPassword(page, email);
  await expect(page).toHaveURL(/\/dashboard\?tab=pricing&billing=yearly&plan=growth$/);
  await expect(page.getByText("Your choice")).toBeVisible();
});
