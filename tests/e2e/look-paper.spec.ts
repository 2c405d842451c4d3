// What the product hands out on paper, and the sandbox's pages that show it.
import { readFileSync } from "node:fs";

import { expect, type Frame, type Page } from "@playwright/test";

import { callApi } from "./calls";
import { PATIENTLY, test } from "./cast";
import { signUp } from "./newcomer";
import { expectReadablePage } from "./page-checks";

const GLYPHS = JSON.parse(readFileSync(`${__dirname}/../../frontend/src/lib/glyphs.json`, "utf8")) as Record<
  string,
  string
>;
const PAPER = { light: "rgb(254, 253, 251)", dark: "rgb(28, 26, 23)" };
const DESK = { light: "rgb(241, 239, 233)", dark: "rgb(19, 18, 16)" };
// Free to check and quick: no such address is possible. With what the sandbox knows of there are 1,204.
const ADDRESSES = [
  ...Array.from({ length: 1_200 }, (_, number) => `no..such${number}@harborquill.com`),
  "ida.holm@harborquill.com",
  "otto.lind@harborquill.com",
  "gone.hannah.park@twolines.net",
  "visitor@mailinator.com",
];

async function findFinishedMail(page: Page, to: string): Promise<{ id: number; subject: string }> {
  let found: { id: number; subject: string } | undefined;
  await expect(async () => {
    const answer = await page.request.get("/sandbox/outbox", {
      headers: { Accept: "application/json" },
      params: { to },
    });
    const mails = (await answer.json()) as { id: number; subject: string }[];
    found = mails.find(({ subject }) => subject.includes(" is ready: "));
    expect(found).toBeDefined();
  }).toPass(PATIENTLY);
  return found ?? { id: 0, subject: "" };
}

async function getFrame(page: Page): Promise<Frame> {
  const frame = page.frames().find((other) => other.url().endsWith("/html"));
  if (!frame) throw new Error("The mail has no frame");
  await frame.waitForLoadState();
  return frame;
}

test("[look-13] a finished list is told in three decisions, grouped numbers and a bar of cells, in both themes", async ({
  page,
  browser,
}) => {
  const email = await signUp(page);
  await callApi(page, "POST", "/api/validate/bulk", { emails: ADDRESSES });
  const { id, subject } = await findFinishedMail(page, email);
  expect(subject).toBe("Your pasted list is ready: 2 of 1,204 valid");
  for (const scheme of ["light", "dark"] as const) {
    // Without the scripts of the cast, which the frame of a mail refuses to run.
    const reader = await browser.newPage({
      colorScheme: scheme,
      viewport: { width: 600, height: 900 },
    });
    await reader.goto(`/sandbox/outbox/${id}`);
    const mail = await getFrame(reader);
    await expect(mail.getByRole("heading", { level: 1 })).toHaveText("2 of 1,204 addresses are safe to send");
    await expect(mail.locator(".decisions td")).toHaveText([
      /^2\s*Safe to send\s*0\.1%/,
      /^0\s*Risky to send\s*0\.0%/,
      /^1,202\s*Do not send\s*99\.8%/,
    ]);
    await expect(mail.locator(".bar td")).toHaveCount(3);
    await expect(mail.locator(".bar td.invalid")).toHaveAttribute("width", "100%");
    await expect(mail.locator(".paper")).toHaveCSS("background-color", PAPER[scheme]);
    await expect(mail.locator(".facts tr", { hasText: "Invalid" })).toContainText("1,201");
    await expect(mail.locator(".button")).toHaveText(["View Results", "Next steps"]);
    await reader.close();
  }
});

for (const path of ["", "/outbox", "/inbox", "/providers", "/paypal"]) {
  test(`[look-20] /sandbox${path} is set in the product's type, with its mark and colours`, async ({
    page,
    context,
    baseURL,
  }) => {
    for (const theme of ["light", "dark"] as const) {
      await context.addCookies([{ name: "theme", value: theme, url: baseURL ?? "" }]);
      await page.goto(`/sandbox${path}`);
      await expect(page.locator("body")).toHaveCSS("background-color", DESK[theme]);
      await expect(page.getByRole("banner").locator("svg .brand-tick")).toBeVisible();
      await expect
        .poll(() =>
          page.evaluate(() =>
            [...document.fonts].some(({ family, status }) => family === "Inter" && status === "loaded"),
          ),
        )
        .toBe(true);
    }
    await expectReadablePage(page);
  });
}

test("[look-20] verdicts of the sandbox wear the product's signs, and addresses its mono", async ({
  page,
}) => {
  await page.goto("/sandbox");
  for (const [category, word] of [
    ["valid", "Valid"],
    ["invalid", "Invalid"],
    ["catch_all", "Catch-all"],
    ["unknown", "Unknown"],
  ] as const) {
    const badge = page.locator(`.badge.tone-${category}`).first();
    await expect(badge).toHaveText(word);
    await expect(badge.locator("path")).toHaveAttribute("d", GLYPHS[category] ?? "");
  }
  const isMono = await page.evaluate(() =>
    [...document.fonts].some(({ family, status }) => family === "IBM Plex Mono" && status === "loaded"),
  );
  expect(isMono).toBe(true);
});

test.describe("a page that is not there", () => {
  test.use({ refusalsExpected: true });

  test("is refused in a mail server's words, with ways home", async ({ page }) => {
    await page.goto("/blog/<b>nothing</b>");
    await expect(page.locator("blockquote")).toHaveText(
      "550 5.1.1 </blog/<b>nothing</b>>: no such page here",
    );
    await expect(page.locator("blockquote")).toHaveCSS("font-family", /^"IBM Plex Mono"/);
    await page.getByRole("main").getByRole("link", { name: "Go to the homepage" }).click();
    await expect(page).toHaveURL("/");
  });
});
