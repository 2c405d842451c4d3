import { existsSync } from "node:fs";

import { defineConfig } from "@playwright/test";

// Debian's Chromium: nothing is downloaded. Its headless shell, where there is one, draws no window that nobody sees.
const SHELL = "/usr/bin/chromium-headless-shell";
const BROWSER = existsSync(SHELL) ? SHELL : "/usr/bin/chromium";

export default defineConfig({
  testDir: "../tests/e2e",
  outputDir: "../test-results",
  workers: 2,
  fullyParallel: true,
  timeout: 120_000, // a busy machine is no failure
  expect: { timeout: 20_000 },
  forbidOnly: true,
  retries: 1, // what passes the second time is listed as flaky
  reporter: [["line"]],
  use: {
    baseURL: process.env.BASE_URL ?? "http://127.0.0.1:8000",
    viewport: { width: 1280, height: 900 },
    // Nothing turns or slides for long: what is on its way is waited for, by the tests and by axe.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { executablePath: BROWSER, args: ["--no-sandbox"] },
    trace: "on-first-retry", // a trace of every test takes a third of the time
  },
});
