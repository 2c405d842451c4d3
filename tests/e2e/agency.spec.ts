// An agency with two clients: it makes them, gives credits, works in one of them, and takes back what is not used.
import { expect, type Page } from "@playwright/test";

import { callApi, runShell } from "./calls";
import { test } from "./cast";
import { expectReadablePage } from "./page-checks";
import { signUp } from "./newcomer";

async function makeClient(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New client" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New client" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Make client" }).click();
  await expect(page.getByRole("button", { name: `Move credits of ${name}` })).toBeVisible();
}

async function moveCredits(
  page: Page,
  name: string,
  way: "Give" | "Take back",
  credits: string,
): Promise<void> {
  await page.getByRole("button", { name: `Move credits of ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: `Credits of ${name}` });
  await dialog.getByRole("radio", { name: new RegExp(`^${way} `) }).check();
  await dialog.getByRole("textbox", { name: "Credits" }).fill(credits);
  await dialog
    .getByRole("button", {
      name: way === "Give" ? "Give credits" : "Take credits back",
    })
    .click();
  await expect(dialog).toBeHidden();
}

async function switchTo(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole("button", { name: `Organisation: ${from}` }).click();
  await page.getByRole("button", { name: new RegExp(`^${to} `) }).click();
  await expect(page.getByRole("button", { name: `Organisation: ${to}` })).toBeVisible();
}

test("[ORG-031] [ORG-032] [ORG-025] an agency gives a client credits, works in it, and takes back what is left", async ({
  page,
}) => {
  const email = await signUp(page);
  await runShell(
    "from accounts.users.models import User",
    "from billing.catalogue.plans import Cycle, Plan",
    "from billing.subscriptions import services",
    `services.activate_plan(organisation_id=User.objects.get(email="${email}").own_organisation.pk, plan=Plan.GROWTH, cycle=Cycle.MONTHLY, paid_until=None)`,
  );
  await callApi(page, "PUT", "/api/organisation", { name: "Quill Agency" });
  await page.goto("/team?tab=clients");
  await makeClient(page, "Fern Shop");
  await makeClient(page, "Oak Shop");
  await moveCredits(page, "Fern Shop", "Give", "200");
  await expect(page.getByText("200 credits, 200 of them can be taken back")).toBeVisible();
  await expectReadablePage(page);

  await page.reload();
  await switchTo(page, "Quill Agency", "Fern Shop");
  await page.goto("/team?tab=clients");
  await expect(page.getByRole("heading", { name: "Agency: Quill Agency" })).toBeVisible();
  const checked = await callApi<{ credits_used: number }>(page, "POST", "/api/validate/single", {
    email: "ida.holm@harborquill.com",
  });
  expect(checked.credits_used).toBe(1);
  await page.goto("/team?tab=audit");
  await expect(page.getByText("via Quill Agency").first()).toBeVisible();

  await switchTo(page, "Fern Shop", "Quill Agency");
  await page.goto("/team?tab=clients");
  await moveCredits(page, "Fern Shop", "Take back", "199");
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: "Fern Shop" })).toContainText(
    "0 credits",
  );
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: "Oak Shop" })).toContainText(
    "0 credits",
  );
});
