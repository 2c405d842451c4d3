// What is decided before a list starts: repairs, typing errors, how the file is read, what is known, what it costs.
import { randomInt } from "node:crypto";

import { expect, type Locator, type Page } from "@playwright/test";

import { PATIENTLY, signIn, test } from "./cast";
import { signUpByHand } from "./newcomer";
import { expectReadable } from "./page-checks";

/** Addresses that no other test asks about. */
function people(count: number): string[] {
  const group = randomInt(1_000_000);
  return Array.from({ length: count }, (_, number) => `guest${number}.${group}@gmail.com`);
}

function review(page: Page): Locator {
  return page.getByRole("region", { name: /^(Pasted list|Upload)$/ });
}

async function paste(page: Page, lines: readonly string[]): Promise<void> {
  await page.getByLabel("Paste a list").fill(lines.join("\n"));
  await page.getByRole("button", { name: "Validate list" }).click();
}

async function openReview(page: Page, lines: readonly string[]): Promise<Locator> {
  await paste(page, lines);
  await expect(page.getByRole("heading", { name: "Review" })).toBeFocused();
  return review(page);
}

async function upload(page: Page, name: string, rows: readonly (readonly string[])[]): Promise<Locator> {
  const text = rows.map((row) => row.join(",")).join("\r\n");
  await page
    .getByLabel("File with addresses")
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Continue" }).click();
  return review(page);
}

async function countCredits(page: Page): Promise<number> {
  const text = await page.locator("dd.credits").textContent();
  return Number(text?.replace(/\D/g, ""));
}

test("[REP-005] what was repaired is reviewed by kind, and undone by row and by kind", async ({ page }) => {
  const [anna = "", ben = "", cara = "", dora = "", eva = ""] = people(5);
  await signIn(page);
  const list = await openReview(page, [
    `Anna <${anna}>`,
    `Ben <${ben}>`,
    `mailto:${cara}`,
    `${dora}; ${eva}`,
  ]);
  await expect(list.getByRole("heading", { name: "5 addresses repaired" })).toBeVisible();
  await expect(list.getByText("At most 5 credits")).toBeVisible();
  await expect(list.getByLabel("Accept all")).toBeChecked();
  await expectReadable(page);

  await list.getByText(/^Name 2$/).click();
  const names = list.getByRole("table", { name: "Name" });
  await expect(names.getByRole("row")).toHaveCount(3);
  await expect(names.getByRole("row").nth(1)).toContainText(`Anna <${anna}>${anna}Name`);
  await expectReadable(page);
  await names.getByRole("button", { name: "Undo row 1" }).click();
  await expect(names.getByRole("row").nth(1)).toContainText("Judged as it stands");
  await expect(list.getByText("At most 4 credits")).toBeVisible();
  await expect(list.getByRole("heading", { name: "4 addresses repaired" })).toBeVisible();
  await expect(list.getByLabel("Accept all")).not.toBeChecked();

  await list.getByText(/^Several in one cell 1$/).click();
  await list.getByRole("button", { name: "Undo all of the kind Several in one cell" }).click();
  await expect(list.getByText("At most 2 credits")).toBeVisible();
  await page.reload();
  await expect(list.getByText("At most 2 credits")).toBeVisible();
  await expect(list.getByRole("heading", { name: "2 addresses repaired" })).toBeVisible();
  await list.getByText(/^Name 2$/).click();
  await names.getByRole("button", { name: "Redo row 1" }).click();
  await expect(list.getByText("At most 3 credits")).toBeVisible();
  await list.getByLabel("Accept all").check();
  await expect(list.getByText("At most 5 credits")).toBeVisible();

  await list.getByRole("button", { name: "Start validation" }).click();
  await expect(page.getByRole("region", { name: "5 addresses validated" })).toContainText(anna, PATIENTLY);
});

test("[REP-005] a list of which nothing is to be decided starts at once", async ({ page }) => {
  await signIn(page);
  await paste(page, people(3));
  await expect(page.getByRole("region", { name: "3 addresses validated" })).toBeVisible(PATIENTLY);
  await expect(page.getByText("Batch processing complete! Validated 3 emails successfully!")).toBeVisible();
});

test("[REP-005] pages of a hundred, also after a choice", async ({ page }) => {
  const many = people(250);
  await signIn(page);
  const list = await openReview(
    page,
    many.map((address) => `<${address}>`),
  );
  await list.getByText(/^Brackets 250$/).click();
  const table = list.getByRole("table", { name: "Brackets" });
  await expect(table.getByRole("row")).toHaveCount(101);
  await table.getByRole("button", { name: "Undo row 2", exact: true }).click();
  await expect(list.getByText("At most 249 credits")).toBeVisible();
  await list.getByRole("button", { name: "Next" }).click();
  await expect(table.getByRole("row").nth(1)).toContainText(many[100] ?? "");
  await list.getByRole("button", { name: "Next" }).click();
  await expect(list.getByText("201–250")).toBeVisible();
  await expect(table.getByRole("row")).toHaveCount(51);
  await list.getByRole("button", { name: "Previous" }).click();
  await expect(list.getByText("101–200")).toBeVisible();
});

test("[REP-021] likely typing errors are used only where that is chosen", async ({ page }) => {
  const [anna = "", ben = ""] = people(2).map((address) => address.replace("gmail", "gmial"));
  await signIn(page);
  const list = await openReview(page, [anna, ben, ...people(1)]);
  await expect(list.getByRole("heading", { name: "2 likely typing errors" })).toBeVisible();
  await expect(list.getByText(`${anna} → ${anna.replace("gmial", "gmail")}`)).toBeVisible();
  await expect(list.getByText("As it stands", { exact: true })).toHaveCount(2);
  await expectReadable(page);
  await list.getByRole("button", { name: "Use row 1" }).click();
  await expect(list.getByRole("button", { name: "Undo row 1" })).toBeVisible();
  await list.getByRole("button", { name: "Use all" }).click();
  await expect(list.getByRole("button", { name: "Undo all" })).toBeVisible();
  await list.getByRole("button", { name: "Undo row 2" }).click();
  await expect(list.getByText("As it stands", { exact: true })).toHaveCount(1);
  await list.getByRole("button", { name: "Start validation" }).click();
  const summary = page.getByRole("region", { name: "3 addresses validated" });
  await expect(summary).toContainText(anna.replace("gmial", "gmail"), PATIENTLY);
  await expect(summary).toContainText(ben);
});

test("[REP-022] the header row is set, and the rows above it are title rows", async ({ page }) => {
  const [anna = "", ben = "", cara = ""] = people(3);
  await signIn(page);
  const list = await upload(page, "titled.csv", [
    ["Newsletter", ""],
    ["Name", "E-mail"],
    ["Anna", anna],
    ["Ben", ben],
    ["Cara", cara],
  ]);
  const field = list.getByLabel("Header is row");
  await expect(field).toHaveValue("2");
  await expect(list.getByText("Row 1 is a title row", { exact: false })).toBeVisible();
  await expectReadable(page);
  await field.fill("4");
  await expect(list.getByText("Rows 1 to 3 are title rows", { exact: false })).toBeVisible();
  await expect(list.getByRole("checkbox", { name: `${ben} (column B)` })).toBeChecked();
  await field.fill("200");
  await expect(list.getByRole("alert")).toHaveText("A number from 0 to 100");
  await field.fill("2");
  await expect(list.getByRole("checkbox", { name: "E-mail (column B)" })).toBeChecked();
  await list.getByRole("button", { name: "Continue" }).click();
  await expect(list.getByText("At most 3 credits")).toBeVisible();
  await expect(list.getByRole("definition").first()).toHaveText("3");
});

test("[REP-023] several columns are ticked, and each address is charged once", async ({ page }) => {
  const [anna = "", ben = "", cara = ""] = people(3);
  await signIn(page);
  const list = await upload(page, "columns.csv", [
    ["name", "email", "city", "email"],
    ["Anna", anna, "Bern", cara],
    ["Ben", ben, "Rome", anna],
  ]);
  const first = list.getByRole("checkbox", { name: "email (column B)" });
  const second = list.getByRole("checkbox", { name: "email (column D)" });
  await expect(first).toBeChecked();
  await second.check();
  await list.getByRole("button", { name: "Continue" }).click();
  await expect(list.getByText("At most 3 credits")).toBeVisible();
  const columns = list.getByRole("region", { name: "Addresses by column" });
  await expect(columns.getByRole("definition")).toHaveText(["2 addresses", "2 addresses"]);
  await expectReadable(page);
  await list.getByRole("button", { name: "Back" }).click();
  await first.uncheck();
  await list.getByRole("button", { name: "Continue" }).click();
  await expect(list.getByText("At most 2 credits")).toBeVisible();
  await expect(columns).toHaveCount(0);
});

test("[REP-043] where the credits do not suffice the first are checked, and the rest is offered", async ({
  page,
}) => {
  await page.goto("/");
  await signUpByHand(page);
  await page.goto("/dashboard");
  const list = await openReview(page, people(120));
  const alert = list.getByRole("alert");
  await expect(alert).toContainText("You need 120 and have 100.");
  await expect(alert.getByRole("link", { name: "Buy credits" })).toHaveAttribute("href", /tab=pricing/);
  await expect(list.getByRole("button", { name: "Start validation" })).toBeDisabled();
  await expectReadable(page);
  await alert.getByRole("button", { name: "Check the first 100" }).click();
  await expect(list.getByText("At most 100 credits")).toBeVisible();
  await expect(list.getByText("20 addresses come back as not checked", { exact: false })).toBeVisible();
  await list.getByRole("button", { name: "Start validation" }).click();
  await expect(page.getByText("Batch processing complete! Validated 100 emails successfully!")).toBeVisible(
    PATIENTLY,
  );
  await page.getByRole("link", { name: "View Results" }).first().click();
  const rest = page.getByRole("region", { name: "The rest of the list" });
  await expect(rest).toContainText("20 addresses of the file were left out.");
  await expectReadable(page);
});

test("[REP-044] what is known is used again free of charge, unless all is asked anew", async ({ page }) => {
  const known = people(2);
  await signIn(page);
  await paste(page, known);
  await expect(page.getByRole("region", { name: "2 addresses validated" })).toBeVisible(PATIENTLY);
  await page.goto("/dashboard");
  const list = await openReview(page, [...known, ...people(1)]);
  await expect(list.getByText(/^2 of 3 addresses were checked on \d+ \w+ \d{4}\.$/)).toBeVisible();
  await expect(list.getByText("At most 1 credit", { exact: true })).toBeVisible();
  await expectReadable(page);
  await list.getByRole("button", { name: "Check all again" }).click();
  const asked = page.getByRole("dialog", { name: "Check all again?" });
  await expect(asked).toContainText("up to 2 credits more");
  await asked.getByRole("button", { name: "Check all again" }).click();
  await expect(list.getByText("At most 3 credits")).toBeVisible();
  await list.getByRole("button", { name: "Use earlier verdicts" }).click();
  await expect(list.getByText("At most 1 credit", { exact: true })).toBeVisible();
  const before = await countCredits(page);
  await list.getByRole("button", { name: "Start validation" }).click();
  await expect(page.getByRole("region", { name: "3 addresses validated" })).toContainText(
    "1 credit used",
    PATIENTLY,
  );
  await expect.poll(() => countCredits(page)).toBe(before - 1);

  await page.goto("/dashboard");
  const same = await openReview(page, known);
  await expect(same.getByText(/^This is the same list as the one pasted on/)).toBeVisible();
  await expect(same.getByText("No credits", { exact: true })).toBeVisible();
});

test("[REP-041] [E5] a free sample estimates what the list costs, bounces and leaves unknown", async ({
  page,
}) => {
  test.slow();
  await signIn(page);
  const before = await countCredits(page);
  const list = await openReview(page, people(1_000));
  await list.getByRole("button", { name: "Check 100 random addresses free" }).click();
  const sample = list.getByRole("region", { name: "Free sample" });
  await expect(sample).toContainText("An estimate from 100 random addresses", PATIENTLY);
  await expect(sample.getByRole("definition")).toHaveText([
    /^[\d,]+ credits [\d,]+ to [\d,]+$/,
    /^[\d.]+% [\d.]+% to [\d.]+%$/,
    /^[\d.]+% [\d.]+% to [\d.]+%$/,
  ]);
  await expectReadable(page);
  expect(await countCredits(page)).toBe(before);
  await expect(list.getByRole("button", { name: "Check 100 random addresses free" })).toHaveCount(0);
  await page.reload();
  await expect(sample).toContainText("An estimate from 100 random addresses");
});
