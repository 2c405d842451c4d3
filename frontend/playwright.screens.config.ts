import { defineConfig } from "@playwright/test";

import tests from "./playwright.config";

/** Not tests: `make screens` photographs every screen into var/screens. */
export default defineConfig({
  ...tests,
  testDir: "../tests/e2e/screens",
  timeout: 300_000, // six pictures of a page that may be long
  globalTeardown: "../tests/e2e/screens/album.ts",
  projects: [
    { name: "prepare", testMatch: "prepare.ts" },
    { name: "screens", testMatch: "take.ts", dependencies: ["prepare"] },
  ],
});
