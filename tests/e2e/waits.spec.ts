// Lists that wait for an operator: a copy of the product that may ask two of them only seldom.
import { readFileSync } from "node:fs";

import { expect, type Locator, type Page } from "@playwright/test";

import { callApi } from "./calls";
import { ALICE, test as base } from "./cast";
import { expectReadable } from "./page-checks";
import { signInAt, startSlowProduct, type Product } from "./product";

const YAHOO_A_MINUTE = 600;
const ROWS_AT_YAHOO = 500;
const OTHER_ROWS = 40;

const test = base.extend<object, { slow: Product }>({
  slow: [
    // Playwright reads what a fixture needs from its first argument.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, run) => {
      const product = await startSlowProduct({ yahoo: YAHOO_A_MINUTE, gmx: 1 });
      await run(product);
      await product.end();
    },
    { scope: "worker", timeout: 240_000 },
  ],
});

test.describe.configure({ mode: "serial", timeout: 300_000 });

const addresses = (count: number, domain: string): string[] =>
  Array.from({ length: count }, (_, index) => `rosa.winter${index}@${domain}`);

async function review(page: Page, { address }: Product, name: string, rows: string[]): Promise<void> {
  await signInAt(page, address, ALICE, "sandbox-2026");
  await page.goto(`${address}/dashboard`);
  const file = {
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(["email", ...rows].join("\n")),
  };
  await page.getByLabel("File with addresses").setInputFiles(file);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Review" })).toBeFocused();
}

async function soFar(page: Page, dialog: Locator): Promise<string[]> {
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download results so far" }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^batch-patient-so-far-.*\.csv$/);
  return readFileSync(await saved.path(), "utf8")
    .trimEnd()
    .split("\r\n");
}

test("[A1] [A6] a list that waits for an operator says so, and ends with every answer", async ({
  page,
  slow,
}) => {
  const rows = [...addresses(ROWS_AT_YAHOO, "yahoo.com"), ...addresses(OTHER_ROWS, "gmail.com")];
  await review(page, slow, "patient.csv", rows);
  await expect(
    page.getByText("About 50 s: Yahoo takes its time, 500 addresses at 600 a minute."),
  ).toBeVisible();
  await page.getByRole("button", { name: "Start validation" }).click();

  const dialog = page.getByRole("dialog");
  const waiting = dialog.getByRole("list", { name: "What rows wait for" });
  await expect(waiting).toHaveText(/^\d+ rows wait for Yahoo's limit, (about \d+ s|due now)$/, {
    timeout: 60_000,
  });
  await expect(dialog.getByText(/^\d+ rows wait$/)).toBeVisible();
  // Rows are in the file when the part of the list that they came with is written.
  await expect(async () => {
    const found = (await soFar(page, dialog)).length - 1;
    expect(found).toBeGreaterThanOrEqual(OTHER_ROWS);
    expect(found).toBeLessThan(rows.length);
  }).toPass({ timeout: 40_000 });
  await expectReadable(page);

  await dialog.getByRole("link", { name: "View Results", exact: true }).click({ timeout: 180_000 });
  await expect(page.getByText(`1–50 of ${rows.length}`)).toBeVisible();
  const path = `${slow.address}/api${new URL(page.url()).pathname.replace("dashboard", "validate")}`;
  const batch = await callApi<{ unknown_count: number; valid_count: number }>(page, "GET", path);
  expect([batch.valid_count, batch.unknown_count]).toEqual([rows.length, 0]);
});

test("[A6] a list of more than a day says so before it costs anything", async ({ page, slow }) => {
  await review(page, slow, "years.csv", addresses(1_500, "gmx.de"));
  await expect(page.getByText("This list takes more than a day: 1 day 1 h at least.")).toBeVisible();
  const start = page.getByRole("button", { name: "Start validation" });
  await expect(start).toBeDisabled();
  await expectReadable(page);
  await page.getByLabel("Start it although it takes 1 day 1 h").check();
  await expect(start).toBeEnabled();
  await page.getByRole("button", { name: "Remove file" }).click();
  await expect(page.getByRole("button", { name: "Choose a file" })).toBeVisible();
});
