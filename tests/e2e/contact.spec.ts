// The contact page in a browser: sent without leaving the page, refused, out of reach, and without scripts.
import { expect, type Page } from "@playwright/test";

import { test } from "./cast";

const FAILED = "Failed to send message. Please try again or use live chat.";
const SENT = "Message sent successfully! We'll respond within 24 hours.";

async function fill(page: Page): Promise<void> {
  await page.getByLabel("Name").fill("Ida Holm");
  await page.getByLabel("Email", { exact: true }).fill("ida@holm.org");
  await page.getByLabel("Message", { exact: true }).fill("How many at once?");
}

function send(page: Page): Promise<void> {
  return page.getByRole("button", { name: "Send message" }).click();
}

test("[PUB-031] [PUB-034] [PUB-087] a message is completed, sent, and replaced by the banner", async ({
  page,
}) => {
  await page.goto("/contact?subject=Refund%20request");
  await expect(page.getByLabel("Subject")).toHaveValue("Refund request");
  await send(page);
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page.getByText("name: this field is required")).toBeVisible();
  await fill(page);
  await expect(page.getByText("name: this field is required")).toBeHidden();
  await send(page);
  await expect(page.getByRole("heading", { name: SENT })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send message" })).toBeHidden();
  expect(new URL(page.url()).pathname).toBe("/contact");
});

test.describe("what cannot be sent", () => {
  test.use({ refusalsExpected: true, failuresExpected: true });

  test("[J4] [PUB-035] says so, in a toast too, keeps what was written, and can be sent again", async ({
    page,
  }) => {
    await page.goto("/contact?subject=Lists");
    await fill(page);
    await page.route("**/api/contact/send", (route) => route.fulfill({ status: 503 }));
    await send(page);
    await expect(page.getByRole("alert")).toHaveText(FAILED);
    await expect(page.locator("[data-sonner-toast]")).toHaveText(FAILED);
    await page.unroute("**/api/contact/send");
    await page.getByLabel("Email", { exact: true }).fill("ida@holm");
    await send(page);
    await expect(page.getByLabel("Email", { exact: true })).toBeFocused();
    await expect(page.getByText("Enter a valid email address.")).toBeVisible();
    await expect(page.getByRole("alert")).toBeHidden();
    await page.getByLabel("Email", { exact: true }).fill("ida@holm.org");
    await send(page);
    await expect(page.getByRole("heading", { name: SENT })).toBeVisible();
  });
});

test("[PUB-032] [SET-031] a chat that is not there says so", async ({ page }) => {
  await page.goto("/contact");
  await page.getByRole("main").getByRole("button", { name: "Live chat needs your consent" }).click();
  await page.getByRole("button", { name: "Accept" }).click();
  await expect(page.getByText("Chat widget not available. Please refresh the page.")).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("[PUB-034] a message arrives all the same", async ({ page }) => {
    await page.goto("/contact?subject=Lists");
    await fill(page);
    await send(page);
    await expect(page.getByRole("heading", { name: SENT })).toBeVisible();
    await expect(page.getByRole("button", { name: "Send message" })).toBeHidden();
  });
});

test("[PUB-090] signing in from the integrations leads to the webhooks", async ({ page }) => {
  await page.goto("/integrations");
  await page.getByRole("button", { name: "Sign in to add a webhook" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByLabel("Email").fill("bob@birchworks.net");
  await dialog.getByLabel("Password").fill("sandbox-2026");
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/account-settings\?tab=profile#webhooks$/);
});
