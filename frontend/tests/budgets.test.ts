// The sizes a page may have, gzipped; read from the manifest of the build.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface Manifest {
  script: string[];
  sheets: Record<"app" | "public", string>;
  font: string;
  perfWarnings: string;
  site: Record<string, string[]>;
  islands: Record<string, string[]>;
  gzip: Record<string, number>;
}

const KB = 1024;
const dist = join(import.meta.dirname, "../dist");
const manifest = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8")) as Manifest;

/** Gzipped JavaScript of a page with these islands, shared files counted once. */
function weight(...islands: string[]): number {
  const files = new Set([...manifest.script, ...islands.flatMap((name) => manifest.islands[name] ?? [])]);
  return sum([...files]);
}

function sum(files: string[]): number {
  return files.reduce((total, file) => total + (manifest.gzip[file] ?? Infinity), 0) / KB;
}

describe("JavaScript", () => {
  it.each([
    ["landing with the sign-in dialog", ["auth"], 130],
    ["API reference with its console", ["try-it"], 130],
    ["landing with an address that was tried", ["try"], 130],
    ["page of a verification link", ["verify-email"], 130],
    ["page of a reset link", ["reset-password"], 130],
    ["account settings", ["account", "settings"], 130],
    ["staff area", ["admin"], 150],
    ["tab Validate with the tour", ["account", "overview", "full-checks", "validate", "tour"], 130],
    ["tab History", ["account", "overview", "history"], 150],
    ["tab Analytics, until its charts are drawn", ["account", "overview", "analytics"], 130],
    ["tab Custom packages", ["account", "overview", "custom-packages"], 130],
    ["results explorer", ["account", "overview", "results"], 150],
    ["single result", ["account", "overview", "result"], 130],
    ["next steps of a list", ["account", "overview", "next-steps"], 130],
  ])("of %s", (_, islands, budget) => {
    expect(islands.filter((name) => !(name in manifest.islands))).toEqual([]);
    expect(weight(...islands)).toBeLessThanOrEqual(budget);
  });

  it.each([
    ["landing", ["landing"]],
    ["documentation", ["documentation"]],
    ["help center", ["help"]],
    ["blog", ["swap", "newsletter"]],
    ["status", ["refresh"]],
  ])("of the page %s, until something is pressed", (_, scripts) => {
    const files = scripts.flatMap((name) => manifest.site[name] ?? [`${name} is missing`]);
    expect(sum([...new Set([...manifest.script, ...files])])).toBeLessThanOrEqual(6);
  });

  it("[LIM-011] of the performance warnings is in no page's own files", () => {
    const files = [...manifest.script, ...Object.values(manifest.islands).flat()];
    expect(files).not.toContain(manifest.perfWarnings);
  });
});

it.each(["app", "public"] as const)("the stylesheet %s has at most 20 KB", (name) => {
  expect((manifest.gzip[manifest.sheets[name]] ?? Infinity) / KB).toBeLessThanOrEqual(20);
});

it("the font has at most 50 KB", () => {
  expect(statSync(join(dist, manifest.font)).size / KB).toBeLessThanOrEqual(50);
});
