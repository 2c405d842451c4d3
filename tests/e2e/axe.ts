// Axe on a page (https://github.com/dequelabs/axe-core): its rules on the page as it is, and contrast, which costs more
// than all others together, once for each look that text has.
import { readFileSync } from "node:fs";

import type { Page } from "@playwright/test";
import type axe from "axe-core";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const SOURCE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Looks of text whose contrast was enough, since this process began. */
const readable = new Set<string>();

/** Runs in the page: every rule but contrast, on all of it or on these parts. */
async function checkRules(parts: readonly string[]): Promise<string[]> {
  if (!window.axe) throw new Error("axe is missing");
  const { violations } = await window.axe.run(parts.length > 0 ? { include: [...parts] } : document, {
    rules: { "color-contrast": { enabled: false } },
    resultTypes: ["violations"],
    preload: false, // reads stylesheets anew, for rules that are off
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

interface Contrasts {
  violations: string[];
  /** The looks that are readable. */
  passed: string[];
}

/** Runs in the page: the contrast of text in these parts of it whose look is not among the known. */
async function checkContrast({
  parts,
  known,
}: {
  parts: readonly string[];
  known: readonly string[];
}): Promise<Contrasts> {
  // The system's own; and axe reads -webkit-text-fill-color, which Chromium reports as if it were not forced.
  if (matchMedia("(forced-colors: active)").matches) return { violations: [], passed: [] };
  const passedBefore = new Set(known);
  const grounds = new Map<Element, string | undefined>();

  const filters = (element: Element | null): string => {
    if (!element) return "";
    const { opacity, filter, mixBlendMode } = getComputedStyle(element);
    return `${opacity} ${filter} ${mixBlendMode};${filters(element.parentElement)}`;
  };
  /** What lies behind the text of an element; undefined if it floats above something that is not its parent. */
  const findGround = (element: Element | null): string | undefined => {
    if (!element) return "canvas";
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
    const isOpaque = !/rgba|\/|transparent/.test(backgroundColor);
    if (isOpaque && backgroundImage === "none") return `${backgroundColor} ${filters(element)}`;
    const behind = ["static", "relative"].includes(position) ? groundOf(element.parentElement) : undefined;
    return behind && `${backgroundColor} ${backgroundImage} ${opacity} on ${behind}`;
  };
  const groundOf = (element: Element | null): string | undefined => {
    if (!element) return "canvas";
    if (!grounds.has(element)) grounds.set(element, findGround(element));
    return grounds.get(element);
  };
  const lookOf = (element: Element): string | undefined => {
    const ground = groundOf(element);
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    return ground && `${color} ${fontSize} ${fontWeight} ${textShadow} on ${ground}`;
  };
  const hasText = (element: Element): boolean =>
    element.matches("input, select, textarea") ||
    [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== "");

  const within = parts.length > 0 ? `:is(${parts.join()})` : "body";
  const shown = [...document.querySelectorAll(`${within}, ${within} *`)].filter(
    (element) => hasText(element) && element.checkVisibility(),
  );
  const seen = new Map<string, number>();
  /** Whether a look is known, or two that have it are to be measured already: something may cover one of them. */
  const isEnough = (look: string): boolean => {
    const before = seen.get(look) ?? 0;
    seen.set(look, before + 1);
    return passedBefore.has(look) || before >= 2;
  };
  const looks = new Map<Node, string | undefined>();
  for (const element of shown) {
    const look = lookOf(element);
    if (look === undefined || !isEnough(look)) looks.set(element, look);
  }
  if (looks.size === 0) return { violations: [], passed: [] };
  if (!window.axe) throw new Error("axe is missing");
  const { violations, passes } = await window.axe.run(
    { include: [...looks.keys()] },
    {
      runOnly: ["color-contrast"],
      resultTypes: ["violations", "passes"],
      elementRef: true,
      selectors: false,
      preload: false,
    },
  );
  const passed = passes.flatMap(({ nodes }) => nodes.map(({ element }) => element && looks.get(element)));
  return {
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ""}`),
    ),
    passed: passed.filter((look) => look !== undefined),
  };
}

/** Reads axe into the page, once. */
async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE);
}

/** What text on the page, or in these parts of it, is too faint, in the theme of now. */
export async function findFaintText(page: Page, ...parts: readonly string[]): Promise<string[]> {
  await loadAxe(page);
  const { violations, passed } = await page.evaluate(checkContrast, { parts, known: [...readable] });
  for (const look of passed) readable.add(look);
  return violations;
}

/** Every accessibility finding on the page as it is, or in these parts of it. */
export async function findAccessibilityIssues(page: Page, ...parts: readonly string[]): Promise<string[]> {
  await loadAxe(page);
  return [...(await page.evaluate(checkRules, parts)), ...(await findFaintText(page, ...parts))];
}
