// What is bought, quoted and refunded on the way to a screen.
import { expect, type Page } from "@playwright/test";

import { callApi, runShell } from "../calls";
import { signUp } from "../newcomer";
import { approvePayment, type Outcome } from "../paypal";
import { signInAt } from "../product";
import { CUSTOMER, SAM, SECRET } from "./cast";

export { TAB } from "../sales";

const SUBSCRIPTION = "/account-settings?tab=subscription";

export async function toPayPal(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Choose Growth" }).click();
  await page.waitForURL(/\/sandbox\/paypal\//);
}

async function buy(page: Page, outcome: Outcome): Promise<string> {
  const email = await signUp(page);
  await page.goto("/dashboard?tab=pricing");
  await approvePayment(page, "Choose Growth", outcome);
  return email;
}

/** Somebody new who comes back from PayPal. */
export function back(outcome: Outcome): (page: Page) => Promise<string> {
  return async (page) => {
    await signUp(page);
    await page.goto("/dashboard?tab=pricing");
    const returning = page.waitForRequest(/\/account-settings\?/);
    await approvePayment(page, "Choose Growth", outcome);
    return (await returning).url();
  };
}

async function subscribe(page: Page): Promise<string> {
  const email = await buy(page, "pay");
  await expect(page.getByText("Your Growth plan is active.")).toBeVisible();
  return email;
}

export async function subscribed(page: Page): Promise<string> {
  await subscribe(page);
  return SUBSCRIPTION;
}

/** Somebody whose last payment did not go through, and who goes to that address. */
export function pastDueAt(address: string): (page: Page) => Promise<string> {
  return async (page) => {
    const email = await subscribe(page);
    await runShell(
      "from billing.subscriptions.models import Subscription",
      "from django.utils import timezone",
      `mine = Subscription.objects.filter(user__email="${email}")`,
      'mine.update(status="past_due", past_due_at=timezone.now())',
    );
    return address;
  };
}

export const pastDue = pastDueAt(SUBSCRIPTION);

/** Presses those buttons, one after the other, until another one is there. */
function pressing(names: string[], shown: string): (page: Page) => Promise<void> {
  return async (page) => {
    for (const name of names) await page.getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("button", { name: shown, exact: true })).toBeVisible();
  };
}

export const downgrade = pressing(["Downgrade to Starter, billed monthly", "Confirm change"], "Undo");
export const pause = pressing(["Pause", "Pause subscription"], "Resume");
export const cancel = pressing(["Cancel", "Cancel subscription"], "Keep my plan");

export async function trial(page: Page): Promise<string> {
  await signUp(page);
  await callApi(page, "POST", "/api/trial/start");
  return SUBSCRIPTION;
}

async function quoteOf(page: Page): Promise<string> {
  const { quotes } = await callApi<{ quotes: { quote_id: string }[] }>(page, "GET", "/api/quotes/my-quotes");
  return quotes[0]?.quote_id ?? "";
}

/** As on paper. */
export async function paper(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print" });
}

export async function printed(page: Page): Promise<string> {
  return `/quotes/${await quoteOf(page)}/print`;
}

export async function printedByStaff(page: Page): Promise<string> {
  const { quotes } = await callApi<{ quotes: { quote_id: string }[] }>(page, "GET", "/api/admin/quotes");
  return `/admin/quotes/${quotes[0]?.quote_id ?? ""}/print`;
}

export function drawer(part: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole("button", { name: "Paula Pine" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: part }).click();
  };
}

export async function createAdmin(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create Admin" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Admin" });
  await dialog.getByLabel("Email").fill(`ada.${Date.now()}@emailcheck.app`);
  await dialog.getByLabel("Name", { exact: true }).fill("Ada");
  await dialog.getByRole("button", { name: "Create admin" }).click();
  await expect(page.getByRole("dialog", { name: "Admin created" })).toBeVisible();
}

export async function viewAs(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Paula Pine" }).first().click();
  await page.getByRole("button", { name: "View as user…" }).click();
  const dialog = page.getByRole("dialog", { name: "View as Paula Pine" });
  await dialog.getByLabel("Reason").fill("Asked by phone");
  await dialog.getByRole("button", { name: "View as user" }).click();
  await expect(page.getByRole("complementary", { name: "Viewing as a user" })).toBeVisible();
}

export async function grant(page: Page): Promise<void> {
  const form = page.getByRole("region", { name: "Bulk Credit Management" });
  await form.getByLabel("Emails").fill(`${CUSTOMER}\nnobody@harborquill.com\n${CUSTOMER}`);
  await form.getByLabel("Credits for each").fill("250");
  await form.getByLabel("Reason").selectOption("compensation");
  await form.getByRole("button", { name: "Preview grant" }).click();
  await expect(form.getByRole("list", { name: "Found", exact: true })).toBeVisible();
}

export async function refund(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Paula Pine" }).first().click();
  await page.getByRole("button", { name: "Refund…" }).click();
}

interface Sessions {
  sessions: { id: number; current: boolean }[];
}

/** A member of staff who gave the password long ago. */
export async function staleStaff(page: Page): Promise<string> {
  await signInAt(page, "", SAM, SECRET.staff);
  const { sessions } = await callApi<Sessions>(page, "GET", "/api/user/sessions");
  const own = sessions.find(({ current }) => current)?.id ?? 0; // others sign in as Sam meanwhile
  await runShell(
    "from datetime import timedelta",
    "from accounts.access.models import SignIn",
    "from django.utils import timezone",
    `SignIn.objects.filter(pk=${String(own)}).update(confirmed_at=timezone.now() - timedelta(hours=1))`,
  );
  return "/admin?tab=system";
}

export async function confirm(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Export user data" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
  await expect(page.getByRole("dialog", { name: "Confirm that it is you" })).toBeVisible();
}
