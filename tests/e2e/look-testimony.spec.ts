// The language of the product: the trace, the quotation and the conversation; type, motion and the stories of the landing
// page.
import { expect, type Page } from "@playwright/test";

import { signInByCall, test } from "./cast";

/** Validates an address as the signed-in customer; the page of its result. */
async function validate(page: Page, email: string): Promise<string> {
  const id = await page.evaluate(async (address) => {
    const answer = await fetch("/api/validate/single", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${localStorage.getItem("token") ?? ""}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ email: address }),
    });
    return ((await answer.json()) as { id: number }).id;
  }, email);
  return `/dashboard/result/${id}`;
}

async function listStops(page: Page): Promise<string[]> {
  const stops = await page
    .getByRole("list", { name: "How far the question got" })
    .getByRole("listitem")
    .all();
  return Promise.all(
    stops.map(async (stop) =>
      (await stop.innerText())
        .replace(/\s+/g, " ")
        .replace(/ ?<? ?[\d.]+ ms/, "")
        .trim(),
    ),
  );
}

test("[look-01] a result leads with how far the question got and the reply that decided", async ({
  page,
}) => {
  await signInByCall(page);
  const expected: [string, string, string][] = [
    [
      "gone.keller@gmail.com",
      "refused",
      "550 5.1.1 The email account that you tried to reach does not exist.",
    ],
    ["tom.reed@velvetcircuit.com", "accepts all", "250 2.1.5 Ok"],
    ["anna.keller@gmail.com", "yes", "250 2.1.5 OK"],
  ];
  for (const [address, end, words] of expected) {
    await page.goto(await validate(page, address));
    await expect(page.getByRole("blockquote")).toHaveCount(1);
    await expect(page.getByRole("blockquote")).toContainText(words);
    const stops = await listStops(page);
    expect(stops.slice(0, 3)).toEqual(["Syntax : yes", "Domain : yes", "Mail host : yes"]);
    expect(stops.at(-1)).toBe(`Mailbox : ${end}`);
    const conversation = page.getByRole("list", {
      name: "Conversation with the mail server",
    });
    const asked = conversation.getByRole("listitem").filter({ hasText: `RCPT TO:<${address}>` });
    await expect(asked).toHaveText(/^We/);
  }
  await page.goto(await validate(page, "anything@mailinator.com"));
  await expect(page.getByText("Disposable").first()).toBeVisible();
  expect((await listStops(page)).slice(2)).toEqual([
    "Mail host : not asked",
    "TLS : not asked",
    "Sender : not asked",
    "Mailbox : not asked",
  ]);
  await expect(page.getByRole("blockquote")).toHaveCount(0);
});

test("[look-05] dialogs come in 180 ms, and at once for those who want no motion", async ({ page }) => {
  await page.goto("/");
  const moves = async () => {
    await page.getByRole("button", { name: "Sign In" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    await expect(dialog).toBeVisible();
    const seconds = await dialog.evaluate((element) =>
      parseFloat(getComputedStyle(element).animationDuration),
    );
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    return seconds;
  };
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await moves()).toBe(0.18);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await moves()).toBeLessThan(0.001);
});

test("[look-06] every size and weight of type is of the scale, and a first visit shows Inter", async ({
  page,
  context,
}) => {
  const cdp = await context.newCDPSession(page);
  await cdp.send("DOM.enable");
  await cdp.send("CSS.enable");
  await page.goto("/about", { waitUntil: "networkidle" });
  const { root } = await cdp.send("DOM.getDocument");
  const { nodeId } = await cdp.send("DOM.querySelector", {
    nodeId: root.nodeId,
    selector: "h1",
  });
  const { fonts } = await cdp.send("CSS.getPlatformFontsForNode", { nodeId });
  expect(fonts.map(({ familyName, isCustomFont }) => [familyName, isCustomFont])).toEqual([["Inter", true]]);
  await signInByCall(page);
  for (const address of ["/", "/about", "/dashboard", "/dashboard?tab=history", "/account-settings"]) {
    await page.goto(address, { waitUntil: "networkidle" });
    const off = await page.evaluate(() => {
      const found = new Set<string>();
      for (const element of document.querySelectorAll("body *")) {
        if (
          !(element instanceof HTMLElement) ||
          element.offsetParent === null ||
          element.innerText.trim() === ""
        )
          continue;
        const { fontSize, fontWeight } = getComputedStyle(element);
        if (!["12px", "13px", "14px", "16px", "20px", "28px", "40px", "56px"].includes(fontSize))
          found.add(`${element.tagName} ${fontSize}`);
        if (!["400", "550", "650"].includes(fontWeight)) found.add(`${element.tagName} ${fontWeight}`);
      }
      return [...found];
    });
    expect([address, off]).toEqual([address, []]);
  }
});

test("[look-19] the landing page tells three stories with their conversations, and calls to two deeds", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page.locator(".hero-actions .button")).toHaveText(["Start Free Trial", "Watch the demo"]);
  const stories = page.locator("[data-story]");
  await expect(stories.getByRole("heading")).toHaveText([
    "A catch-all unmasked",
    "A server that said come back later",
    "A full mailbox",
  ]);
  await expect(stories.locator(".turn-decides p")).toHaveText([
    "250 2.1.5 Ok",
    "250 2.1.5 Ok",
    "552 5.2.2 The mailbox of this user is over its quota",
  ]);
  await expect(page.locator(".story-told")).toHaveCount(0);
  await stories.first().scrollIntoViewIfNeeded();
  await expect(stories.first()).toHaveClass(/story-told/);
  await expect(page.getByRole("region", { name: "Cookies" })).toBeHidden();
});
