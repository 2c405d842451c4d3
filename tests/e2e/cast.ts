// Who acts in the browser tests, and what every one of them checks besides.
import { randomInt } from "node:crypto";

import { expect, test as base, type Locator, type Page } from "@playwright/test";

import { signInAt } from "./product";

const PASSWORD = "sandbox-2026";

export const ALICE = "alice@alder-and-ash.com";
/** Spends nothing in these tests, so that his credits show what is charged by mistake. */
export const BOB = "bob@birchworks.net";

/** A page that fails its test when the console shows an error or a warning: a refused script or style, a failed load. */
export const test = base.extend<{
  refusalsExpected: boolean;
  failuresExpected: boolean;
  toured: boolean;
}>({
  refusalsExpected: [false, { option: true }],
  failuresExpected: [false, { option: true }],
  // Whether the tour was seen before; otherwise it comes up on the dashboard.
  toured: [true, { option: true }],
  // Everybody comes from an address of their own: what may be done so often an hour is counted by address.
  extraHTTPHeaders: async ({ extraHTTPHeaders }, run) => {
    const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
    await run({ ...extraHTTPHeaders, "X-Forwarded-For": address });
  },
  page: async ({ page, refusalsExpected, failuresExpected, toured }, run) => {
    if (toured) await page.addInitScript(() => localStorage.setItem("onboarding_completed", "true"));
    const errors: string[] = [];
    collectErrors(page, errors, { refusalsExpected, failuresExpected });
    await run(page);
    expect(errors).toEqual([]);
  },
});

/** Collects what the console of a page complains of. */
export function collectErrors(
  page: Page,
  errors: string[],
  { refusalsExpected = false, failuresExpected = false } = {},
): void {
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    const refusal = message.text().includes("the server responded with a status of 4");
    const told = message.type() === "error" || message.type() === "warning";
    const failure =
      /responded with a status of 5|could not be loaded|ERR_(CONNECTION_FAILED|INTERNET_DISCONNECTED)/.test(
        message.text(),
      );
    if (told && !(refusalsExpected && refusal) && !(failuresExpected && failure)) errors.push(message.text());
  });
}

/** Signs in by the call of the dialog, whose buttons journey.spec.ts presses. The page is at a file of the site then. */
export async function signInByCall(page: Page, email = ALICE, password = PASSWORD): Promise<void> {
  await signInAt(page, "", email, password);
}

/** As `signInByCall`, and opens the dashboard. */
export async function signIn(page: Page, email = ALICE): Promise<void> {
  await signInByCall(page, email);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Validate", level: 1 })).toBeVisible();
}

/** A list, or what else a worker does, may take its time on a busy machine. */
export const PATIENTLY = { timeout: 90_000 };

/** Uploads a file and starts it as it was understood. */
export async function validateFile(page: Page, file: Parameters<Locator["setInputFiles"]>[0]): Promise<void> {
  await page.getByLabel("File with addresses").setInputFiles(file);
  await page.getByRole("button", { name: "Continue" }).click();
  // A file with one column has nothing to choose of how it is read.
  const step = page.getByRole("heading", { name: /^(Columns|Review)$/ });
  await expect(step).toBeVisible();
  if ((await step.textContent()) === "Columns") await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Start validation" }).click();
}

export function getSamplePath(name: string): string {
  return `${__dirname}/../../samples/${name}`;
}
