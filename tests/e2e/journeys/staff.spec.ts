// A working day of staff: a request becomes a paid plan, a payment goes back, an alert comes and goes, a backup is proved.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";

import { expect, type Page } from "@playwright/test";

import { callApi, runManagementCommand, runShell } from "../calls";
import { signInByCall, test } from "../cast";
import { signUp } from "../newcomer";
import { answerPayment, approvePayment } from "../paypal";
import { readQuoteId, loadMails, TAB } from "../sales";
import { checkPage, testJourney } from "./journey";

// One backup runs at a time.
test.describe.configure({ mode: "default" });

const SAM = "sam@emailcheck.app";

/** The customer asks for a price; before that, a pack was bought twice. */
async function requestQuote(customer: Page): Promise<string> {
  const email = await signUp(customer);
  await customer.goto("/dashboard?tab=pricing&pricing=payasyougo");
  await approvePayment(customer, "Buy 5,000 credits");
  await expect(customer.getByText("5,000 credits were added to your account.")).toBeVisible();
  await customer.goto(TAB);
  await expect(customer.getByText("No quotes yet")).toBeVisible();
  await customer.getByLabel("Credits needed").fill("249,500");
  await customer.getByLabel(/Company name/).fill("Harbor & Quill");
  await customer.getByRole("button", { name: "Request quote" }).click();
  await expect(
    customer.getByText("Custom quote request submitted! We'll get back to you soon."),
  ).toBeVisible();
  await expect(customer.getByRole("region", { name: "Your requests" })).toContainText(
    "Waiting for our quote",
  );
  await checkPage(customer);
  return email;
}

/** Answers the request with a quote, and mails it; answers the id of the quote. */
async function quote(page: Page, email: string): Promise<string> {
  await page.goto("/admin?tab=quotes");
  const entry = page.getByRole("listitem").filter({ hasText: email });
  await expect(entry).toContainText("249,500 credits");
  await expect(entry).toContainText("PENDING");
  await entry.getByRole("button", { name: /^Generate Quote/ }).click();
  const form = page.getByRole("region", { name: "Generate Enterprise Quote" });
  await expect(form).toContainText("asked for 249,500 credits; rounded up to 250,000");
  await expect(form.getByLabel("Customer email")).toHaveValue(email);
  await expect(form).toContainText("$1,307.25");
  await checkPage(page);
  await form.getByRole("button", { name: "Generate quote" }).click();
  const id = await readQuoteId(page);
  await expect(entry).toHaveCount(0); // it waits no more
  await page.getByRole("button", { name: `View ${id}` }).click();
  const details = page.getByRole("dialog", { name: `Quote ${id}` });
  await expect(details.getByLabel("Recipient email")).toHaveValue(email);
  await checkPage(page);
  await details.getByRole("button", { name: "Email Quote via SMTP" }).click();
  await expect(page.getByText(`Quote sent successfully to ${email}`)).toBeVisible();
  return id;
}

/** The customer follows the mail and pays for a year. */
async function pay(customer: Page, email: string, id: string): Promise<void> {
  await expect(async () => {
    const [mail] = (await loadMails(customer, email)).filter(({ subject }) => subject.includes(id));
    expect(mail?.subject).toBe(`Your quote ${id}: 250,000 credits`);
    expect(mail?.text).toContain(TAB);
  }).toPass();
  await customer.goto(TAB);
  const card = customer.getByRole("listitem", { name: "250,000 credits" });
  await expect(card).toContainText(id);
  await expect(card).toContainText("Active");
  await card.getByRole("button", { name: "Choose Plan & Pay" }).click();
  const choice = customer.getByRole("dialog", { name: "Choose your plan" });
  await expect(choice).toContainText("292,500 credits up front");
  await expect(choice).toContainText("20,833 credits per month");
  await checkPage(customer);
  await choice.getByRole("button", { name: "Pay $1,307.25 with PayPal" }).click();
  await answerPayment(customer);
  await expect(card).toContainText("Paid - Pending Activation");
  await expect(card).toContainText("Payment received! Activation pending...");
  await expect(customer.getByRole("region", { name: "Your requests" })).toContainText("Payment received");
  await expect(customer).toHaveURL(/\/dashboard\?tab=custom-packages$/);
}

async function activate(page: Page, customer: Page, id: string): Promise<void> {
  await page.goto(`/admin?tab=plans&request=${id}`);
  const request = page.getByRole("listitem", { name: id, exact: true });
  await expect(request).toContainText(/by itself in \d:\d\d/i);
  await checkPage(page);
  await request.getByRole("button", { name: /^Approve Payment & Activate/ }).click();
  await expect(page.getByText("Plan request approved successfully!")).toBeVisible();
  await expect(request).toHaveCount(0);
  await page.goto(`/admin?tab=plans&request=${id}&plan=${id}`);
  await expect(page.getByRole("listitem", { name: `Quote ${id}` })).toContainText("Active");
  await page.goto(`/admin?tab=crm&view=contracts&contract_search=${id}`);
  const contracts = page.getByRole("table", { name: "Contracts" }).getByRole("row");
  const contract = contracts.filter({ has: page.locator("td") }).first();
  await expect(contract).toContainText("Harbor & Quill");
  await expect(contract).toContainText("Enterprise, yearly: 250,000 credits a year");
  await expect(contract).toContainText("$1,307.25");
  await checkPage(page);
  await customer.reload();
  await expect(customer.getByRole("listitem", { name: "250,000 credits" })).toContainText("Plan Activated!");
  // 1.17 × 250,000, the pack, and the 100 of a new account
  await expect(customer.locator(".credits")).toHaveText("297,600 credits");
}

/** Gives the pack's payment back. */
async function refund(page: Page, customer: Page, email: string): Promise<void> {
  await customer.goto("/account-settings?tab=subscription");
  const invoices = customer.getByRole("region", { name: "Invoices" }).getByRole("listitem");
  await expect(invoices).toHaveCount(2);
  const pack = invoices.filter({ hasText: "$59.00" });
  const number = (await pack.getByText(/^INV-/).innerText()).trim();
  await expect(invoices.filter({ hasText: "$1,307.25" })).toContainText("Paid");
  await page.goto("/admin?tab=revenue");
  await page.getByRole("searchbox", { name: "Search payments" }).fill(number);
  // The list is the one that was searched for: no row moves any more.
  const rows = page.getByRole("table", { name: "Payments", exact: true }).getByRole("row");
  await expect(rows).toHaveCount(2);
  const found = rows.filter({ hasText: email }).filter({ hasText: "$59.00" });
  await found.getByRole("button", { name: "Nora New" }).click();
  const dialog = page.getByRole("dialog", { name: "Payment of Nora New" });
  await expect(dialog.getByText("The 30-day guarantee does not apply.")).toBeVisible();
  await dialog.getByRole("button", { name: "Refund…" }).click();
  await dialog.getByLabel("Reason").fill("Bought twice");
  await checkPage(page);
  await dialog.getByRole("button", { name: "Refund $59.00" }).click();
  await expect(page.getByText(`Refund of $59.00 sent to ${email}`)).toBeVisible();
  await customer.reload();
  await expect(invoices).toHaveCount(3);
  await expect(invoices.first()).toContainText("Credit note");
  await expect(invoices.first()).toContainText("-$59.00");
  await expect(pack.filter({ hasText: number }).last()).toContainText("Refunded");
  await expect(customer.getByText("Refund of 5,000 credits")).toBeVisible();
}

/** Three readings of a machine, none newer than what is reported next; then the figures are looked at, as every minute. */
async function report(machine: string, disk: number): Promise<void> {
  await runShell(
    "from datetime import timedelta",
    "from adminpanel.monitoring.alerts import services",
    "from adminpanel.monitoring.models import MachineSample",
    "from django.utils import timezone",
    "idle = dict(cpu_percent=1, memory_percent=1, active_requests=0, rows=0, chunks=0, work_ms=0)",
    "for reading in range(3):",
    "    at = timezone.now() + timedelta(milliseconds=reading)",
    `    MachineSample.objects.create(machine="${machine}", at=at, disk_percent=${disk}, **idle)`,
    "services.update_alerts()",
  );
}

async function beAlerted(page: Page): Promise<void> {
  const machine = `rack-${randomUUID().slice(0, 8)}`;
  const title = `Disk of ${machine} is nearly used up`;
  await report(machine, 97);
  await page.goto("/admin?tab=monitoring");
  const alert = page.getByRole("region", { name: "System alerts" }).getByRole("listitem");
  await expect(alert.filter({ hasText: title })).toContainText("Critical");
  await expect(alert.filter({ hasText: title })).toContainText("disk at 97%");
  await checkPage(page);
  await report(machine, 20);
  await page.getByRole("button", { name: "Refresh All Data" }).click();
  await expect(alert.filter({ hasText: title })).toHaveCount(0);
  await expect(async () => {
    const subjects = (await loadMails(page, SAM)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes(title))).toHaveLength(2);
  }).toPass();
}

/** The backup becomes an installation of its own, in which every balance is right. */
async function restore(file: string): Promise<void> {
  const directory = await mkdtemp(`${tmpdir()}/restored-`);
  runManagementCommand(["restore_backup", file, "--into", directory]);
  // Its PayPal is nowhere: others pay meanwhile.
  const environment = { VAR_DIR: directory, PAYPAL_API_BASE: "http://127.0.0.1:9" };
  expect(runManagementCommand(["reconcile"], environment)).toContain("0 differences");
  await rm(directory, { recursive: true });
}

async function backUp(page: Page, isDesktop: boolean): Promise<void> {
  await page.goto("/admin?tab=system");
  const list = page.getByRole("region", { name: "Backups" });
  await list.getByRole("button", { name: "Back up now" }).click();
  await page.getByRole("button", { name: "Start backup" }).click();
  await expect(page.getByText(/^Backup initiated: job_/)).toBeVisible();
  const newest = list
    .getByRole("row")
    .filter({ has: page.locator("td") })
    .first();
  await expect(newest).toContainText("Completed", { timeout: 60_000 });
  await expect(newest).toContainText(/\d (KB|MB)/);
  await checkPage(page);
  const downloading = page.waitForEvent("download");
  await newest.getByRole("button", { name: /^Download/ }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^job_\w+\.tar\.gz$/);
  if (isDesktop) await restore(await file.path());
  await newest.getByRole("button", { name: /^Delete/ }).click();
  await page.getByRole("button", { name: "Delete backup" }).click();
  const kept = async () => {
    const { backups } = await callApi<{ backups: { id: string }[] }>(page, "GET", "/api/monitoring/backups");
    return backups.map(({ id }) => `${id}.tar.gz`);
  };
  await expect.poll(kept).not.toContain(file.suggestedFilename());
}

testJourney("[MON-024] [QUO-004] [QUO-053] a working day of staff", async ({ page, another, isDesktop }) => {
  const customer = await another();
  const email = await test.step("a request comes", () => requestQuote(customer));
  await signInByCall(page, SAM);
  const id = await test.step("it becomes a quote", () => quote(page, email));
  await test.step("the customer pays", () => pay(customer, email, id));
  await test.step("the plan becomes active", () => activate(page, customer, id));
  await test.step("a payment goes back", () => refund(page, customer, email));
  await test.step("an alert comes and goes", () => beAlerted(page));
  await test.step("a backup is made and restored", () => backUp(page, isDesktop));
});
