import { describe, expect, it } from "vitest";

import { readAddresses } from "../../../../../src/features/validation/batches/address-list";
import { formatOdd, formatUnderstood } from "../../../../../src/features/validation/batches/entry/understood";

const lines = (text: string) => readAddresses(text).lines;

describe("what a text holds", () => {
  it.each<[string, string, string[]]>([
    ["one address", "anna@x.com", ["anna@x.com"]],
    ["spaces around it", "  anna@x.com \t\r\n \r\n", ["anna@x.com"]],
    ["a quoted local part", '"anna keller"@x.com', ['"anna keller"@x.com']],
    ["names of people", "Anna Keller <anna@x.com>\nBen <ben@x.com>", ["anna@x.com", "ben@x.com"]],
    [
      "several in a line",
      "anna@x.com, ben@x.com; mailto:cara@x.com",
      ["anna@x.com", "ben@x.com", "cara@x.com"],
    ],
    [
      "cells of a table with a header",
      "Name\tE-mail\tCity\nAnna\tanna@x.com\tBern\nBen\tben@x.com\tRome",
      ["anna@x.com", "ben@x.com"],
    ],
    ["quoted cells", 'Name,Email\n"Keller, Anna","anna@x.com"', ["anna@x.com"]],
    ["a column of addresses", "E-mail\nanna@x.com\nben@x.com", ["anna@x.com", "ben@x.com"]],
    [
      "what surrounds an address",
      "mailto:anna@x.com?subject=Hi you\nben@x.com (home)\n\u200Bcara@x.com.\ndora ＠x.com",
      ["anna@x.com", "ben@x.com", "cara@x.com", "dora@x.com"],
    ],
    ["a slash", "a/b@x.com\na@x.com/b@x.com", ["a/b@x.com", "a@x.com", "b@x.com"]],
    ["what is none, as it is", "not-an-address\na@b@c.com", ["not-an-address", "a@b@c.com"]],
  ])("%s", (_, text, sent) => {
    expect(lines(text)).toEqual(sent);
  });

  it("is the same for a hundred thousand lines, soon", () => {
    const text = Array.from({ length: 100_000 }, (_, number) => `person${number % 99_990}@x.com`).join("\n");
    const list = readAddresses(text);
    expect([list.lines.length, list.unique, list.possible]).toEqual([100_000, 99_990, 99_990]);
  });
});

describe("what is said of it", () => {
  it.each([
    ["", 100, ""],
    ["anna@x.com", 100, "1 address · 1 credit"],
    ["anna@x.com", 0, "1 address · 1 credit, and you have 0"],
    ["anna", 100, "Not an address · no credits"],
    ["anna\nben", 100, "No address in 2 lines · no credits"],
    ["a@x.com\nb@x.com", null, "2 addresses · at most 2 credits"],
    [
      "a@x.com\nb@x.com\nA@X.com\nnothing",
      5_000,
      "4 addresses, 1 duplicate, 1 not an address · at most 2 credits of 5,000",
    ],
    ["a@x.com\nb@x.com", 1, "2 addresses · 2 credits, and you have 1"],
  ])("%j with %s credits", (text, credits, words) => {
    expect(formatUnderstood(readAddresses(text), credits)).toBe(words);
  });

  it("names what was not understood, and nothing that the review may read otherwise", () => {
    const text = "Name;Email\nAnna Keller <anna@x.com>;Bern\nben@x.com\nno address here\nno address here";
    expect(formatOdd(readAddresses(text))).toBe(
      "Not understood: “no address here”. Such lines are reported as invalid, free.",
    );
    expect(formatOdd(readAddresses("anna@x.com\nben @x.com\nMailto:cara@x.com?subject=Hi."))).toBeNull();
  });
});
