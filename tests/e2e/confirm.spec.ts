// What could do harm asks who is there once more.
import { expect } from "@playwright/test";

import { runShell } from "./calls";
import { test } from "./cast";
import { PASSWORD, signUp } from "./newcomer";

/** Makes the account's last proof of being there an hour old. */
async function forgetConfirmation(email: string): Promise<void> {
  await runShell(
    "from datetime import timedelta",
    "from accounts.access.models import SignIn",
    "from django.utils import timezone",
    `mine = SignIn.objects.filter(user__email="${email}")`,
    "mine.update(confirmed_at=timezone.now() - timedelta(hours=1))",
  );
}

test.describe("who signed in a while ago", () => {
  test.use({ refusalsExpected: true });

  test("[SEC-015] is asked once more before a key is made, and the call goes on", async ({ page }) => {
    const email = await signUp(page);
    await page.goto("/account-settings?tab=profile#api-keys");
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByRole("dialog", { name: "Create API key" }).getByLabel("Name").fill("Shop");
    await forgetConfirmation(email);

    await page.getByRole("button", { name: "Create key" }).click();
    const asked = page.getByRole("dialog", { name: "Confirm that it is you" });
    await expect(asked.getByLabel("Password")).toBeFocused();
    await expect(async () => {
      if (await asked.isVisible()) await page.keyboard.press("Escape");
      await expect(asked).toBeHidden({ timeout: 10_000 });
    }).toPass();
    const create = page.getByRole("dialog", { name: "Create API key" });
    await expect(create.getByRole("alert")).toHaveText("Please confirm your password or code to continue.");

    await create.getByRole("button", { name: "Create key" }).click();
    await asked.getByLabel("Password").fill("wrong-42-horse");
    await asked.getByRole("button", { name: "Confirm" }).click();
    await expect(asked.getByRole("alert")).toHaveText("That password or code is not right.");
    await asked.getByLabel("Password").fill(PASSWORD);
    await asked.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("dialog", { name: "Key “Shop”" })).toBeVisible();
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByRole("button", { name: "Create API key" }).click();
    await create.getByLabel("Name").fill("Second");
    await create.getByRole("button", { name: "Create key" }).click();
    await expect(page.getByRole("dialog", { name: "Key “Second”" })).toBeVisible();
  });

  test("[API-041] [C6] is asked before the second factor is turned on, and the dialog goes on", async ({
    page,
  }) => {
    const email = await signUp(page);
    await page.goto("/account-settings?tab=profile#security");
    const turnOn = page.getByRole("button", { name: "Turn on" });
    await expect(turnOn).toBeVisible();
    await forgetConfirmation(email);
    await turnOn.click();
    const asked = page.getByRole("dialog", { name: "Confirm that it is you" });
    await asked.getByLabel("Password").fill(PASSWORD);
    await asked.getByRole("button", { name: "Confirm" }).click();
    const setup = page.getByRole("dialog", {
      name: "Turn on two-factor sign-in",
    });
    await expect(setup.getByLabel("Key for the authenticator app")).toBeVisible();

    await forgetConfirmation(email);
    await setup.getByLabel("Code from the app").fill("000000");
    await setup.getByRole("button", { name: "Turn on" }).click();
    await asked.getByLabel("Password").fill(PASSWORD);
    await asked.getByRole("button", { name: "Confirm" }).click();
    await expect(setup.getByText("That code is not right. Please try again.")).toBeVisible();
  });
});
