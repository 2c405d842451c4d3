import { expect, it } from "vitest";

import { findCurrentSection } from "../../src/lib/current-section";

const screen = { line: 130, height: 900, atEnd: false, asked: "" };
const at = (...tops: number[]) => tops.map((top, index) => ({ id: "abcde"[index] ?? "", top }));

it("[look-15] the section that is read is the last one above the line", () => {
  expect(findCurrentSection(at(140, 600, 1_400), screen)).toBe("a");
  expect(findCurrentSection(at(-700, 130, 900), screen)).toBe("b");
  expect(findCurrentSection(at(-700, 131, 900), screen)).toBe("a");
  expect(findCurrentSection([], screen)).toBeNull();
});

it("[look-15] at the end of the page it is the one that was asked for, else the last in sight", () => {
  const end = { ...screen, atEnd: true };
  const places = at(-2_000, 100, 400, 700);
  expect(findCurrentSection(places, end)).toBe("d");
  expect(findCurrentSection(places, { ...end, asked: "c" })).toBe("c");
  expect(findCurrentSection(places, { ...end, asked: "a" })).toBe("d");
  expect(findCurrentSection(at(-300, 120), end)).toBe("b");
});
