// What customers press to come from a page to a screen.
import { randomUUID } from "node:crypto";

import { expect, type Page } from "@playwright/test";

import { getSamplePath } from "../cast";
import { callApi, runShell } from "../calls";
import { turnOnTotp } from "../newcomer";

type Opening = (page: Page) => Promise<void>;

export function button(name: string | RegExp): Opening {
  return (page) => page.getByRole("button", { name }).first().click();
}

/** An entry of the menu of a row. */
export function entry(row: RegExp, name: RegExp): Opening {
  return async (page) => {
    await page.getByRole("button", { name: row }).first().click();
    await page.getByRole("menuitem", { name }).click();
  };
}

export function exactly(name: string): Opening {
  return (page) => page.getByRole("button", { name, exact: true }).first().click();
}

export function link(name: string): Opening {
  return (page) => page.getByRole("link", { name }).first().click();
}

export function text(words: string): Opening {
  return (page) => page.getByText(words).first().click();
}

export function keys(pressed: string): Opening {
  return async (page) => {
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await page.keyboard.press(pressed);
    await expect(page.getByRole("dialog")).toBeVisible();
  };
}

/** One that opens by itself. */
export async function dialog(page: Page): Promise<void> {
  await expect(page.getByRole("dialog")).toBeVisible();
}

export async function oneAddress(page: Page): Promise<void> {
  await page.getByLabel("Single address").fill("anna.keller@gmail.com");
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  const report = page.getByRole("region", { name: "anna.keller@gmail.com" });
  await expect(report.or(page.getByRole("alert")).first()).toBeVisible();
}

export async function pasted(page: Page): Promise<void> {
  const list = ["anna.keller@gmail.com", "gone.keller@gmail.com", "tom.reed@velvetcircuit.com", "no-address"];
  await page.getByLabel("Paste a list").fill(list.join("\n"));
  await page.getByRole("button", { name: "Validate list" }).click();
  await expect(page.getByRole("region", { name: "4 addresses validated" })).toBeVisible();
}

export async function columns(page: Page): Promise<void> {
  await page.getByLabel("File with addresses").setInputFiles(getSamplePath("customers-200.csv"));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Columns" })).toBeVisible();
}

export async function review(page: Page): Promise<void> {
  await columns(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Review" })).toBeVisible();
}

async function reviewed(page: Page, name: string, rows: readonly string[]): Promise<void> {
  const file = { name, mimeType: "text/csv", buffer: Buffer.from(["email", ...rows].join("\n")) };
  await page.getByLabel("File with addresses").setInputFiles(file);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Columns" })).toBeVisible();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Review" })).toBeVisible();
}

/** A list that takes its time, because of operators. */
export async function timed(page: Page): Promise<void> {
  const at = (domain: string, count: number) =>
    Array.from({ length: count }, (_, index) => `rosa.winter${index}@${domain}`);
  await reviewed(page, "operators.csv", [...at("yahoo.com", 8_000), ...at("icloud.com", 4_400)]);
  await expect(page.getByRole("table", { name: "Time by mail operator" })).toBeVisible();
}

/** A list at a host that takes its time, so that it runs while it is looked at. */
export async function running(page: Page): Promise<void> {
  const mark = randomUUID().slice(0, 8);
  const rows = Array.from({ length: 240 }, (_, index) => `patient-${mark}-${index}@snailgarden.net`);
  await reviewed(page, "patient.csv", rows);
  await page.getByRole("button", { name: "Start validation" }).click();
  await expect(page.getByRole("dialog", { name: "Validating patient.csv" })).toBeVisible();
}

export async function inBackground(page: Page): Promise<void> {
  await running(page);
  await page.getByRole("button", { name: "Continue in background" }).click();
  await expect(page.getByRole("region", { name: "Batch progress" })).toBeVisible();
}

/** A list whose rows wait for several operators, as if it were longer than it is. */
export async function waiting(page: Page): Promise<void> {
  await inBackground(page);
  const lines = [
    ["yahoo", "rate", 96, 2],
    ["", "", 40, 15],
    ["apple", "egress", 12, 5],
    ["google", "session", 8, 1],
  ] as const;
  await runShell(
    "from datetime import timedelta",
    "from django.utils import timezone",
    "from validation.batches.models import Batch",
    "batch = Batch.objects.filter(filename='patient.csv').latest('created_at')",
    "at = lambda minutes: timezone.now() + timedelta(minutes=minutes)",
    ...lines.map(
      ([operator, cause, rows, minutes], index) =>
        `batch.chunks.create(number=${9_000 + index}, rows=[], size=${rows}, not_before=at(${minutes}), waits_for="${operator}", wait_cause="${cause}")`,
    ),
  );
  await expect(page.getByText("156 rows wait")).toBeVisible();
}

export async function cancelling(page: Page): Promise<void> {
  await inBackground(page);
  await page.getByRole("button", { name: "Cancel batch" }).first().click();
}

/** The address of the customer's list, with a query. */
export function batch(query = ""): (page: Page) => Promise<string> {
  return async (page) => {
    const path = "/api/validate/batches?search=customers-200.csv";
    const { batches } = await callApi<{ batches: { id: string }[] }>(page, "GET", path);
    return `/dashboard/batch/${batches[0]?.id ?? ""}${query}`;
  };
}

export async function result(page: Page): Promise<string> {
  const data = { email: "gone.keller@gmail.com" };
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/validate/single", data);
  return `/dashboard/result/${id}`;
}

export async function newKey(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create API key" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Newsletter");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("API key", { exact: true })).toBeVisible();
}

export async function delivery(page: Page): Promise<void> {
  await entry(/^More actions for https/, /^Deliveries /)(page);
  await page
    .getByRole("button", { name: /validation\.completed/ })
    .first()
    .click();
  await expect(page.getByRole("dialog", { name: "Delivery" })).toBeVisible();
}

export async function request(page: Page): Promise<void> {
  const log = page.getByRole("region", { name: "Request log" });
  await log
    .getByRole("button", { name: /^POST / })
    .first()
    .click();
  await expect(page.getByRole("dialog").getByLabel("Request id")).toBeVisible();
}

export async function noRequest(page: Page): Promise<void> {
  const log = page.getByRole("region", { name: "Request log" });
  await log.getByLabel("Path").fill("/nowhere");
  await expect(log.getByText("No requests match")).toBeVisible();
}

export async function secondFactor(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
}

export async function recoveryCodes(page: Page): Promise<void> {
  await turnOnTotp(page);
  await page.getByRole("button", { name: "New recovery codes" }).click();
}
