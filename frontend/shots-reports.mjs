import { chromium } from "@playwright/test";
const base = "http://127.0.0.1:8775", out = "/tmp/reports-shots";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 1000 } })).newPage();
page.on("pageerror", (e) => console.log("PAGEERROR", e.message));
page.on("console", (m) => m.type() === "error" && console.log("CONSOLE", m.text()));
await page.goto(`${base}/?login=true`);
const d = page.getByRole("dialog", { name: "Sign in" });
await d.getByLabel("Email").fill("sam@emailcheck.app");
await d.getByLabel("Password").fill("sandbox-2026");
await d.getByRole("button", { name: "Sign In" }).click();
await page.waitForURL(/dashboard|admin/);
const views = process.argv.slice(2);
const all = { overview: "tab=overview", cats: "tab=overview&chart=categories", months: "tab=overview&chart=months&days=1y", perf: "tab=overview&chart=performance", revenue: "tab=revenue", credits: "tab=api-credits", system: "tab=system" };
for (const [name, query] of Object.entries(all)) {
  if (views.length && !views.includes(name)) continue;
  for (const [theme, width] of [["light", 1280], ["dark", 390]]) {
    await page.setViewportSize({ width, height: 1000 });
    await page.goto(`${base}/admin?${query}`);
    await page.waitForTimeout(2500);
    await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
    await page.waitForTimeout(300);
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) console.log("SIDEWAYS", name, theme, width);
    await page.screenshot({ path: `${out}/${name}-${theme}-${width}.png`, fullPage: true });
  }
}
await browser.close();
