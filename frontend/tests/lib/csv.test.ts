import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { formatCsvCell, formatCsvLines } from "../../src/lib/csv";

describe("cells", () => {
  const { changed, kept } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../../tests/formula_cells.json"), "utf-8"),
  ) as Record<"changed" | "kept", string[]>;
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

  it("[REP-026] [I3] get an apostrophe where the server's do", () => {
    expect(changed.filter((cell) => formatCsvCell(cell) !== quoted(`'${cell}`))).toEqual([]);
    expect(changed.length).toBeGreaterThan(40);
  });

  it("[REP-026] [I3] stay as they are where the server's do", () => {
    expect(kept.filter((cell) => formatCsvCell(cell) !== quoted(cell))).toEqual([]);
    expect(kept.length).toBeGreaterThan(30);
  });

  it("quotes every field and doubles quotes", () => {
    expect(formatCsvLines([["a", 'say "hi"', -1, true, null]])).toBe('"a","say ""hi""","-1","true",""\r\n');
  });
});
