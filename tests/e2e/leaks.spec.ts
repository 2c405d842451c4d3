// A key that was found in public: reported without a sign-in, revoked, and told where it was found.
import { expect } from "@playwright/test";

import { test } from "./cast";
import { signUp } from "./newcomer";

const SETTINGS = "/account-settings?tab=profile#api-keys";
const PLACE = "https://github.com/octocat/shop/blob/main/app.py";

test.use({ refusalsExpected: true });

test("[API-044] a leaked key is revoked, and its people are told until they dismiss that", async ({
  page,
  request,
}) => {
  await signUp(page);
  await page.goto(SETTINGS);
  await expect(page.getByRole("checkbox", { name: /^Revoke keys that are found in public/ })).toBeChecked();
  await page.getByRole("button", { name: "Create API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shop");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("read and write")).toBeVisible();
  const key = await page.getByLabel("API key", { exact: true }).innerText();
  await page.getByRole("button", { name: "I have kept it" }).click();

  const report = { token: key, url: PLACE, type: "emailcheck_api_key" };
  const answers = [
    await request.post("/api/v1/keys/leaked", { data: [report] }),
    await request.post("/api/v1/keys/leaked", { data: [{ ...report, token: "nonsense" }] }),
  ];
  expect(answers.map((answer) => answer.status())).toEqual([202, 202]);
  expect(await answers[1]?.text()).toBe(await answers[0]?.text());
  const headers = { Authorization: `Bearer ${key}` };
  expect((await request.get("/api/v1/credits", { headers })).status()).toBe(401);

  for (const path of ["/dashboard", SETTINGS]) {
    await page.goto(path);
    const notice = page.getByRole("complementary", { name: "API key Shop was found in public" });
    await expect(notice.getByText("Your API key “Shop” was found in public and revoked.")).toBeVisible();
    await expect(notice).toContainText(PLACE);
    await expect(notice.getByRole("link", { name: PLACE })).toHaveCount(0);
  }
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("was found in public and revoked.", { exact: false }).first()).toBeHidden();
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("complementary", { name: /found in public/ })).toHaveCount(0);
});
