// What happened before the photographs are taken: a customer with some of everything, one with nothing, a busy office.
import { expect, request, test, type Page } from "@playwright/test";

import { getSamplePath, validateFile } from "../cast";
import { callApi } from "../calls";
import { AS_ELSEWHERE, loadMailedLink } from "../newcomer";
import { approvePayment } from "../paypal";
import { signInAt } from "../product";
import { CUSTOMER, NOBODY, SAM, SECRET } from "./cast";

const DAY_MS = 86_400_000;
const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeEach(({ page }) => page.addInitScript(() => localStorage.setItem("onboarding_completed", "true")));

async function join(page: Page, email: string, name: string, referral_code = ""): Promise<void> {
  const data = { email, password: SECRET.customer, name, company_name: "Harbor & Quill", referral_code };
  expect((await page.request.post("/api/auth/register", { data })).ok()).toBe(true);
  const link = new URL(await loadMailedLink(page.request, email, "/verify-email"));
  expect((await page.request.get(`/api/auth/verify-email${link.search}`, AS_ELSEWHERE)).ok()).toBe(true);
}

async function check(page: Page): Promise<void> {
  const single = ["anna.keller@gmail.com", "gone.keller@gmail.com", "anything@mailinator.com"];
  for (const email of single) await callApi(page, "POST", "/api/validate/single", { email });
  const emails = ["anna.keller@gmail.com", "gone@gmail.com", "tom.reed@velvetcircuit.com", "not-an-address"];
  await callApi(page, "POST", "/api/validate/bulk", { emails });
  await page.goto("/dashboard");
  await validateFile(page, getSamplePath("customers-200.csv"));
  await expect(page.getByRole("link", { name: "View Results" }).first()).toBeVisible({ timeout: 60_000 });
}

async function develop(page: Page): Promise<void> {
  const made = await callApi<{ key: string }>(page, "POST", "/api/user/api-keys", {
    name: "Shop",
    test: true,
  });
  for (const email of ["valid@test.emailcheck.app", "out_of_credits@test.emailcheck.app"]) {
    const headers = { Authorization: `Bearer ${made.key}` };
    await page.request.post("/api/v1/validate/single", { headers, data: { email } });
  }
  const events = ["validation.completed", "batch.completed"];
  for (const [box, mode] of [
    ["screens", "ok"],
    ["moved", "410"],
  ] as const) {
    const url = `https://inbox.hookbarn.com/${box}`;
    const hook = await callApi<{ id: number; secret: string }>(page, "POST", "/api/user/webhooks", {
      url,
      events,
    });
    await page.request.post("/sandbox/inbox/box", { data: { box, mode, secret: hook.secret } });
    await callApi(page, "POST", `/api/user/webhooks/${hook.id}/test`);
  }
}

test("a customer with some of everything, and one with nothing", async ({ page }) => {
  await join(page, NOBODY, "Nina New");
  await join(page, CUSTOMER, "Paula Pine");
  await signInAt(page, "", CUSTOMER, SECRET.customer);
  await page.goto("/dashboard?tab=pricing");
  await approvePayment(page, "Choose Growth");
  await expect(page.getByText("Your Growth plan is active.")).toBeVisible();
  await page.goto("/dashboard?tab=pricing&pricing=payasyougo");
  await approvePayment(page, "Buy 5,000 credits");
  await expect(page.getByText("5,000 credits were added to your account.")).toBeVisible();
  await develop(page);
  await check(page);
  const { referral_code } = await callApi<{ referral_code: string }>(page, "GET", "/api/referral/stats");
  await join(page, "ida.invited@harborquill.com", "Ida Invited", referral_code);
  const wish = { company_name: "Harbor & Quill", notes: "For all our shops" };
  await callApi(page, "POST", "/api/quotes/request-custom", { credits_needed: 249_500, ...wish });
});

async function sell(page: Page): Promise<void> {
  const customer = {
    customer_name: "Paula Pine",
    customer_email: CUSTOMER,
    customer_company: "Harbor & Quill",
  };
  for (const credits_needed of [250_000, 50_000])
    await callApi(page, "POST", "/api/admin/quotes/generate", { ...customer, credits_needed });
  const person = { contactName: "Erin Elm", contactEmail: "erin@elm.com", notes: "Wants a demo" };
  for (const [companyName, stage, dealValue] of [
    ["Ash Analytics", "prospect", 1_200],
    ["Birch Bikes", "qualified", 4_800],
    ["Cedar & Sons", "proposal", 21_000],
    ["Dogwood Data", "negotiation", 1_000_000],
  ] as const) {
    const deal = { companyName, stage, dealValue, ...person, expectedCloseDate: day(20) };
    await callApi(page, "POST", "/api/admin/deals", deal);
  }
  for (const [companyName, endDate] of [
    ["Fir Freight", day(9)],
    ["Gum Goods", day(200)],
  ] as const) {
    const contract = { companyName, plan: "Enterprise", startDate: day(-300), endDate, value: 30_000 };
    await callApi(page, "POST", "/api/admin/contracts", contract);
  }
  const terms = {
    name: "Harbor fleet",
    description: "For twelve shops",
    monthlyPrice: 180,
    yearlyPrice: 1_800,
  };
  const rest = {
    credits: 40_000,
    features: ["Bulk Validation", "SLA Guarantee"],
    targetCustomer: "Harbor & Quill",
  };
  await callApi(page, "POST", "/api/admin/custom-plans", { ...terms, ...rest });
}

async function run(page: Page): Promise<void> {
  const services = ["Dashboard"];
  const past = { started_at: `${day(-2)}T10:00:00Z`, ended_at: `${day(-2)}T10:40:00Z` };
  const planned = { started_at: `${day(2)}T10:00:00Z`, ended_at: `${day(2)}T11:00:00Z` };
  const note = "Pages were slow.";
  await callApi(page, "POST", "/api/admin/incidents", {
    title: "Slow pages",
    kind: "incident",
    services,
    note,
    ...past,
  });
  const move = { title: "Move to another rack", kind: "maintenance", services, ...planned };
  await callApi(page, "POST", "/api/admin/incidents", { ...move, note: "" });
  await callApi(page, "POST", "/api/monitoring/backup/trigger");
}

test("a busy office", async ({ page, baseURL }) => {
  const visitor = await request.newContext(baseURL ? { baseURL } : {});
  const words = { name: "Ida Holm", email: "ida@holm.org", subject: "Lists", message: "How many at once?" };
  await visitor.post("/api/contact/send", { data: words });
  await visitor.post("/api/newsletter/subscribe", { data: { email: "ida@holm.org" } });
  await visitor.post("/api/feedback", {
    data: { context: "help-center", rating: 4, text: "Found it at once" },
  });
  await visitor.dispose();
  await signInAt(page, "", SAM, SECRET.staff);
  await sell(page);
  await run(page);
});

test("a quote that waits for its payment", async ({ page }) => {
  await signInAt(page, "", CUSTOMER, SECRET.customer);
  const { quotes } = await callApi<{ quotes: { quote_id: string }[] }>(page, "GET", "/api/quotes/my-quotes");
  const path = `/api/quotes/${quotes[0]?.quote_id ?? ""}/create-payment-order`;
  await callApi(page, "POST", path, { plan: "yearly" });
});
