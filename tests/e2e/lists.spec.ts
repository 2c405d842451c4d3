// A file on its way: upload, columns, review, progress, and back out again.
import { readFileSync } from "node:fs";

import { expect, type Download, type Page } from "@playwright/test";

import { BOB, PATIENTLY, getSamplePath, signIn, test } from "./cast";

const TWO_COLUMNS = [
  "Kunde;privat;geschäftlich",
  "1;anna.keller@gmail.com;gone@gmail.com",
  "2;Anna.Keller@gmail.com;former@outlook.com",
  "3;visitor@mailinator.com;",
].join("\r\n");

async function upload(
  page: Page,
  name: string,
  text: string,
  encoding: BufferEncoding = "utf8",
): Promise<void> {
  const file = {
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(text, encoding),
  };
  await page.getByLabel("File with addresses").setInputFiles(file);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Columns" })).toBeFocused();
}

/** The last choice was answered. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator(".draft [aria-busy='true']")).toHaveCount(0);
}

async function saved(page: Page, entry: RegExp): Promise<Download> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("dialog").getByRole("button", { name: entry }).click(),
  ]);
  return file;
}

test("[VAL-045] [VAL-072] [VAL-073] upload, columns, review, progress, export", async ({ page }) => {
  await signIn(page);
  await page.getByLabel("File with addresses").setInputFiles(getSamplePath("customers-200.xlsx"));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("checkbox", { name: /E-mail/ })).toBeChecked();
  await page.getByRole("button", { name: "Continue" }).click();
  // What was checked before is free.
  await expect(page.getByText(/^(At most \d+ credits?|No credits)$/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Upload" }).getByRole("definition")).toHaveText([
    "200",
    "194",
    "6",
    "0",
    "9",
  ]);
  await page.getByLabel("Keep file and results for").selectOption({ label: "7 days" });
  await page.getByLabel("Keep the addresses with us").click();
  await page.getByRole("button", { name: "Start validation" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Total 194")).toBeVisible();
  await expect(dialog.getByRole("link", { name: "View Results" })).toBeVisible(PATIENTLY);
  await dialog.getByRole("link", { name: "View Results" }).click();
  await expect(page.getByText("1–50 of 194")).toBeVisible();

  await page.getByRole("button", { name: "Download", exact: true }).click();
  const original = await saved(page, /Original file with results/);
  expect(original.suggestedFilename()).toMatch(/^batch-customers-200-with-results-.*\.xlsx$/);
  expect(
    readFileSync(await original.path())
      .subarray(0, 2)
      .toString(),
  ).toBe("PK");
  const safe = await saved(page, /Safe to send/);
  const shown = await page
    .getByRole("dialog")
    .getByRole("button", { name: /Safe to send/ })
    .textContent();
  const lines = readFileSync(await safe.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(shown).toBe(`Safe to send${lines.length - 1}`);
});

test("[VAL-045] [VAL-024] another column is chosen in place, and Back leads there again", async ({
  page,
}) => {
  await signIn(page);
  await upload(page, "kunden.csv", TWO_COLUMNS, "latin1");
  await expect(page.getByLabel("Delimiter")).toHaveValue(";");
  await expect(page.getByLabel("Encoding")).toHaveValue("cp1252");
  await expect(page.getByRole("checkbox", { name: /privat/ })).toBeChecked();
  await page.getByRole("checkbox", { name: /geschäftlich/ }).check();
  await page.getByRole("checkbox", { name: /privat/ }).uncheck();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("region", { name: "Upload" }).getByRole("definition")).toHaveText([
    "3",
    "2",
    "0",
    "1",
    "0",
  ]);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("checkbox", { name: /privat/ }).check();
  await page.getByRole("checkbox", { name: /geschäftlich/ }).uncheck();
  await settled(page);
  await page.reload();
  await expect(page.getByRole("checkbox", { name: /privat/ })).toBeChecked();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("region", { name: "Upload" }).getByRole("definition")).toHaveText([
    "3",
    "2",
    "1",
    "0",
    "0",
  ]);
  await page.getByRole("button", { name: "Start validation" }).click();
  await expect(page.getByText("Validation complete! 1 valid, 0 invalid")).toBeVisible();
  await page.getByRole("link", { name: "View Results" }).click();
  await page.getByRole("button", { name: "Download", exact: true }).click();
  const text = readFileSync(await (await saved(page, /Original file/)).path(), "latin1").split("\r\n");
  expect(text.map((line) => line.split(";").slice(0, 5).join(";"))).toEqual([
    "Kunde;privat;geschäftlich;email_checked;category",
    "1;anna.keller@gmail.com;gone@gmail.com;anna.keller@gmail.com;valid",
    "2;Anna.Keller@gmail.com;former@outlook.com;Anna.Keller@gmail.com;valid",
    "3;visitor@mailinator.com;;visitor@mailinator.com;disposable",
  ]);
});

test("[VAL-045] the keyboard is enough, and Remove file takes nothing", async ({ page }) => {
  await signIn(page, BOB);
  await expect(page.getByText(/^\d+ credits$/)).toBeVisible();
  const credits = await page.getByText(/^\d+ credits$/).textContent();
  await upload(page, "kunden.csv", TWO_COLUMNS);
  await page.getByRole("checkbox", { name: /privat/ }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(page.getByRole("checkbox", { name: /geschäftlich/ })).toBeChecked();
  await settled(page);
  await page.getByRole("button", { name: "Continue" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Review" })).toBeFocused();
  await page.getByRole("button", { name: "Remove file" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Choose a file" })).toBeVisible();
  await expect(page.getByText(/^\d+ credits$/)).toHaveText(credits ?? "");
});
