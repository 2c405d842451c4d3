// The first hour of somebody new: every press and every field from the landing page to the next steps of a first list.
import { expect, type Locator } from "@playwright/test";

import { PATIENTLY, test } from "./cast";
import { createAddress, loadMailedLink, PASSWORD } from "./newcomer";
import { expectReadable, expectReadablePage } from "./page-checks";

const MOST_CLICKS = 12;
const MOST_FIELDS = 4;
const LIST = [
  "anna.keller@gmail.com",
  "gone.keller@gmail.com",
  "tom.reed@velvetcircuit.com",
  "anything@mailinator.com",
];

test.use({ toured: false });

test("[PEN-028] from the landing page to the next steps of a first list on full checks in at most 12 clicks and 4 fields", async ({
  page,
}) => {
  const clicks: string[] = [];
  const fields: string[] = [];
  const press = async (what: string, target: Locator) => {
    clicks.push(what);
    await target.click();
  };
  const fill = async (what: string, target: Locator, text: string) => {
    fields.push(what);
    await target.fill(text);
  };
  const email = createAddress();

  await page.goto("/");
  await press("free account", page.getByRole("button", { name: "Create a free account" }));
  const dialog = page.getByRole("dialog", { name: "Create your account" });
  await fill("name", dialog.getByLabel("Full Name"), "Nora New");
  await fill("email", dialog.getByLabel("Email"), email);
  await fill("password", dialog.getByLabel("Password"), PASSWORD);
  await press("create", dialog.getByRole("button", { name: "Create account" }));
  await expect(page.getByRole("dialog", { name: "Check your email" })).toBeVisible();

  // The link in the mail is a press, too.
  clicks.push("mailed link");
  await page.goto(await loadMailedLink(page.request, email, "/verify-email"));
  await expect(page.getByText("Your email is verified, and you are signed in.")).toBeVisible();
  await expectReadablePage(page);
  await press("start", page.getByRole("button", { name: "Start validating" }));
  await expect(page.getByText("Welcome, Nora New")).toBeVisible();
  await press("skip the tour", page.getByRole("button", { name: "Skip Tour" }));
  await expect(page.getByText(/^100 full checks left until \d+ \w+ \d{4}$/)).toBeVisible();

  await fill("list", page.getByLabel("Paste a list"), LIST.join("\n"));
  await press("validate", page.getByRole("button", { name: "Validate list" }));
  await press("next steps", page.getByRole("link", { name: "Next steps" }).first());
  await expect(page).toHaveURL(/\/dashboard\/batch\/[^/]+\/next-steps$/, PATIENTLY);
  await expect(page.getByRole("heading", { name: "Next steps", level: 1 })).toBeVisible();
  await expect(page.getByRole("region", { name: "1. Send to the safe ones" })).toContainText("1");
  expect(clicks.length, clicks.join(", ")).toBeLessThanOrEqual(MOST_CLICKS);
  expect(fields.length, fields.join(", ")).toBeLessThanOrEqual(MOST_FIELDS);

  // The first words that a newcomer does not know are explained, to a finger and to keys.
  const word = page.getByRole("button", { name: "Safe to send", exact: true });
  const explanation = page.locator(".explanation:popover-open");
  await word.click();
  await expect(explanation).toContainText("more than 60% confidence");
  await page.keyboard.press("Escape");
  await expect(explanation).toHaveCount(0);
  await word.press("Enter");
  await expect(explanation).toContainText("For example: anna@gmail.com");
  await expectReadable(page);

  await page.getByRole("link", { name: "View Results" }).click();
  await expect(page.getByRole("button", { name: "Full checks", exact: true })).toBeVisible();
});
