// What to do after a list: three steps, each with its files, and a slider between reach and risk.
import { readFileSync } from "node:fs";

import { expect, type Download, type Locator, type Page } from "@playwright/test";

import { callApi } from "./calls";
import { getSamplePath, PATIENTLY, signInByCall, test } from "./cast";
import { expectReadable, expectReadablePage } from "./page-checks";

interface Counts {
  status: string;
  safe_to_send_count: number;
  risky_count: number;
}

/** Checks some of the sample's addresses by a call. */
async function checkList(page: Page): Promise<{ id: string; counts: Counts }> {
  await signInByCall(page);
  const lines = readFileSync(getSamplePath("customers-200.csv"), "utf8").split(/\r?\n/);
  const found = lines.flatMap((line) => /[^",;\s]+@[^",;\s]+\.[a-z]+/.exec(line)?.[0] ?? []);
  const emails = [...new Set(found.map((email) => email.toLowerCase()))].slice(0, 60);
  const { batch_id: id } = await callApi<{ batch_id: string }>(page, "POST", "/api/validate/bulk", {
    emails,
  });
  const load = () => callApi<Counts>(page, "GET", `/api/validate/batch/${id}?limit=1`);
  await expect.poll(async () => (await load()).status, PATIENTLY).toBe("completed");
  return { id, counts: await load() };
}

async function save(page: Page, button: Locator): Promise<Download> {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return file;
}

async function readLines(file: Download): Promise<string[]> {
  return readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split("\r\n");
}

test("[REP-034] from the results to three steps, whose files hold what they say", async ({ page }) => {
  const { id, counts } = await checkList(page);
  await page.goto(`/dashboard/batch/${id}`);
  await page.getByRole("link", { name: "Next steps" }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/batch/${id}/next-steps$`));
  await expect(page.getByRole("heading", { level: 1, name: "Next steps" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "1. Send to the safe ones",
    "2. Decide about risky and unknown",
    "3. Suppress the rest",
    "Everything at once",
    "How to import",
  ]);

  const safe = await save(page, page.getByRole("button", { name: "Download safe addresses for Brevo" }));
  expect(safe.suggestedFilename()).toMatch(/-brevo-safe-.*\.csv$/);
  const lines = await readLines(safe);
  expect(lines[0]).toBe('"EMAIL","FIRSTNAME","LASTNAME","EMAIL_VERDICT"');
  expect(lines).toHaveLength(counts.safe_to_send_count + 1);

  const slider = page.getByRole("slider", { name: "How far do you want to go?" });
  await slider.focus();
  await page.keyboard.press("End");
  const all = counts.safe_to_send_count + counts.risky_count;
  await expect(slider).toHaveAttribute(
    "aria-valuetext",
    new RegExp(`^All but do not send: ${all} addresses`),
  );
  const chosen = await save(page, page.getByRole("button", { name: "Download exactly these as CSV" }));
  expect(await readLines(chosen)).toHaveLength(all + 1);

  await page.getByText("Mailchimp", { exact: true }).last().click();
  await expect(page.getByText(/Match Tags to Tags/)).toBeVisible();
  await expectReadablePage(page);
});

test("[REP-031] [REP-028] all in one zip, and parts of the results, from the dialog", async ({ page }) => {
  const { id } = await checkList(page);
  await page.goto(`/dashboard/batch/${id}`);
  await page.getByRole("button", { name: "Download", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Download results" });
  const zip = await save(page, dialog.getByRole("button", { name: /All in one zip/ }));
  expect(zip.suggestedFilename()).toMatch(/-all-in-one-.*\.zip$/);
  expect(
    readFileSync(await zip.path())
      .subarray(0, 4)
      .toString("latin1"),
  ).toBe("PK\u0003\u0004");

  const role = dialog.getByRole("button", { name: /^Role addresses/ });
  const count = Number(await role.locator(".nums").textContent());
  const part = await save(page, role);
  expect(await readLines(part)).toHaveLength(count + 1);
  await dialog.getByRole("combobox", { name: "Format" }).selectOption("HubSpot");
  await expect(dialog.getByText(/Imports without mapping/)).toBeVisible();
  await dialog.getByText("Columns and formulas").click();
  await dialog.getByRole("checkbox", { name: /Leave formulas as they are/ }).check();
  await expect(dialog.getByText("Programs that run formulas may run these cells")).toBeVisible();
  await expectReadable(page);
});
