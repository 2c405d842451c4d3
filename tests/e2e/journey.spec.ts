// What a newcomer does in the first two minutes.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

import { expect } from "@playwright/test";

import { PATIENTLY, getSamplePath, signIn, test, validateFile } from "./cast";

const today = /\d{4}-\d{2}-\d{2}\.csv$/;

test("[AUTH-005] [DASH-008] a demo login is one press away and welcomes by name", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /Customer on Growth/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Welcome back!")).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByText("Welcome, Alice Alder")).toBeVisible();
  await expect(page.getByText(/^[\d,]+ credits$/)).toBeVisible();
});

test("[VAL-010] [VAL-037] [VAL-061] a file goes in, verdicts and a CSV come out", async ({ page }) => {
  await signIn(page);
  await validateFile(page, getSamplePath("customers-200.csv"));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Total 194")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Close" })).toBeVisible(PATIENTLY);
  await expect(page.getByText("Batch processing complete! Validated 194 emails successfully!")).toBeVisible();
  await dialog.getByRole("link", { name: "View Results" }).click();

  await expect(page.getByRole("heading", { name: "customers-200.csv", level: 1 })).toBeVisible();
  await expect(page.getByText("1–50 of 194")).toBeVisible();
  await page.getByRole("searchbox").fill("gone.peter.novak@gmail.com");
  await expect(page.getByText("1 match", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/search=gone\.peter\.novak/);
  await expect(page.getByRole("row", { name: /gone\.peter\.novak/ })).toContainText("Invalid");
  await page.getByRole("button", { name: "gone.peter.novak@gmail.com" }).click();
  await expect(
    page.getByRole("region", { name: "Validation Details" }).getByText(/^550/).first(),
  ).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Download", exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /All results/ }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^batch-customers-200-/);
  expect(file.suggestedFilename()).toMatch(today);
  const lines = readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split(/\r?\n/);
  expect(lines).toHaveLength(195);
});

test("[VAL-013] [VAL-029] one address shows its verdict, its checks and the conversation", async ({
  page,
}) => {
  await signIn(page);
  await page.getByLabel("Single address").fill("anna.keller@gmail.com");
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  const report = page.getByRole("region", { name: "anna.keller@gmail.com" });
  await expect(report.getByText("Safe to send")).toBeVisible();
  await expect(report.getByText("Not checked: no trap list is configured")).toBeVisible();
  await report.getByText("Technical details").click();
  await expect(report.getByText("RCPT TO:<anna.keller@gmail.com>")).toBeVisible();
});

// Not for the greylisting one: who came back after the lists of other tests is let in.
test("the examples of the sandbox get the verdicts that they announce", async ({ page }) => {
  await signIn(page);
  const examples = page.getByRole("group", { name: /Press an example/ }).getByRole("button");
  await expect(examples).toHaveText([
    /^Valid anna\.keller@gmail\.com$/,
    /^Invalid gone\.keller@gmail\.com$/,
    /^Catch-all tom\.reed@velvetcircuit\.com$/,
    /^Disposable anything@mailinator\.com$/,
    /^Come back later ida\.holm@patientpine\.org$/,
    /^Unknown someone@not-in-this-world\.com$/,
  ]);
  const verdicts = [
    ["anna.keller@gmail.com", "Valid", "Mailbox exists"],
    ["gone.keller@gmail.com", "Invalid", "No such mailbox"],
    ["tom.reed@velvetcircuit.com", "Catch-all", "Server accepts every address"],
    ["anything@mailinator.com", "Disposable", "Throw-away address"],
    ["someone@not-in-this-world.com", "Unknown", "Domain could not be looked up"],
  ] as const;
  for (const [address, category, reason] of verdicts) {
    await examples.filter({ hasText: address }).click();
    const report = page.getByRole("region", { name: address });
    await expect(report.locator(".verdict .badge")).toHaveText(category);
    await expect(report.getByText(reason, { exact: true })).toBeVisible();
  }
});

test("an address of the sandbox's page is taken along to the Validate tab", async ({ page }) => {
  await signIn(page);
  await page.getByRole("link", { name: "all simulated addresses" }).click();
  await page.getByRole("link", { name: "anna.keller+news@gmail.com" }).click();
  await expect(page.getByLabel("Single address")).toHaveValue("anna.keller+news@gmail.com");
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  await expect(page.getByRole("region", { name: "anna.keller+news@gmail.com" })).toContainText(
    "Safe to send",
  );
});

test("[VAL-010] [VAL-012] the sample file is answered at once", async ({ page }) => {
  await signIn(page);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download a sample file" }).click(),
  ]);
  const upload = {
    name: "sample.csv",
    mimeType: "text/csv",
    buffer: readFileSync(await file.path()),
  };
  await validateFile(page, upload);
  await expect(page.getByText("Validation complete! 2 valid, 3 invalid")).toBeVisible();
  const summary = page.getByRole("region", { name: "8 addresses validated" });
  await expect(summary.getByRole("row")).toHaveCount(6);
  await expect(summary.getByRole("row", { name: /velvetcircuit/ })).toContainText("Catch-all");
});

// The other types by the API, in validation/batches/tests/test_lists.py.
test("[VAL-001] [VAL-030] an .xlsx file gives the same list as the .csv file", async ({ page }) => {
  await signIn(page);
  await validateFile(page, getSamplePath("customers-200.xlsx"));
  await expect(page.getByText("Batch processing complete! Validated 194 emails successfully!")).toBeVisible(
    PATIENTLY,
  );
  const dialog = page.getByRole("dialog", { name: "List finished" });
  await dialog.getByRole("link", { name: "View Results" }).click();
  await page.getByRole("searchbox").fill("gone.peter.novak@gmail.com");
  await expect(page.getByRole("row", { name: /gone\.peter\.novak/ })).toContainText("Invalid");
});

test("[VAL-007] [VAL-051] [VAL-054] a pasted list is in the history with its export", async ({ page }) => {
  await signIn(page);
  // Of addresses that were checked before there would be something to decide.
  const gone = `gone.${randomUUID().slice(0, 8)}@gmail.com`;
  await page.getByLabel("Paste a list").fill(`${gone.slice(5)}\n${gone}\n\nnot-an-address\n`);
  await page.getByRole("button", { name: "Validate list" }).click();
  await expect(page.getByText("Batch processing complete! Validated 3 emails successfully!")).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "History" }).click();
  const card = page.getByRole("article").filter({ hasText: "3 addresses" }).first();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    card.getByRole("button", { name: "Export", exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^bulk-validation-/);
  const text = readFileSync(await file.path(), "utf8");
  expect(text).toContain('"Total","3"');
  expect(text).toContain(`"${gone}","invalid","Do not send","0%"`);
});

test("[VAL-014] [VAL-036] [VAL-042] a running list goes on in the background and is resumed", async ({
  page,
}) => {
  test.slow();
  await signIn(page);
  // A host that takes 0.4 s for every reply keeps the list from ending before the page is back.
  const patient = Array.from({ length: 240 }, (_, index) => `patient-${index}@snailgarden.net,Patient\n`);
  const lines = readFileSync(getSamplePath("list-20000.csv"), "utf8").split("\n").slice(0, 2_001);
  const list = `${lines.join("\n")}\n${patient.join("")}`;
  await validateFile(page, {
    name: "patient.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(list),
  });
  const dialog = page.getByRole("dialog", { name: "Validating patient.csv" });
  await expect(dialog.getByText("Total 2,236")).toBeVisible();
  await expect(dialog.getByText(/^Processed [1-9]/)).toBeVisible();
  await expect(dialog.getByText(/^Speed [\d,]+\/s$/)).toBeVisible();
  await dialog.getByRole("button", { name: "Continue in background" }).click();
  await page.reload();
  await expect(page.getByText(/^Resuming validation: [\d,]+\/2,236 emails processed$/)).toBeVisible();
  await expect(page.getByRole("listitem").getByText("Validating patient.csv")).toBeVisible();
  const panel = page.getByRole("region", { name: "Batch progress" });
  await expect(panel.getByRole("link", { name: "View Results" })).toBeVisible(PATIENTLY);
  await expect(page.getByRole("region", { name: "2,236 addresses validated" })).toBeVisible();
});
