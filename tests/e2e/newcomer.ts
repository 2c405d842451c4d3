// Somebody who comes for the first time: registers, reads the mail, verifies, signs in, turns the second factor on.
import { createHmac, randomUUID } from "node:crypto";

import { expect, type APIRequestContext, type Page } from "@playwright/test";

import { signInByCall } from "./cast";

export const PASSWORD = "correct-42-horse";
/** A call without the cookies of its browser: that of a registration would be signed in by its mailed link. */
export const AS_ELSEWHERE = { headers: { Cookie: "" } };

/** A code of the authenticator app (RFC 6238), `ahead` steps of 30 seconds from now. */
export function createTotp(secret: string, ahead = 0): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

interface Mail {
  subject: string;
  links: string[];
}

/** The newest link to `path` that was mailed to the address; asked for until so many have been sent. */
export async function loadMailedLink(
  request: APIRequestContext,
  address: string,
  path: string,
  sent = 1,
): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const answer = await request.get("/sandbox/outbox", {
      headers: { Accept: "application/json" },
      params: { to: address },
    });
    const mails = (await answer.json()) as Mail[];
    const links = mails.flatMap((mail) => mail.links);
    const found = links.filter((candidate) => candidate.includes(path));
    expect(new Set(found).size).toBe(sent);
    [link] = found;
  }).toPass();
  return link ?? "";
}

export function createAddress(): string {
  return `nora.${randomUUID().slice(0, 8)}@harborquill.com`;
}

export async function registerAccount(page: Page, email: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Create a free account" }).click();
  const dialog = page.getByRole("dialog", { name: "Create your account" });
  await dialog.getByLabel("Full Name").fill("Nora New");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByLabel(/Company Name/).fill("Harbor & Quill");
  await dialog.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("dialog", { name: "Check your email" })).toContainText("24 hours");
}

/** Opens the mailed link as in another browser than the one of the registration, which it would sign in. */
export async function verifyAddress(page: Page, email: string, sent = 1): Promise<void> {
  await page.context().clearCookies({ name: "registering" });
  await page.goto(await loadMailedLink(page.request, email, "/verify-email", sent));
  await expect(page.getByRole("heading", { name: "Your address is verified" })).toBeVisible();
}

export async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password").fill(password);
  await dialog.getByRole("button", { name: "Sign In" }).click();
}

/** Registers, verifies and signs in a new account by its pages, on Free with the 100 credits of its first month. */
export async function signUpByHand(page: Page): Promise<string> {
  const email = createAddress();
  await page.addInitScript(() => localStorage.setItem("onboarding_completed", "true"));
  await registerAccount(page, email);
  await verifyAddress(page, email);
  await page.goto("/?login=true");
  await enterPassword(page, email);
  await expect(page.getByText("Welcome, Nora New")).toBeVisible();
  return email;
}

/** Registers and verifies a new account by the calls of those pages. */
export async function enrolAccount(request: APIRequestContext): Promise<string> {
  const email = createAddress();
  const data = { email, password: PASSWORD, name: "Nora New", company_name: "Harbor & Quill" };
  expect((await request.post("/api/auth/register", { data })).ok()).toBe(true);
  const link = new URL(await loadMailedLink(request, email, "/verify-email"));
  expect((await request.get(`/api/auth/verify-email${link.search}`, AS_ELSEWHERE)).ok()).toBe(true);
  return email;
}

/** As `signUpByHand`, by the calls of those pages; no page of the product is open yet. */
export async function signUp(page: Page): Promise<string> {
  await page.addInitScript(() => localStorage.setItem("onboarding_completed", "true"));
  const email = await enrolAccount(page.request);
  await signInByCall(page, email, PASSWORD);
  return email;
}

/** Turns the second factor on; answers its secret and the recovery codes. */
export async function turnOnTotp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.goto("/account-settings?tab=profile#security");
  await page.getByRole("button", { name: "Turn on" }).click();
  const dialog = page.getByRole("dialog", {
    name: "Turn on two-factor sign-in",
  });
  await expect(dialog.getByRole("img", { name: /QR code/ })).toBeVisible();
  const secret = await dialog.getByLabel("Key for the authenticator app").innerText();
  await dialog.getByLabel("Code from the app").fill(createTotp(secret));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Two-factor sign-in is on")).toBeVisible();
  const list = page.getByRole("list", { name: "Recovery codes" });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  const codes = await list.getByRole("listitem").allInnerTexts();
  await page.getByRole("button", { name: "I have kept them" }).click();
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();
  return { secret, codes };
}
