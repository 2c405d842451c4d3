// Quotes from the request to their end: an active plan, a paid invoice, or nothing.
import { expect, type Browser, type Page } from "@playwright/test";

import { test } from "./cast";
import { signUp } from "./newcomer";
import { generateQuote, approveDueRequests, expireQuote, loadMails, openStaffTab, TAB } from "./sales";

/** Chooses a plan of the only quote, and pays at PayPal. */
async function pay(page: Page, plan: "Yearly" | "Monthly", price: string): Promise<void> {
  await page.getByRole("button", { name: "Choose Plan & Pay" }).click();
  await page.getByRole("radio", { name: plan }).check();
  await page.getByRole("button", { name: `Pay ${price} with PayPal` }).click();
  await approve(page);
  await page.waitForURL(/\/dashboard\?tab=custom-packages/);
  await expect(page.getByText("Payment received! Activation pending...").first()).toBeVisible();
}

async function approve(page: Page): Promise<void> {
  await page.waitForURL(/\/sandbox\/paypal\//);
  await page.getByRole("button", { name: /^(Pay|Agree)/ }).click();
}

/** The invoices of the account, in its settings. */
async function invoicesOf(page: Page) {
  await page.goto("/account-settings?tab=subscription");
  return page.getByRole("region", { name: "Invoices" }).getByRole("listitem");
}

async function quoteFor(browser: Browser, email: string): Promise<string> {
  const office = await openStaffTab(browser, "quotes");
  const id = await generateQuote(office, email, "250,000");
  await office.context().close();
  return id;
}

async function subjects(page: Page, email: string, about: string): Promise<string[]> {
  return (await loadMails(page, email)).map(({ subject }) => subject).filter((one) => one.includes(about));
}

test("[QUO-037] [QUO-111] [QUO-120] the first of twelve payments grants its month", async ({
  page,
  browser,
}) => {
  const email = await signUp(page);
  const id = await quoteFor(browser, email);
  await page.goto(TAB);
  await pay(page, "Monthly", "$131.25");
  await approveDueRequests(id);
  await page.reload();
  await expect(page.getByRole("listitem", { name: "250,000 credits" })).toContainText("Plan Activated!");
  await expect(page.getByText("20,937 credits")).toBeVisible(); // 20,833 and the remainder of 4, and the 100
  const invoices = await invoicesOf(page);
  await expect(invoices).toHaveCount(1);
  await expect(invoices).toContainText("$131.25");
});

// One after the other: staff clean up all that has expired, whose it may be.
test.describe("quotes that nobody takes", () => {
  test.describe.configure({ mode: "serial" });

  test("[QUO-054] [QUO-058] [QUO-109] a quote that nobody pays is reminded of twice, expires and goes", async ({
    page,
    browser,
  }) => {
    const email = await signUp(page);
    const id = await quoteFor(browser, email);
    await expireQuote(id, 6.9, 6.5, 1.9, 0.5);
    await expect(async () => {
      expect((await subjects(page, email, id)).sort()).toEqual([
        `Your quote ${id} expires in 2 days`,
        `Your quote ${id} expires in 7 days`,
      ]);
    }).toPass();

    await expireQuote(id, -1);
    await page.goto(TAB);
    const card = page.getByRole("listitem", { name: "250,000 credits" });
    await expect(card).toContainText("Expired");
    await expect(card).toContainText("Quote Expired - Contact support for renewal");
    await expect(card.getByRole("button")).toHaveCount(0);
    await expireQuote(id, -15);
    await page.reload();
    await expect(page.getByText("No quotes yet")).toBeVisible();
    expect(await subjects(page, email, id)).toHaveLength(2);
  });

  test("[QUO-055] [QUO-056] [QUO-057] staff clean up what has expired at once", async ({ page, browser }) => {
    const email = await signUp(page);
    const id = await quoteFor(browser, email);
    await expireQuote(id, -1);
    const office = await openStaffTab(browser, `quotes&quote=${id}`);
    await expect(office.getByRole("button", { name: `View ${id}` })).toBeVisible();
    await office.getByRole("button", { name: "Cleanup Expired" }).click();
    await office.getByRole("button", { name: "Run cleanup" }).click();
    await expect(
      office.getByText(/^Cleanup complete: 0 7-day reminders, 0 2-day reminders, \d+ quotes deleted$/),
    ).toBeVisible();
    await expect(office.getByText("No quote matches")).toBeVisible();
    await office.context().close();
  });
});

test("[QUO-204] [QUO-212] [PEN-005] a plan is given unpaid, and its open invoice is paid later", async ({
  page,
  browser,
}) => {
  const email = await signUp(page);
  const office = await openStaffTab(browser, "quotes");
  const id = await generateQuote(office, email, "250,000");
  await page.goto(TAB);
  await page.getByRole("button", { name: "Choose Plan & Pay" }).click();
  await page.getByRole("button", { name: "Pay $1,307.25 with PayPal" }).click();
  await page.waitForURL(/\/sandbox\/paypal\//);
  await page.getByRole("button", { name: /Cancel/ }).click();
  await page.waitForURL(/\/dashboard\?tab=custom-packages/);
  await expect(page.getByText("Payment cancelled. Your quote can still be paid.")).toBeVisible();

  await office.goto(`/admin?tab=plans&request=${id}`);
  await office.getByRole("button", { name: `Approve & Create Plan ${id}` }).click();
  await office.getByRole("textbox", { name: "Reason" }).fill("Pays by bank transfer");
  await office.getByRole("button", { name: "Approve without payment" }).click();
  await expect(office.getByText("Plan request approved successfully!")).toBeVisible();
  const owed = office
    .getByRole("region", { name: "Open invoices" })
    .getByRole("listitem")
    .filter({ hasText: id });
  await expect(owed).toContainText("Pending");
  await expect(owed).toContainText("$1,307.25");

  const invoices = await invoicesOf(page);
  await expect(invoices).toContainText("Pending");
  await expect(invoices).toContainText("due on");
  await invoices.getByRole("button", { name: /^Pay INV-/ }).click();
  await approve(page);
  await page.waitForURL(/\/dashboard\?tab=custom-packages/);
  await expect(page.getByText(/^Invoice INV-\d{4}-\d{6} is paid\.$/)).toBeVisible();
  const paid = await invoicesOf(page);
  await expect(paid).toHaveCount(1);
  await expect(paid).toContainText("Paid");
  await office.reload();
  await expect(owed).toHaveCount(0);
  await office.context().close();
});
