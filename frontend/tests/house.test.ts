// Who imports whom in src, how much is in a folder, and what functions are called.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const src = join(import.meta.dirname, "../src");
/** Verbs that say nothing without an object. */
const GENERIC =
  /^(take|ask|told|tell|keep|kept|look|read|end|note|find|settle|go|come|say|said|give|given|want|wanted|do|did|see|seen|hand|wake|know|known|count)(It)?$/;
const FUNCTION = /^(?:export )?(?:async )?function (\w+)/gm;
const SPECIFIER = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

function fileOf(path: string): string | undefined {
  const names = path.endsWith(".json") ? [path] : [`${path}.ts`, `${path}.tsx`, `${path}.d.ts`];
  return names.find((file) => existsSync(join(src, file)));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), "utf8");
  return [...text.matchAll(SPECIFIER)].map(([, path = ""]) => {
    const target = join(dirname(file), path);
    return fileOf(target) ?? `${target} of ${file} is missing`;
  });
}

const modules = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(?<!\.d|\.gen)\.tsx?$/.test(file),
);
const imports = new Map(modules.map((file) => [file, importsOf(file)]));

/** The way from a module back to itself; empty where there is none. */
function circleOf(start: string): string[] {
  const from = new Map<string, string>();
  const open = [start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const next of imports.get(file) ?? []) {
      if (next === start) return pathTo(file, from).concat(start);
      if (from.has(next)) continue;
      from.set(next, file);
      open.push(next);
    }
  }
  return [];
}

function pathTo(file: string, from: ReadonlyMap<string, string>): string[] {
  const before = from.get(file);
  return before === undefined ? [file] : [...pathTo(before, from), file];
}

function importsOutside(folder: string, ...allowed: string[]): string[] {
  const roots = [folder, "api", ...allowed];
  return modules
    .filter((file) => file.startsWith(`${folder}/`))
    .flatMap((file) => (imports.get(file) ?? []).map((next) => ({ file, next })))
    .filter(({ next }) => !roots.some((root) => next.startsWith(`${root}/`)))
    .map(({ file, next }) => `${file} -> ${next}`);
}

/** Types count, and so does what is loaded on demand. */
describe("imports", () => {
  it("are all read", () => {
    const all = [...imports.values()].flat();
    expect(all.filter((file) => file.endsWith("is missing"))).toEqual([]);
    expect(modules.length).toBeGreaterThan(300);
    expect(all.length).toBeGreaterThan(1_500);
  });

  it("never lead back", () => {
    expect(modules.map(circleOf).filter((circle) => circle.length > 0)).toEqual([]);
  });

  it("of lib stay in lib, those of ui in ui and lib", () => {
    expect([...importsOutside("lib"), ...importsOutside("ui", "lib")]).toEqual([]);
  });

  it("of features reach no island", () => {
    const reached = importsOutside("features", "lib", "ui").map((line) => line.split(" -> ")[1] ?? "");
    expect(reached.filter((file) => file.startsWith("islands"))).toEqual([]);
  });
});

it("no folder of features has more than twenty files", () => {
  const folders = modules.filter((file) => file.startsWith("features/")).map((file) => dirname(file));
  const crowded = (folder: string) => folders.filter((other) => other === folder).length > 20;
  expect([...new Set(folders)].filter(crowded)).toEqual([]);
});

it("functions have an object beside their verb", () => {
  const names = modules.flatMap((file) => [...readFileSync(join(src, file), "utf8").matchAll(FUNCTION)]);
  expect(names.map(([, name = ""]) => name).filter((name) => GENERIC.test(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(1_000);
});
