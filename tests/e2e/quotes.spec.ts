// A quote from the request to the customer's answer, through both sides of the site.
import { expect } from "@playwright/test";

import { test } from "./cast";
import { signUp } from "./newcomer";
import { generate, generated, mailsTo, staff, TAB } from "./sales";

test("[QUO-001] [QUO-004] [QUO-023] [QUO-033] [QUO-040] [QUO-103] [QUO-104] a request becomes a mailed quote", async ({
  page,
  browser,
}) => {
  const email = await signUp(page);
  await page.goto(TAB);
  await expect(page.getByText("No quotes yet")).toBeVisible();
  await page.getByLabel("Credits needed").fill("249,500");
  await page.getByLabel(/Company name/).fill("Harbor & Quill");
  await page.getByRole("button", { name: "Request quote" }).click();
  await expect(page.getByText("Custom quote request submitted! We'll get back to you soon.")).toBeVisible();

  const office = await staff(browser, "quotes");
  const entry = office.getByRole("listitem").filter({ hasText: email });
  await expect(entry).toContainText("249,500 credits");
  await expect(entry).toContainText("PENDING");
  await entry.getByRole("button", { name: /^Generate Quote/ }).click();
  const form = office.getByRole("region", {
    name: "Generate Enterprise Quote",
  });
  await expect(form).toContainText("asked for 249,500 credits; rounded up to 250,000");
  await expect(form.getByLabel("Customer email")).toHaveValue(email);
  await expect(form).toContainText("$1,307.25");
  await form.getByRole("button", { name: "Generate quote" }).click();
  const id = await generated(office);
  await expect(entry).toHaveCount(0); // it waits no more

  await office.getByRole("button", { name: `View ${id}` }).click();
  const details = office.getByRole("dialog", { name: `Quote ${id}` });
  await expect(details.getByLabel("Recipient email")).toHaveValue(email);
  await details.getByRole("button", { name: "Email Quote via SMTP" }).click();
  await expect(office.getByText(`Quote sent successfully to ${email}`)).toBeVisible();
  await expect(async () => {
    const [mail] = (await mailsTo(page, email)).filter(({ subject }) => subject.includes(id));
    expect(mail?.subject).toBe(`Your quote ${id}: 250,000 credits`);
    expect(mail?.text).toContain("/dashboard?tab=custom-packages");
  }).toPass();
  await office.context().close();

  await page.goto(TAB);
  const card = page.getByRole("listitem", { name: "250,000 credits" });
  await expect(card).toContainText(id);
  await expect(card).toContainText("Active");
  await card.getByRole("button", { name: "Choose Plan & Pay" }).click();
  const choice = page.getByRole("dialog", { name: "Choose your plan" });
  await expect(choice).toContainText("292,500 credits up front");
  await expect(choice).toContainText("20,833 credits per month");
});

test("[QUO-110] [QUO-115] [QUO-034] [QUO-121] a quote is printed and declined, and staff delete it", async ({
  page,
  browser,
}) => {
  const email = await signUp(page);
  const office = await staff(browser, "quotes");
  const id = await generate(office, email, "50,000");

  await page.goto(`/quotes/${id}/print`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Quote ${id}`);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("main")).toContainText("$290.53");

  await page.goto(TAB);
  await page.getByRole("button", { name: `Decline ${id}` }).click();
  await page.getByRole("button", { name: "Decline quote" }).click();
  await expect(page.getByText("Quote declined", { exact: true })).toBeVisible();
  const card = page.getByRole("listitem", { name: "50,000 credits" });
  await expect(card).toContainText("Declined");
  await expect(card.getByRole("button")).toHaveCount(0);

  await office.goto(`/admin?tab=quotes&quote=${id}`);
  await office.getByRole("button", { name: `Delete ${id}` }).click();
  await office.getByRole("button", { name: "Delete quote" }).click();
  await expect(office.getByText("Quote deleted successfully!")).toBeVisible();
  await expect(office.getByRole("button", { name: `View ${id}` })).toHaveCount(0);
  await office.context().close();
  await page.reload();
  await expect(page.getByText("No quotes yet")).toBeVisible();
});

test("[QUO-111] [QUO-112] [QUO-116] [QUO-204] [QUO-205] [QUO-108] a yearly plan is paid, approved and active", async ({
  page,
  browser,
}) => {
  const email = await signUp(page);
  const office = await staff(browser, "quotes");
  const id = await generate(office, email, "250,000");
  await office.goto(`/admin?tab=plans&request=${id}`);

  const pay = async (button: RegExp) => {
    await page.goto(TAB);
    await page.getByRole("button", { name: "Choose Plan & Pay" }).click();
    await page.getByRole("button", { name: "Pay $1,307.25 with PayPal" }).click();
    await page.waitForURL(/\/sandbox\/paypal\//);
    await page.getByRole("button", { name: button }).click();
    await page.waitForURL(/\/dashboard\?tab=custom-packages/);
  };
  await pay(/Cancel/);
  await expect(page.getByText("Payment cancelled. The quote can still be paid.")).toBeVisible();
  await office.reload();
  const request = office.getByRole("listitem", { name: id, exact: true });
  await expect(request.getByRole("button")).toHaveText("Approve & Create Plan");

  await pay(/^(Pay|Agree)/);
  const card = page.getByRole("listitem", { name: "250,000 credits" });
  await expect(card).toContainText("Paid - Pending Activation");
  await expect(card).toContainText("Payment received! Activation pending...");
  await expect(page).toHaveURL(/\/dashboard\?tab=custom-packages$/);

  await office.reload();
  await expect(request).toContainText(/Activates by itself in [67]:\d\d/);
  await request.getByRole("button", { name: /^Approve Payment & Activate/ }).click();
  await expect(office.getByText("Plan request approved successfully!")).toBeVisible();
  await expect(request).toHaveCount(0);
  await office.context().close();

  await page.reload();
  await expect(card).toContainText("Plan Activated!");
  await expect(page.getByText("292,600 credits")).toBeVisible(); // 292,500 and the 100 of a new account
});
