// The colours of tokens.css in both themes: text is legible on every ground it stands on, what is drawn is seen beside
// it, and the shades of verdicts stay apart for eyes that miss a colour.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

type Theme = "light" | "dark";
type Triple = readonly [number, number, number];

const TEXT = 4.5;
const DRAWN = 3;
/** Of shades side by side, as a distance in OKLab times 100. */
const APART = 12;

const sheet = readFileSync(join(import.meta.dirname, "../src/styles/tokens.css"), "utf8");
const declared = new Map(
  [...sheet.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]),
);

function readColour(name: string, theme: Theme): Triple {
  const value = declared.get(name) ?? "";
  const other = /^var\(--([\w-]+)\)$/.exec(value);
  if (other?.[1]) return readColour(other[1], theme);
  const pair = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value);
  const hex = pair?.[theme === "light" ? 1 : 2];
  if (!hex) throw new Error(`--${name} is no pair of colours: ${value}`);
  const part = (from: number) => toLinear(Number.parseInt(hex.slice(from, from + 2), 16) / 255);
  return [part(1), part(3), part(5)];
}

function toLinear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function measureLuminance([red, green, blue]: Triple): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2. */
function measureContrast(one: Triple, other: Triple): number {
  const [darker = 0, lighter = 0] = [measureLuminance(one), measureLuminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

type Matrix = readonly [Triple, Triple, Triple];

function apply(matrix: Matrix, [red, green, blue]: Triple): Triple {
  const line = ([a, b, c]: Triple) => Math.max(0, a * red + b * green + c * blue);
  return [line(matrix[0]), line(matrix[1]), line(matrix[2])];
}

/** Machado, Oliveira and Fernandes (2009), the whole deficiency, in linear RGB. */
const EYES: Readonly<Record<string, Matrix>> = {
  "all colours": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];

function toOklab(colour: Triple): Triple {
  const [long, middle, short] = apply(TO_CONES, colour);
  const [l, m, s] = [Math.cbrt(long), Math.cbrt(middle), Math.cbrt(short)];
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function measureDistance(one: Triple, other: Triple, eye: Matrix): number {
  const [a, b] = [toOklab(apply(eye, one)), toOklab(apply(eye, other))];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** In degrees. */
function measureHue(colour: Triple): number {
  const [, a, b] = toOklab(colour);
  return ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
}

const SOLID = ["valid", "invalid", "catch_all", "disposable", "spam_trap"];
const STATES = [...SOLID, "risky", "unknown"];

const WRITTEN = [
  ...["ink", "ink-2", "ink-3"].flatMap((text) => ["desk", "paper", "well"].map((ground) => [text, ground])),
  ...["accent", "accent-hover"].flatMap((text) =>
    ["desk", "paper", "accent-soft"].map((ground) => [text, ground]),
  ),
  ["ink", "accent-soft"],
  ["on-ink", "ink"],
  ["on-ink", "ink-hover"],
  ["danger", "paper"],
  ["danger", "desk"],
  ["on-danger", "danger"],
  ...STATES.flatMap((state) =>
    [`st-${state}-bg`, "paper", "desk"].map((ground) => [`st-${state}-fg`, ground]),
  ),
];

const SEEN = ["line-strong", "focus", ...STATES.map((state) => `st-${state}`)].flatMap((shade) =>
  ["paper", "desk"].map((ground) => [shade, ground]),
);

const SIDE_BY_SIDE = [
  ...SOLID.flatMap((one, index) => SOLID.slice(index + 1).map((other) => [one, other])),
  ["risky", "valid"],
  ["risky", "invalid"],
];

describe.each<Theme>(["light", "dark"])("in the %s theme", (theme) => {
  const contrast = ([one = "", other = ""]: string[]) =>
    measureContrast(readColour(one, theme), readColour(other, theme));
  /** Those below the least, with what they have. */
  const tooLow = (pairs: string[][], least: number) =>
    pairs
      .filter((pair) => contrast(pair) < least)
      .map((pair) => `${pair.join(" on ")}: ${contrast(pair).toFixed(2)}`);

  it("every text is legible on every ground it stands on", () => {
    expect(tooLow(WRITTEN, TEXT)).toEqual([]);
  });

  it("the edges of controls and the shades of verdicts are seen on paper and desk", () => {
    expect(tooLow(SEEN, DRAWN)).toEqual([]);
  });

  it.each(Object.entries(EYES))("shades of verdicts are kept apart with %s", (_, eye) => {
    const distance = ([one = "", other = ""]: string[]) =>
      measureDistance(readColour(`st-${one}`, theme), readColour(`st-${other}`, theme), eye);
    const near = SIDE_BY_SIDE.filter((pair) => distance(pair) < APART);
    expect(near.map((pair) => `${pair.join(" and ")}: ${distance(pair).toFixed(1)}`)).toEqual([]);
  });

  it("there is one red, and one green", () => {
    expect(readColour("danger", theme)).toEqual(readColour("st-invalid-fg", theme));
    const hues = ["st-valid", "st-valid-fg"].map((name) => measureHue(readColour(name, theme)));
    expect(Math.abs((hues[0] ?? 0) - (hues[1] ?? 0))).toBeLessThan(12);
    const reds = ["st-invalid", "st-invalid-fg"].map((name) => measureHue(readColour(name, theme)));
    expect(Math.abs((reds[0] ?? 0) - (reds[1] ?? 0))).toBeLessThan(12);
  });
});
