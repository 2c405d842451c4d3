// A file whose upload is cut: the page says so, and sends it by itself once there is a connection again.
import { randomUUID } from "node:crypto";

import { expect } from "@playwright/test";

import { test } from "./cast";
import { signUp } from "./newcomer";

const OFFLINE = "You are offline. The upload continues by itself.";
const INSPECT = "**/api/validate/upload/inspect";

// What the page asks for in the moment in which the connection goes is refused by the browser, which says so.
test.use({ failuresExpected: true });

test("[REP-046] [E5] an upload without connection says so within 3 s and goes on by itself", async ({
  page,
  context,
}) => {
  await signUp(page);
  await page.goto("/dashboard");
  let sent = 0;
  let cut = (): void => undefined;
  const isCut = new Promise<void>((resolve) => (cut = resolve));
  await page.route(INSPECT, async (route) => {
    sent += 1;
    // The first one is on its way when the connection goes.
    if (sent === 1) await isCut;
    await route.continue().catch(() => undefined);
  });
  const rows = Array.from({ length: 20 }, (_, at) => `rosa.${randomUUID().slice(0, 8)}.${at}@gmail.com`);
  const file = {
    name: "newsletter.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["email", ...rows].join("\n")),
  };
  await page.getByLabel("File with addresses").setInputFiles(file);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText(/^Uploading|^Uploaded/)).toBeVisible();
  await expect.poll(() => sent).toBe(1);

  await context.setOffline(true);
  await expect(page.getByText(OFFLINE)).toBeVisible({ timeout: 3_000 });
  cut();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Review" })).toHaveCount(0);
  expect(sent).toBe(1);

  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Review" })).toBeFocused();
  await expect(page.getByText(OFFLINE)).toHaveCount(0);
  expect(sent).toBe(2);
  await expect(page.getByText("20 rows", { exact: false }).first()).toBeVisible();
});

test("[REP-046] a file chosen without connection is sent when there is one", async ({ page, context }) => {
  await signUp(page);
  await page.goto("/dashboard");
  const file = {
    name: "late.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("email\nrosa@gmail.com\n"),
  };
  await page.getByLabel("File with addresses").setInputFiles(file);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText(OFFLINE)).toBeVisible({ timeout: 3_000 });
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Review" })).toBeFocused();
});
