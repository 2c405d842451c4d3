import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "http://127.0.0.1:8000/" } },
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/setup.ts"],
    testTimeout: 40_000, // a busy machine is no failure
    expect: { poll: { timeout: 15_000 } },
    isolate: false, // a window and the libraries serve many files; tests/setup.ts gives each file modules of its own
    restoreMocks: true,
    unstubGlobals: true,
  },
});
