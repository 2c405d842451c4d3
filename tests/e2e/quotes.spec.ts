// A quote from the request to the customer's answer, through both sides of the site.
import { expect } from "@playwright/test";

import { test } from "./cast";
import { signUp } from "./newcomer";
import { generateQuote, openStaffTab, TAB } from "./sales";

test("[QUO-110] [QUO-115] [QUO-121] a quote is printed and declined, and staff delete it", async ({
  page,
  browser,
}) => {
  const email = await signUp(page);
  const office = await openStaffTab(browser, "quotes");
  const id = await generateQuote(office, email, "50,000");

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
