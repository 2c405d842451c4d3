import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "../tests/e2e",
  outputDir: "../test-results",
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  retries: 1, // what passes the second time is listed as flaky
  reporter: [["line"]],
  use: {
    baseURL: process.env.BASE_URL ?? "http://127.0.0.1:8000",
    viewport: { width: 1280, height: 900 },
    // Debian's Chromium: nothing is downloaded.
    launchOptions: { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] },
    trace: "on-first-retry", // a trace of every test takes a third of the time
  },
});
