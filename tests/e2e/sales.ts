// What tests of quotes share: the office, the mails, and a clock for one quote.
import { expect, type Browser, type Page } from "@playwright/test";

import { runShell } from "./calls";
import { signInByCall } from "./cast";

const SAM = "sam@emailcheck.app";
export const TAB = "/dashboard?tab=custom-packages";

interface Mail {
  subject: string;
  text: string;
}

/** What was mailed to an address. */
export async function loadMails(page: Page, address: string): Promise<Mail[]> {
  const answer = await page.request.get("/sandbox/outbox", {
    headers: { Accept: "application/json" },
    params: { to: address },
  });
  return (await answer.json()) as Mail[];
}

/** Staff in a window of their own, on a tab of the staff area. */
export async function openStaffTab(browser: Browser, tab: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript(() => localStorage.setItem("onboarding_completed", "true"));
  await signInByCall(page, SAM);
  await page.goto(`/admin?tab=${tab}`);
  return page;
}

/** Makes a quote by the form; answers its id. */
export async function generateQuote(page: Page, email: string, credits: string): Promise<string> {
  const form = page.getByRole("region", { name: "Generate Enterprise Quote" });
  await form.getByLabel("Customer name").fill("Nora New");
  await form.getByLabel("Customer email").fill(email);
  await form.getByLabel("Credits needed").selectOption({ label: credits });
  await form.getByRole("button", { name: "Generate quote" }).click();
  return readQuoteId(page);
}

/** The id that the newest toast names. */
export async function readQuoteId(page: Page): Promise<string> {
  const toast = page.getByText(/^Quote generated successfully! ID: Q-/).first();
  await expect(toast).toBeVisible();
  return (await toast.innerText()).replace(/^.*ID: /, "");
}

/** Runs code of the product's shell, with the quote of that id as `quote`. */
async function runWithQuote(id: string, code: readonly string[]): Promise<void> {
  await runShell(
    "from datetime import timedelta",
    "from django.utils import timezone",
    "from quotes import tasks",
    "from quotes.plan_requests.models import PlanRequest; from quotes.quotes.models import Quote",
    `quote = Quote.objects.filter(quote_id="${id}")`,
    ...code,
  );
}

/** So many days from now the quote expires, one after the other; what the clock does every day happens, twice. */
export async function expireQuote(id: string, ...days: number[]): Promise<void> {
  await runWithQuote(
    id,
    days.flatMap((ahead) => [
      `quote.update(expires_at=timezone.now() + timedelta(days=${ahead}))`,
      "tasks.sweep_quotes()",
      "tasks.sweep_quotes()",
    ]),
  );
}

/** The minutes in which staff may look at a paid plan request are over. */
export async function approveDueRequests(id: string): Promise<void> {
  await runWithQuote(id, [
    "PlanRequest.objects.filter(quote__in=quote).update(auto_approval_at=timezone.now())",
    "tasks.approve_due()",
  ]);
}
