// A developer: a key, calls with it, an endpoint that hears of them, and what is seen of its messages.
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

import { expect, type APIRequestContext, type Page } from "@playwright/test";

import { test } from "../cast";
import { enrolAccount, enterPassword } from "../newcomer";
import { checkPage, testJourney } from "./journey";

const WEBHOOKS = "/account-settings?tab=profile#webhooks";

interface Message {
  headers: Record<string, string>;
  body: string;
}

/** Whether a message is signed with the secret, and fresh (Standard Webhooks 1.0). */
function isSigned(secret: string, { headers, body }: Message): boolean {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures } = headers;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const right = createHmac("sha256", key)
    .update(`${id ?? ""}.${time ?? ""}.${body}`)
    .digest();
  const fresh = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  const given = (signatures ?? "").split(" ").filter((one) => one.startsWith("v1,"));
  const matches = given.map((one) => Buffer.from(one.slice(3), "base64"));
  return fresh && matches.some((one) => one.length === right.length && timingSafeEqual(one, right));
}

/** Sets how a box of the simulated receiver answers, and with which secret it checks signatures. */
async function setBox(
  request: APIRequestContext,
  box: string,
  fields: Record<string, string>,
): Promise<void> {
  const headers = { Accept: "application/json" };
  const answer = await request.post("/sandbox/inbox/box", { data: { box, ...fields }, headers });
  expect(answer.ok()).toBe(true);
}

/** The messages of an event, but for tests of the endpoint, that came to the box, oldest first; asked for until so many have come. */
async function received(
  request: APIRequestContext,
  box: string,
  event: string,
  count: number,
): Promise<Message[]> {
  let found: Message[] = [];
  await expect(async () => {
    const answer = await request.get(`/sandbox/inbox?box=${box}`, {
      headers: { Accept: "application/json" },
    });
    const all = (await answer.json()) as Message[];
    found = all.filter(({ body }) => {
      const told = JSON.parse(body) as { event: string; test?: boolean };
      return told.event === event && !told.test;
    });
    expect(found).toHaveLength(count);
  }).toPass();
  return found.reverse();
}

async function makeKey(page: Page): Promise<string> {
  await page.goto("/account-settings?tab=profile#api-keys");
  await expect(page.getByText("Test endpoints are included, live ones come with Growth.")).toBeVisible();
  await checkPage(page);
  await page.getByRole("button", { name: "Create API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shop");
  await checkPage(page);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await page.getByLabel("API key", { exact: true }).innerText();
  await page.getByRole("button", { name: "I have kept it" }).click();
  return key;
}

async function startTrial(page: Page): Promise<void> {
  await page.goto("/dashboard?tab=pricing");
  const started = page.waitForResponse("**/api/trial/start");
  await page.getByRole("button", { name: "Start Growth trial" }).first().click();
  expect((await started).status()).toBe(200);
}

/** Adds an endpoint at the box; answers its secret. */
async function addWebhook(page: Page, box: string): Promise<string> {
  await page.goto(WEBHOOKS);
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address of your endpoint").fill(`https://inbox.hookbarn.com/${box}`);
  for (const event of ["validation.completed", "batch.completed"]) await dialog.getByLabel(event).check();
  await checkPage(page);
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  const secret = await page.getByLabel("Webhook secret").innerText();
  await setBox(page.request, box, { secret });
  await page.getByRole("button", { name: "I have kept it" }).click();
  await page.getByRole("button", { name: /^Test / }).click();
  await expect(page.getByText("The endpoint answered 200.")).toBeVisible();
  return secret;
}

/** The endpoint is gone, is switched off by us, and back; what failed is sent again. */
async function fail(page: Page, box: string, checkOne: () => Promise<void>): Promise<void> {
  await setBox(page.request, box, { mode: "410" });
  await checkOne();
  await expect(async () => {
    await page.goto(WEBHOOKS);
    await page.reload();
    await expect(page.getByText(/We switched it off\. The endpoint answered 410 Gone\./)).toBeVisible({
      timeout: 3_000,
    });
  }).toPass();
  await checkPage(page);
  await setBox(page.request, box, { mode: "ok" });
  await page.getByRole("button", { name: "Enable" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: /^More actions for https/ }).click();
  await page.getByRole("menuitem", { name: /^Deliveries / }).click();
  const failed = page.getByRole("button", { name: /validation\.completed.*answered 410.*Failed/ });
  await expect(failed).toBeVisible();
  await checkPage(page);
  await page.getByRole("button", { name: "Replay failed" }).click();
  await expect(page.getByText("1 delivery queued again")).toBeVisible();
  await page.getByRole("button", { name: /validation\.completed.*2 attempts.*Delivered/ }).click();
  await expect(page.getByText("Nobody lives here any more.")).toBeVisible();
  await expect(page.getByText("Thank you.")).toBeVisible();
  await checkPage(page);
}

testJourney(
  "[DOC-044] [DOC-054] [DOC-055] a developer comes from a key to a signed webhook",
  async ({ page }) => {
    const email = await enrolAccount(page.request);
    await page.goto("/?login=true");
    await enterPassword(page, email);
    await expect(page.getByRole("heading", { name: "Validate", level: 1 })).toBeVisible();
    const key = await test.step("makes a key", () => makeKey(page));
    const headers = { Authorization: `Bearer ${key}` };
    const post = (path: string, data: object) => page.request.post(`/api/v1/${path}`, { headers, data });
    const checkOne = async () => {
      const answer = await post("validate/single", { email: "ida.holm@harborquill.com" });
      expect(answer.status()).toBe(200);
    };
    await checkOne();
    await test.step("starts the trial", () => startTrial(page));
    const box = `shop-${randomUUID().slice(0, 8)}`;
    const secret = await test.step("adds an endpoint", () => addWebhook(page, box));

    const answer = await post("validate/bulk", { emails: ["anna.keller@gmail.com", "gone@gmail.com"] });
    const { batch_id } = (await answer.json()) as { batch_id: string };
    const [done] = await received(page.request, box, "batch.completed", 1);
    if (!done) throw new Error("no message came");
    expect(isSigned(secret, done)).toBe(true);
    expect(isSigned(secret, { ...done, body: done.body.replace("2", "3") })).toBe(false);
    expect(JSON.parse(done.body)).toMatchObject({
      event: "batch.completed",
      data: { batch_id, total_emails: 2 },
    });

    await test.step("the endpoint fails, and is sent to again", () => fail(page, box, checkOne));
    const [first, again] = await received(page.request, box, "validation.completed", 2);
    expect(first?.headers["webhook-id"]).toBe(again?.headers["webhook-id"]);
    for (const one of [first, again]) expect(one && isSigned(secret, one)).toBe(true);
    await page.goto(`/sandbox/inbox?box=${box}`);
    await expect(page.getByText("Signature: valid")).toHaveCount(4);
    await checkPage(page);
  },
);
