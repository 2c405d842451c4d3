// What visitors do to come to a screen, and who signs in for the first time.
import { randomUUID } from "node:crypto";

import { expect, type Page } from "@playwright/test";

import { callApi, runShell } from "../calls";
import {
  AS_ELSEWHERE,
  enterPassword,
  loadMailedLink,
  createAddress,
  PASSWORD,
  registerAccount,
  signUp,
  turnOnTotp,
} from "../newcomer";
import { signInAt } from "../product";
import { SAM, SECRET } from "./cast";

/** Who came last by the path of a screen; its opening signs them in. */
let comer = { email: "", password: "" };

export async function yearly(page: Page): Promise<void> {
  await page.locator("#pricing").getByText("Yearly", { exact: true }).click();
}

export async function menu(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByLabel("Menu", { exact: true }).first().click();
}

export async function tryAddress(page: Page): Promise<void> {
  const box = page.locator("#try");
  await box.getByRole("button", { name: "gone.keller@gmail.com" }).click();
  await expect(box.getByText("Do not send", { exact: true })).toBeVisible();
}

export async function wrongPassword(page: Page): Promise<void> {
  await enterPassword(page, "alice@alder-and-ash.com", "not the password");
  await expect(page.getByRole("alert")).toBeVisible();
}

export async function registered(page: Page): Promise<void> {
  await registerAccount(page, createAddress());
}

async function registeredByCall(page: Page): Promise<string> {
  const email = createAddress();
  const data = { email, password: PASSWORD, name: "Nora New" };
  expect((await page.request.post("/api/auth/register", { data })).ok()).toBe(true);
  comer = { email, password: PASSWORD };
  return email;
}

export async function unverified(page: Page): Promise<string> {
  await registeredByCall(page);
  return "/?login=true";
}

/** A second window, in which staff work. */
export async function inOffice<T>(page: Page, work: (office: Page) => Promise<T>): Promise<T> {
  const browser = page.context().browser();
  if (!browser) throw new Error("no browser");
  const context = await browser.newContext();
  const office = await context.newPage();
  await signInAt(office, "", SAM, SECRET.staff);
  const done = await work(office);
  await context.close();
  return done;
}

async function change(page: Page, email: string, changes: object): Promise<void> {
  await inOffice(page, async (office) => {
    const query = `search=${encodeURIComponent(email)}`;
    const found = await callApi<{ users: { id: number }[] }>(
      office,
      "GET",
      `/api/admin/users/authenticated?${query}`,
    );
    await callApi(office, "PUT", `/api/admin/users/${found.users[0]?.id ?? 0}`, changes);
  });
}

export async function suspended(page: Page): Promise<string> {
  const email = await registeredByCall(page);
  const link = new URL(await loadMailedLink(page.request, email, "/verify-email"));
  await page.request.get(`/api/auth/verify-email${link.search}`, AS_ELSEWHERE);
  await change(page, email, { status: "suspended", suspension_reason: "Bought lists" });
  return "/?login=true";
}

export async function guarded(page: Page): Promise<string> {
  const email = await signUp(page);
  await turnOnTotp(page);
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
  comer = { email, password: PASSWORD };
  return "/?login=true";
}

export async function enter(page: Page): Promise<void> {
  await enterPassword(page, comer.email, comer.password);
  await expect(
    page.getByRole("dialog", { name: "Two-factor sign-in" }).or(page.getByRole("alert")),
  ).toBeVisible();
}

export async function createdAdmin(page: Page): Promise<string> {
  const email = `ada.${randomUUID().slice(0, 8)}@emailcheck.app`;
  const made = await inOffice(page, (office) =>
    callApi<{ password: string }>(office, "POST", "/api/admin/create-admin", { email, name: "Ada" }),
  );
  await page.goto("/?login=true");
  await enterPassword(page, email, made.password);
  await page.waitForURL(/\/reset-password\?token=/);
  return page.url();
}

/** Nothing that waits in the page happens any more: it would lead elsewhere after three seconds. */
export async function stay(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: /verified|Complete/ })).toBeVisible();
  await page.evaluate(() => {
    for (let timer = 0; timer < 10_000; timer += 1) window.clearTimeout(timer);
  });
}

export async function verification(page: Page): Promise<string> {
  return loadMailedLink(page.request, await registeredByCall(page), "/verify-email");
}

export async function reset(page: Page): Promise<string> {
  const email = await signUp(page);
  await page.context().clearCookies();
  await page.request.post("/api/auth/forgot-password", { data: { email } });
  return loadMailedLink(page.request, email, "/reset-password");
}

export async function chosen(page: Page): Promise<void> {
  await page.getByLabel("New password").fill("battery-43-staple");
  await page.getByLabel("Confirm password").fill("battery-43-staple");
  await page.getByRole("button", { name: "Reset password" }).click();
  await stay(page);
}

export async function contacted(page: Page): Promise<void> {
  await page.getByLabel("Name").fill("Ida Holm");
  await page.getByLabel("Email", { exact: true }).fill("ida@holm.org");
  await page.getByLabel("Message", { exact: true }).fill("How many at once?");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByRole("heading", { name: /^Message sent/ })).toBeVisible();
}

export async function newsletter(page: Page): Promise<string> {
  const email = `reader.${randomUUID().slice(0, 8)}@gmail.com`;
  await page.request.post("/api/newsletter/subscribe", { data: { email } });
  return loadMailedLink(page.request, email, "/newsletter/confirm");
}

/** A page that could not be made, which no address of a product that works shows. */
export async function broken(page: Page): Promise<string> {
  const html = await runShell(
    "from django.test import RequestFactory",
    "from emailcheck.public.errors import server_error",
    'print(server_error(RequestFactory().get("/")).content.decode())',
  );
  await page.route("**/status?broken", (route) =>
    route.fulfill({ status: 500, contentType: "text/html", body: html }),
  );
  return "/status?broken";
}

/** Signs somebody new in, who loses the network. */
export async function offline(page: Page): Promise<string> {
  await signUp(page);
  await page.route(/\/api\//, (route) => route.abort("internetdisconnected"));
  return "/dashboard?tab=history";
}

/** Signs somebody new in, who goes to that address. */
export function newcomerAt(address: string): (page: Page) => Promise<string> {
  return async (page) => {
    await signUp(page);
    return address;
  };
}

/** Somebody new without a credit. */
export async function broke(page: Page): Promise<string> {
  const email = await signUp(page);
  await change(page, email, { credits: 0, reason: "Agreed with support" });
  return "/dashboard";
}
