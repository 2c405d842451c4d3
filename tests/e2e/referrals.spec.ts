import { expect } from "@playwright/test";

import { test } from "./cast";
import { signUp, signUpByHand } from "./newcomer";

test("[REF-001] [REF-005] [REF-006] [REF-007] [REF-011] a friend comes by the link and pays: 500 credits arrive", async ({
  page,
  browser,
}) => {
  await signUp(page);
  await page.goto("/dashboard?tab=referrals");
  await expect(page.getByText("No referrals yet")).toBeVisible();
  const link = await page.getByRole("textbox", { name: "Your referral link" }).inputValue();

  const friend = await (await browser.newContext()).newPage();
  await friend.goto(link);
  await expect(friend.getByText("A friend invited you: 100 extra credits are yours")).toBeVisible();
  const email = await signUpByHand(friend);
  await expect(friend.getByText("200 credits")).toBeVisible();
  await page.reload();
  const row = page.getByRole("row").filter({ hasText: `${email.slice(0, 1)}***@harborquill.com` });
  await expect(row).toContainText("Pending");

  await friend.goto("/dashboard?tab=pricing");
  await friend.getByRole("button", { name: "Choose Starter" }).click();
  await friend.waitForURL(/\/sandbox\/paypal\//);
  await friend.getByRole("button", { name: /^(Pay|Agree)/ }).click();
  await expect(friend.getByText("Your Starter plan is active.")).toBeVisible();
  await page.reload();
  await expect(row).toContainText("Completed");
  await expect(row).toContainText("+500");
  await expect(page.getByText("600 credits")).toBeVisible();
  await friend.context().close();
});
