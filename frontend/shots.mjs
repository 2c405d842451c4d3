import { chromium } from "@playwright/test";
const base = "http://127.0.0.1:8741";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [width, height] of [[1280, 900], [390, 844]]) for (const scheme of ["light", "dark"]) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  const shot = (name) => page.screenshot({ path: `/tmp/io/shots/${name}-${width}-${scheme}.png`, fullPage: name !== "download" });
  await page.goto(base + "/");
  await page.getByRole("button", { name: "Sign In" }).first().click();
  const d = page.getByRole("dialog");
  await d.getByLabel("Email").fill("alice@alder-and-ash.com");
  await d.getByLabel("Password", { exact: true }).fill("sandbox-2026");
  await d.getByRole("button", { name: "Sign In" }).click();
  await page.getByRole("heading", { name: "Validate", level: 1 }).waitFor();
  await page.getByLabel("File with addresses").setInputFiles("/work/main/samples/customers-200.csv");
  await shot("drop");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Columns" }).waitFor();
  await shot("columns");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(/As in my settings \(/).waitFor({ state: "attached" });
  await shot("review");
  if (width === 1280 && scheme === "light") {
    await page.getByRole("button", { name: "Start validation" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "View Results" }).waitFor({ timeout: 90000 });
    globalThis.batch = await page.getByRole("dialog").getByRole("link", { name: "View Results" }).getAttribute("href");
  } else await page.getByRole("button", { name: "Remove file" }).click();
  await page.goto(base + globalThis.batch);
  await page.getByRole("button", { name: "Download" }).click();
  await page.waitForTimeout(500);
  await shot("download");
  await page.close();
}
await browser.close();
