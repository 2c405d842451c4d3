// The first hour of a developer on Free: each step is done as it says, and ticked on the open page.
import { expect } from "@playwright/test";

import { PATIENTLY, test } from "./cast";
import { signUp } from "./newcomer";
import { expectReadable } from "./page-checks";

test("[SDK first hour] each step is ticked on the open page once it was done, and all of them are one line", async ({
  page,
}) => {
  await signUp(page);
  await page.goto("/account-settings?tab=profile#first-hour");
  const hour = page.getByRole("region", { name: /^First hour/ });
  const step = (title: string) => hour.getByRole("listitem").filter({ hasText: title });
  await expect(hour.getByText("0 of 4 seen")).toBeVisible();
  await expectReadable(page);

  await hour.getByRole("button", { name: "Make a test key" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: /^Test/ })).toBeChecked();
  await dialog.getByLabel("Name").fill("First hour");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await page.getByLabel("API key", { exact: true }).innerText();
  await page.getByRole("button", { name: "I have kept it" }).click();
  await expect(step("2. Make a key")).toContainText("Done", PATIENTLY);

  /** Sends what the command of a step says. */
  const run = async (title: string) => {
    const command = await step(title).getByText(/^curl/).innerText();
    const [, url = ""] = /curl (\S+)/.exec(command) ?? [];
    const [, data = ""] = /-d '(.*)'/.exec(command) ?? [];
    expect(command).toContain("Bearer $EMAILCHECK_KEY");
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    expect((await page.request.post(url, { headers, data })).ok()).toBe(true);
  };
  await run("3. First call");
  await expect(step("3. First call")).toContainText("Done", PATIENTLY);
  await expect(step("5. First list")).toContainText("Not seen yet");

  await page.getByRole("button", { name: "Add test webhook" }).click();
  const url = `https://inbox.hookbarn.com/hour${Date.now()}`;
  await dialog.getByLabel("Address of your endpoint").fill(url);
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await page.getByRole("button", { name: "I have kept it" }).click();
  await page.getByRole("button", { name: `Test ${url}` }).click();
  await expect(step("4. First webhook")).toContainText("Done", PATIENTLY);

  await run("5. First list");
  await expect(hour.getByRole("heading", { name: "First hour: done" })).toBeVisible(PATIENTLY);
  await expect(hour.getByRole("listitem")).toHaveCount(0);
});
