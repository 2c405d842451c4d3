// The sales of the staff area: the board by keyboard and by pointer, contracts, messages.
import { expect, type Locator, type Page } from "@playwright/test";

import { signInByCall, test } from "./cast";
import { expectReadable } from "./page-checks";

const SAM = "sam@emailcheck.app";
const DAY_MS = 86_400_000;
const BOARD = "/admin?tab=crm";

/** The calendar day so many days from today. */
function day(ahead: number): string {
  return new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);
}

/** A name that no other test uses. */
function unique(name: string): string {
  return `${name} ${Math.random().toString(36).slice(2, 8)}`;
}

async function post(page: Page, path: string, body: object): Promise<unknown> {
  return page.evaluate(
    async ([address, text]) => {
      const headers = {
        Authorization: `Bearer ${localStorage.getItem("token") ?? ""}`,
        "Content-Type": "application/json",
      };
      const answer = await fetch(address, {
        method: "POST",
        headers,
        body: text,
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json() as Promise<unknown>;
    },
    [path, JSON.stringify(body)] as const,
  );
}

async function makeDeal(page: Page, companyName: string, stage: string, dealValue = 1_000): Promise<void> {
  const contact = { contactName: "Erin Elm", contactEmail: "erin@elm.com" };
  await post(page, "/api/admin/deals", {
    companyName,
    ...contact,
    dealValue,
    stage,
    expectedCloseDate: day(60),
  });
}

function column(page: Page, stage: string): Locator {
  return page.getByRole("region", { name: stage, exact: true });
}

function card(page: Page, stage: string, name: string): Locator {
  return column(page, stage).getByRole("listitem", { name, exact: true });
}

/** What opens the card, and takes the keys. */
function handle(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

/** The names of some cards of a stage, in their order. */
async function order(page: Page, stage: string, names: readonly string[]): Promise<string[]> {
  const texts = await column(page, stage).locator(".deal-open").allInnerTexts();
  return texts.filter((text) => names.includes(text));
}

test("[CRM-001] [CRM-004] [CRM-005] a deal is made and moved with nothing but keys", async ({ page }) => {
  const [first, second] = [unique("Ash"), unique("Birch")];
  await signInByCall(page, SAM);
  await makeDeal(page, second, "negotiation");
  await page.goto(BOARD);
  await page.getByRole("button", { name: "New Deal" }).first().press("Enter");
  const form = page.getByRole("dialog", { name: "New Deal" });
  await expect(form.getByLabel("Company name")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(form.getByText("Enter the company's name")).toBeVisible();
  await expect(form.getByLabel("Stage").getByRole("option")).toHaveText([
    "Prospect",
    "Qualified",
    "Proposal",
    "Negotiation",
  ]);
  await page.keyboard.type(first);
  await form.getByLabel("Contact name").fill("Ada Ash");
  await form.getByLabel("Contact email").fill("ada@ash.org");
  await form.getByLabel("Deal value (USD)").fill("2500.50");
  await form.getByLabel("Stage").selectOption("Negotiation");
  await form.getByLabel("Expected close date").fill(day(20));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Deal created successfully!")).toBeVisible();
  await expect(card(page, "Negotiation", first)).toContainText("$2,500.50");
  await expect(form).toHaveCount(0); // it gives the focus back when it goes

  const said = page.getByRole("status").filter({ hasText: first });
  await handle(page, second).focus();
  await page.keyboard.press("ArrowDown");
  await expect(handle(page, first)).toBeFocused();
  await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(() => order(page, "Negotiation", [first, second])).toEqual([first, second]);
  await expect(handle(page, first)).toBeFocused();

  await page.keyboard.press("Shift+ArrowLeft");
  await expect(card(page, "Proposal", first)).toBeVisible();
  await expect(said).toContainText(`${first}: Proposal, `);
  await expect(handle(page, first)).toBeFocused();

  await page.keyboard.press("m");
  const menu = page.getByRole("menu", { name: `Move ${first}` });
  await expect(menu.getByRole("menuitemradio", { name: "Proposal" })).toBeChecked();
  const choices = menu.getByRole("menuitemradio");
  await expect.poll(() => menu.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Home");
  await expect(choices.nth(0)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(choices.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(card(page, "Qualified", first)).toBeVisible();
  await expect(handle(page, first)).toBeFocused();
  await expect(said).toContainText(`${first}: Qualified, `);

  await page.reload();
  await expect(card(page, "Qualified", first)).toBeVisible();
  await handle(page, first).press("Enter");
  const drawer = page.getByRole("dialog", { name: first });
  await expect(drawer.getByRole("region", { name: "History" })).toContainText("Negotiation to Proposal");
  await expect(drawer.getByRole("region", { name: "History" })).toContainText("Proposal to Qualified");
  await drawer.getByLabel("Add a note").fill("Wants a demo");
  await drawer.getByRole("button", { name: "Add note" }).press("Enter");
  await expect(drawer.getByRole("region", { name: "History" })).toContainText("Wants a demo");
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(/\/admin\?tab=crm$/);
});

test("[CRM-011] [CRM-014] a card is dragged, taken back, and won with a contract", async ({ page }) => {
  const name = unique("Cedar");
  await signInByCall(page, SAM);
  await makeDeal(page, name, "prospect", 21_000);
  await page.goto(BOARD);
  await card(page, "Prospect", name).dragTo(column(page, "Qualified"));
  await expect(card(page, "Qualified", name)).toBeVisible();
  const toast = page.getByRole("listitem").filter({ hasText: `${name} moved to Qualified` });
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(card(page, "Prospect", name)).toBeVisible();

  await page.getByRole("button", { name: `Move ${name}` }).click();
  await page.getByRole("menuitemradio", { name: "Closed Won" }).click();
  const asked = page.getByRole("dialog", { name: `Win ${name}?` });
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(card(page, "Prospect", name)).toBeVisible();
  await page.getByRole("button", { name: `Move ${name}` }).click();
  await page.getByRole("menuitemradio", { name: "Closed Won" }).click();
  await asked.getByRole("button", { name: "Win deal" }).click();
  await expect(card(page, "Closed Won", name)).toBeVisible();

  await page.getByRole("button", { name: "Renewal Alerts" }).click();
  const worthy = page.getByRole("table", { name: "Renewal Opportunities" });
  await expect(worthy.getByRole("row").filter({ hasText: name })).toContainText("$21,000");
  await page.getByRole("button", { name: "Active Contracts" }).click();
  await page.getByRole("searchbox", { name: "Search contracts" }).fill(name);
  await expect(page).toHaveURL(/contract_search=Cedar/);
  await expect(page.getByRole("table", { name: "Contracts" }).getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name, exact: true }).click();
  const contract = page.getByRole("dialog", { name });
  await contract.getByRole("button", { name: "Cancel contract" }).click();
  await expect(page.getByText("Contract cancelled")).toBeVisible();
  await expect(page.getByText("No contract matches")).toBeVisible();
});

test("[CRM-011] a quote for a deal is filled in from it and belongs to it", async ({ page }) => {
  const name = unique("Dogwood");
  await signInByCall(page, SAM);
  await makeDeal(page, name, "qualified", 4_200);
  await page.goto(BOARD);
  await page.getByRole("button", { name: `Quote ${name}` }).click();
  const form = page.getByRole("region", { name: "Generate Enterprise Quote" });
  await expect(form).toContainText(`For the deal with ${name}, worth $4,200`);
  await expect(form.getByLabel("Customer name")).toHaveValue("Erin Elm");
  await expect(form.getByLabel("Customer email")).toHaveValue("erin@elm.com");
  await form.getByRole("button", { name: "Generate quote" }).click();
  const toast = page.getByText(/^Quote generated successfully! ID: Q-/).first();
  const id = (await toast.innerText()).replace(/^.*ID: /, "");
  await page.goto(BOARD);
  await handle(page, name).click();
  await expect(page.getByRole("dialog", { name }).getByRole("link", { name: id })).toBeVisible();
});

test.describe("a refused move", () => {
  test.use({ refusalsExpected: true });

  test("[CRM-011] the card goes back, and it is said why", async ({ page }) => {
    const name = unique("Elder");
    await signInByCall(page, SAM);
    await makeDeal(page, name, "proposal");
    await page.goto(BOARD);
    await page.route("**/api/admin/deals/*/move", (route) =>
      route.fulfill({
        status: 404,
        json: { detail: "Deal not found", code: "NOT_FOUND" },
      }),
    );
    await handle(page, name).press("Shift+ArrowRight");
    await expect(page.getByText(`Failed to move ${name}`)).toBeVisible();
    await expect(card(page, "Proposal", name)).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: `${name} could not be moved` })).toHaveCount(1);
  });

  test("[CRM-012] a failed load is told, and can be repeated", async ({ page }) => {
    await signInByCall(page, SAM);
    const refuse = (path: string) =>
      page.route(path, (route) => route.fulfill({ status: 429, json: { detail: "", code: "X" } }));
    await refuse("**/api/admin/deals?*");
    await page.goto(BOARD);
    await expect(page.getByRole("heading", { name: "Failed to load deals" })).toBeVisible();
    await page.unroute("**/api/admin/deals?*");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("heading", { name: "Failed to load deals" })).toHaveCount(0);
    await refuse("**/api/admin/contracts?*");
    await page.getByRole("button", { name: "Active Contracts" }).click();
    await expect(page.getByRole("heading", { name: "Failed to load contracts" })).toBeVisible();
  });
});

test("[PUB-037] a message is answered and becomes a deal", async ({ page }) => {
  const [subject, company] = [unique("Lists"), unique("Fir")];
  await signInByCall(page, SAM);
  const visitor = {
    name: "Ida Holm",
    email: "ida@holm.org",
    message: "How many at once?",
  };
  await post(page, "/api/contact/send", { ...visitor, subject });
  await page.goto(`${BOARD}&view=messages`);
  await page.getByRole("searchbox", { name: "Search messages" }).fill(subject);
  await expect(page).toHaveURL(/message_search=/);
  await expect(page.locator(".crm-message")).toHaveCount(1); // the list is the one that was searched for
  const entry = page.getByRole("listitem", { name: subject });
  await expect(entry).toContainText("How many at once?");
  await expect(entry.getByRole("link", { name: "Reply" })).toHaveAttribute(
    "href",
    `mailto:ida@holm.org?subject=Re%3A%20${subject.replace(" ", "%20")}&body=Hello%20Ida%20Holm%2C%0A%0A`,
  );
  await entry.getByRole("button", { name: "Mark answered" }).click();
  await expect(entry).toContainText("Answered");
  await entry.getByRole("button", { name: "Make a deal" }).click();
  const form = page.getByRole("dialog", { name: "Make a deal" });
  await form.getByLabel("Company name").fill(company);
  await form.getByLabel("Deal value (USD)").fill("900");
  await form.getByLabel("Expected close date").fill(day(30));
  await form.getByRole("button", { name: "Create deal" }).click();
  await entry.getByRole("link", { name: "Open deal" }).click();
  await expect(page.getByRole("dialog", { name: company })).toContainText("How many at once?");
});

test("no view has an accessibility finding or scrolls sideways", async ({ page }) => {
  test.slow();
  const name = unique("Gum");
  await signInByCall(page, SAM);
  await makeDeal(page, name, "prospect", 1_000_000);
  const dates = {
    startDate: day(-300),
    endDate: day(9),
    value: 30_000,
    plan: "Enterprise",
  };
  await post(page, "/api/admin/contracts", { companyName: name, ...dates });
  const visitor = {
    name,
    email: "gum@gum.org",
    subject: "Lists",
    message: "How many?",
  };
  await post(page, "/api/contact/send", visitor);
  await post(page, "/api/newsletter/subscribe", {
    email: `${name.replace(" ", "")}@gum.org`,
  });
  for (const [view, heading] of [
    ["renewals", "Expiring Soon"],
    ["messages", "Messages"],
    ["newsletter", "Newsletter"],
  ] as const) {
    await page.goto(`${BOARD}&view=${view}`);
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    await expectReadable(page);
  }
  await page.goto(BOARD);
  await page.getByRole("button", { name: `Move ${name}` }).click();
  await expectReadable(page);
  await page.keyboard.press("Escape");
  await handle(page, name).click();
  await expect(page.getByRole("region", { name: "History" })).toBeVisible();
  await expectReadable(page);
});
