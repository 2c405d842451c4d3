// The API reference, and its console: a test key is made and used from the page.
import { expect } from "@playwright/test";

import { signInByCall, test } from "./cast";
import { expectAccessible } from "./page-checks";

test.describe("at 390 px in the dark", () => {
  test.use({ colorScheme: "dark", viewport: { width: 390, height: 844 } });

  test("[DOC-012] the reference is read without a sign-in", async ({ page }) => {
    await page.goto("/api-docs");
    await expect(page.getByRole("heading", { name: "API reference", level: 1 })).toBeVisible();
    await page.getByText("Contents", { exact: true }).click();
    await page.getByRole("link", { name: "Check one address" }).last().click();
    await expect(page.getByRole("heading", { name: "Check one address" })).toBeInViewport();
    // Some parts stand for the many that are made alike.
    await expectAccessible(
      page,
      "#start",
      "#validate-batch-results",
      "#limits",
      "#request-log",
      ".ref-contents",
    );
    await page.getByRole("button", { name: "Try it: Check one address" }).click();
    await expect(page.getByRole("dialog").getByRole("link", { name: "Sign in" })).toBeVisible();
    await expectAccessible(page, "[role=dialog]");
  });
});

test("[DOC-012] [DOC-034] a test key is made on the page; single, file and results are tried with it", async ({
  page,
}) => {
  await signInByCall(page);
  await page.goto("/api-docs");
  await page.getByRole("button", { name: "Try it: Check one address" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create a test key" }).click();
  await expect(dialog.getByLabel("Test key")).toHaveValue(/^ec_test_/);
  await dialog.getByLabel("Body (JSON)").press("Control+Enter");
  const answer = dialog.getByLabel("Answer", { exact: true });
  await expect(answer.getByRole("status")).toContainText("200");
  await expect(answer).toContainText('"category": "valid"');
  await expect(answer).toContainText("X-Credits-Remaining");
  await expectAccessible(page, "[role=dialog]");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Try it: Check a file" }).click();
  const buffer = Buffer.from("catch_all@test.emailcheck.app\ninvalid@test.emailcheck.app\n");
  await dialog.getByLabel("file").setInputFiles({ name: "try.txt", mimeType: "text/plain", buffer });
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(answer).toContainText('"filename": "try.txt"');
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Try it: Progress of a list" }).click();
  await expect(dialog.getByLabel("batch_id")).toHaveValue(/^bat_/);
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(answer.getByRole("status")).toContainText("200");
  expect(await page.evaluate(() => localStorage.getItem("try_it_key"))).toBeNull();
});
