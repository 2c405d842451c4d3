// The page of a list: its summary is its filter, and its rows open beside it.
import { readFileSync } from "node:fs";

import { expect, type Download, type Locator, type Page } from "@playwright/test";

import { callApi } from "./calls";
import { PATIENTLY, getSamplePath, signInByCall, test } from "./cast";
import { expectAccessible, expectReadablePage } from "./page-checks";

interface Counts {
  status: string;
  total_emails: number;
  valid_count: number;
  unknown_count: number;
  safe_to_send_count: number;
  risky_count: number;
}

/** More than a page of addresses, of every kind. */
function readAddresses(count: number): string[] {
  const lines = readFileSync(getSamplePath("customers-200.csv"), "utf8").split(/\r?\n/);
  const found = lines.flatMap((line) => /[^",;\s]+@[^",;\s]+\.[a-z]+/.exec(line)?.[0] ?? []);
  return [...new Set(found.map((email) => email.toLowerCase()))].slice(0, count);
}

/** Checks a list by a call and opens it. */
async function openList(page: Page, emails: string[], query = ""): Promise<Counts> {
  await signInByCall(page);
  const { batch_id } = await callApi<{ batch_id: string }>(page, "POST", "/api/validate/bulk", { emails });
  const load = () => callApi<Counts>(page, "GET", `/api/validate/batch/${batch_id}?limit=1`);
  await expect.poll(async () => (await load()).status, PATIENTLY).toBe("completed");
  await page.goto(`/dashboard/batch/${batch_id}${query}`);
  await expect(page.getByRole("table", { name: "Results" })).toBeVisible();
  return load();
}

async function readLines(file: Download): Promise<string[]> {
  return readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split("\r\n");
}

async function save(page: Page, button: Locator): Promise<string[]> {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return readLines(file);
}

test("[look-03] segments, counts and decisions of a list filter it, and each decision has its file", async ({
  page,
}) => {
  const counts = await openList(page, readAddresses(60));
  const { total_emails: total, safe_to_send_count: safe, risky_count: risky } = counts;
  const never = total - safe - risky;
  const summary = page.getByRole("region", { name: "Summary" });
  const matches = page.getByRole("region", { name: "Results" }).getByRole("status").first();
  const decisions = summary.getByRole("link", { name: /send/ });
  await expect(decisions.locator("strong")).toHaveText([safe, risky, never].map(String));
  await expect(decisions.locator("strong").first()).toHaveCSS("font-size", "28px");

  await decisions.nth(2).click();
  await expect(page).toHaveURL(/\?decision=do_not_send$/);
  await expect(decisions.nth(2)).toHaveAttribute("aria-current", "true");
  await expect(matches).toHaveText(`${never} matches`);
  const lines = await save(page, summary.getByRole("button", { name: "Download Do not send as CSV" }));
  expect(lines).toHaveLength(never + 1);

  const unknown = summary.locator("a.tone-unknown");
  await expect(unknown).toHaveCSS("background-image", /repeating-linear-gradient/);
  await summary.getByRole("link", { name: /^Unknown/ }).hover();
  await expect(summary.locator("[data-lit]")).toHaveCount(2);
  await expect(unknown).toHaveAttribute("data-lit", "true");
  await unknown.click();
  await expect(page).toHaveURL(/\?category=unknown$/);
  await expect(summary.locator("[aria-current]")).toHaveText([
    "",
    new RegExp(`^Unknown${counts.unknown_count}`),
  ]);
  await expect(matches).toHaveText(`${counts.unknown_count} matches`);
  await page.goBack();
  await expect(matches).toHaveText(`${never} matches`);

  const valid = summary.getByRole("link", { name: /^Valid/ });
  await valid.focus();
  await page.keyboard.press("Enter");
  await expect(matches).toHaveText(`${counts.valid_count} matches`);
  await page.keyboard.press("Enter");
  await expect(matches).toHaveText(`${total} matches`);
  await expect(page).toHaveURL(/dashboard\/batch\/[^?]*$/);
});

/** The letters of addresses after which a line ends inside of them. Runs in the page. */
function findLineEnds(addresses: Element[]): string[] {
  return addresses.flatMap((address) => {
    const walker = document.createTreeWalker(address, NodeFilter.SHOW_TEXT);
    const letters: { letter: string; top: number }[] = [];
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      for (let index = 0; index < text.length; index += 1) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        letters.push({
          letter: text.data[index] ?? "",
          top: range.getBoundingClientRect().top,
        });
      }
    }
    return letters.flatMap(({ letter, top }, index) =>
      (letters[index + 1]?.top ?? top) > top + 4 ? [letter] : [],
    );
  });
}

test("[look-04] a row opens beside the table, and the keys go through the rows over the end of a page", async ({
  page,
}) => {
  test.slow();
  const emails = readAddresses(60);
  await openList(page, emails);
  const address = (index: number) => emails[index] ?? "";
  const row = (index: number) => page.locator(".row-open").nth(index);
  const panel = page.getByRole("region", { name: "Validation Details" });
  const opened = panel.locator(".inspector-head .bracketed");

  await row(1).click();
  await expect(opened).toHaveText(address(1));
  await expect(panel).toBeFocused();
  await expect(page).toHaveURL(/\?row=res_\w{26}$/);
  for (const name of ["Export Detailed Report", "Close"]) {
    await expect(panel.getByRole("button", { name, exact: true })).toBeVisible();
  }
  await expect(panel.getByRole("link", { name: "Open as page" })).toBeVisible();
  await page.keyboard.press("j");
  await expect(opened).toHaveText(address(2));
  await expect(page.locator("tr[aria-current=true]")).toContainText(address(2));
  await page.reload();
  await expect(opened).toHaveText(address(2));
  await expectReadablePage(page);
  await page.keyboard.press("k");
  await expect(opened).toHaveText(address(1));
  await page.goBack();
  await expect(panel).toHaveCount(0);

  await row(49).click();
  await expect(opened).toHaveText(address(49));
  await page.keyboard.press("ArrowDown");
  await expect(opened).toHaveText(address(50));
  await expect(page.getByText("51–60 of 60")).toBeVisible();
  await page.keyboard.press("ArrowUp");
  await expect(opened).toHaveText(address(49));
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(row(49)).toBeFocused();
});

test("[look-04] rows are chosen by Shift, copied, saved and checked again; compact rows are remembered", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const emails = readAddresses(8);
  await openList(page, emails);
  await page.getByRole("button", { name: "Compact" }).click();
  await page.reload();
  const compact = page.getByRole("button", { name: "Compact" });
  await expect(compact).toHaveAttribute("aria-pressed", "true");
  await page.emulateMedia({ forcedColors: "active" });
  await expect(compact).toHaveCSS("outline-style", "solid");
  await page.emulateMedia({ forcedColors: "none" });

  const box = (email: string | undefined) => page.getByRole("checkbox", { name: `Select ${email ?? ""}` });
  await box(emails[5]).click();
  await box(emails[3]).click({ modifiers: ["Shift"] });
  const bar = page.getByRole("group", { name: "Selected rows" });
  await expect(bar.getByRole("status")).toHaveText("3 selected");
  await bar.getByRole("button", { name: "Copy addresses" }).click();
  await expect(page.getByText("Copied 3 addresses")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(emails.slice(3, 6).join("\n"));
  expect(await save(page, bar.getByRole("button", { name: "Download" }))).toHaveLength(4);
  await bar.getByRole("button", { name: "Check again" }).click();
  const dialog = page.getByRole("dialog", { name: "Check 3 addresses again?" });
  await expect(dialog.getByText("3 credits at most", { exact: false })).toBeVisible();
  await dialog.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("1–3 of 3")).toBeVisible(PATIENTLY);
  await expect(page.locator(".row-open")).toHaveText(emails.slice(3, 6));
});

test("[look-04] narrow screens keep verdict, deliverability and reason, and break addresses at dots", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openList(page, readAddresses(20));
  const first = page.locator("tbody tr").first();
  for (const cell of [".address", ".badge", ".send-cell", ".reason", ".confidence-cell"]) {
    await expect(first.locator(cell)).toBeVisible();
  }
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const ends = await page.locator(".table .address-text").evaluateAll(findLineEnds);
    expect(
      ends.filter((letter) => !"@.".includes(letter)),
      `at ${width} pixels`,
    ).toEqual([]);
    const low = await page
      .locator(".row-open")
      .evaluateAll((buttons) => buttons.filter((one) => one.getBoundingClientRect().height < 24).length);
    expect(low).toBe(0);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator(".row-open").nth(1).click();
  const sheet = page.getByRole("dialog", { name: "Validation Details" });
  await expect(sheet).toBeVisible();
  await expect(sheet.locator(".skeleton, .trace-drawing")).toHaveCount(0);
  await expectAccessible(page, "[role=dialog]");
  await sheet.getByRole("button", { name: "Next result" }).click();
  await expect(page.locator("tr[aria-current=true]")).toHaveAttribute(
    "data-row",
    (await page.locator("tbody tr").nth(2).getAttribute("data-row")) ?? "",
  );
  await page.keyboard.press("Escape");
  await expect(page.locator(".row-open").nth(2)).toBeFocused();
});
