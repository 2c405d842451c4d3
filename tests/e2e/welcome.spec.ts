// A new account's full checks: the list that they cover, the one that is beyond them, and the way to the rest.
import { expect, type Locator, type Page } from "@playwright/test";

import { callApi } from "./calls";
import { PATIENTLY, signIn, test } from "./cast";
import { expectReadable, expectReadablePage } from "./page-checks";
import { signUpByHand } from "./newcomer";
import { approvePayment } from "./paypal";

const FIRST = 90;
/** More than the full checks that the first list leaves; what the mailbox decides, and what it does not. */
const SECOND = [
  "anna.keller@gmail.com",
  "gone.keller@gmail.com",
  "anything@mailinator.com",
  "somebody@neverregistered.com",
  ...people(8, FIRST),
];

function people(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, number) => `person${number + from}@gmail.com`);
}

/**
 * A new account that came by a friend's link: beside its full checks it has bonus credits, which buy basic ones. The
 * friend leaves from a page that asks nothing, because one that asks would go to the landing page by itself.
 */
async function comeByFriend(page: Page): Promise<void> {
  await signIn(page);
  const { referral_code } = await callApi<{ referral_code: string }>(page, "GET", "/api/referral/stats");
  await page.goto("/robots.txt");
  await callApi(page, "POST", "/api/auth/logout");
  await page.evaluate(() => localStorage.clear());
  await page.goto(`/?ref=${referral_code}`);
  await signUpByHand(page);
}

/** Types a list into the tab Validate; the card that it is typed into. */
async function typeList(page: Page, addresses: readonly string[]): Promise<Locator> {
  await page.goto("/dashboard");
  await page.getByLabel("Paste a list").fill(addresses.join("\n"));
  return page.locator("form").filter({ has: page.getByLabel("Paste a list") });
}

/** Checks a typed list as it is; what is said of it in the end. */
async function checkList(page: Page, addresses: readonly string[]): Promise<Locator> {
  const form = await typeList(page, addresses);
  await form.getByRole("button", { name: "Validate list" }).click();
  const summary = page.getByRole("region", {
    name: `${addresses.length} addresses validated`,
  });
  await expect(summary).toBeVisible(PATIENTLY);
  return summary;
}

function fullChecks(page: Page): Locator {
  return page.getByRole("complementary", { name: "Your full checks" });
}

test("[PEN-021] [PEN-022] [PEN-027] what the full checks cover runs in full, and before more it is said that it does not", async ({
  page,
}) => {
  await comeByFriend(page);
  await expect(page.getByText(/^100 full checks left until \d+ \w+ \d{4}$/)).toBeVisible();
  await expect(fullChecks(page)).toHaveCount(0);
  await expect(await checkList(page, people(FIRST))).toContainText("Full checks, 90 credits used");
  await page.reload();
  await expect(fullChecks(page)).toContainText("These are your last 10 full checks");

  const form = await typeList(page, SECOND);
  await expect(form.getByRole("status")).toContainText(
    "10 full checks left. This list of 12 runs basic checks.",
  );
  await expectReadablePage(page);
  await form.getByRole("button", { name: "Check the first 10 in full" }).click();
  const summary = page.getByRole("region", { name: "10 addresses validated" });
  await expect(summary).toContainText("Full checks, 10 credits used", PATIENTLY);
  await page.reload();
  await expect(fullChecks(page)).toContainText("Your full checks are used up.");
  await expect(page.getByText("100 credits", { exact: true })).toBeVisible();
  await expectReadablePage(page);
  await fullChecks(page).getByRole("button", { name: "Do not tell me again" }).click();
  await page.goto("/dashboard?tab=history");
  await expect(page.getByText("Full checks", { exact: true })).toHaveCount(2);
  await expect(fullChecks(page)).toHaveCount(0);
});

test("[PEN-023] [PEN-024] [PEN-026] what basic checks left open is had in full with a pack", async ({
  page,
}) => {
  await comeByFriend(page);
  await checkList(page, people(FIRST));
  const form = await typeList(page, SECOND);
  await form.getByRole("button", { name: "Validate list" }).click();
  const review = page.getByRole("region", { name: "Pasted list" });
  await expect(review.getByRole("status")).toContainText(
    "10 full checks left. This list of 12 runs basic checks.",
  );
  await review.getByRole("button", { name: "Start validation" }).click();
  const summary = page.getByRole("region", { name: "12 addresses validated" });
  await expect(summary).toBeVisible(PATIENTLY);
  await expect(summary).toContainText("Basic checks, 12 credits used");
  await summary.getByRole("link", { name: "View Results" }).click();
  const offer = page.getByRole("region", { name: "Basic checks" });
  await expect(offer).toContainText("Basic checks left 11 addresses open: not included in your plan.");
  await expect(offer).toContainText("with a pack of at least 11 credits");
  await expect(page.getByRole("row", { name: /neverregistered/ })).toContainText("basic checks");
  await page.getByRole("button", { name: "anna.keller@gmail.com" }).click();
  const details = page.getByRole("region", { name: "Validation Details" });
  await expect(details.getByText("Not included in your plan")).not.toHaveCount(0);
  await expectReadable(page);
  await details.getByRole("button", { name: "Close" }).last().click();
  await expectReadablePage(page);

  const list = page.url();
  await offer.getByRole("link", { name: "See plans and packs" }).click();
  await page.getByRole("button", { name: "Pay As You Go" }).click();
  await approvePayment(page, "Buy 5,000 credits");
  await page.goto(list);
  await expect(offer).toContainText("Checking these in full costs 11 credits at most.");
  await expectReadablePage(page);
  await offer.getByRole("button", { name: "Check these in full" }).click();
  const asked = page.getByRole("dialog", { name: "Check these in full?" });
  await expect(asked).toContainText("11 addresses will have every check, for 11 credits at most");
  await expectReadable(page);
  await asked.getByRole("button", { name: "Check these in full" }).click();
  await expect(offer).toHaveCount(0, PATIENTLY);
  await expect(page.getByRole("row", { name: /anna\.keller/ })).toContainText(
    "Mailbox exists, re-checked",
    PATIENTLY,
  );
  await expect(page.getByRole("row", { name: /gone\.keller/ })).toContainText("Invalid");
  await expect(page.getByRole("row", { name: /mailinator/ })).toContainText("Disposable");
  await expect(page.getByRole("row", { name: /neverregistered/ })).toContainText("basic checks");
  await expect(page.getByText("5,087 credits", { exact: true })).toBeVisible();
  await expectReadablePage(page);
});
