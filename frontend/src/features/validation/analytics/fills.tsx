// How the six categories are filled: each in its shade, unknown hatched; in forced colours each by a pattern.
import type { ReactNode } from "react";

import type { Category } from "../../../api/types";
import { CATEGORIES } from "../../../lib/labels";

const SIZE = 6;
/** What is drawn in a tile; valid is solid. */
const LINES: Record<Category, string> = {
  valid: "",
  catch_all: "M0 3H6",
  unknown: "M-1 1 1-1M0 6 6 0M5 7 7 5",
  disposable: "M3 0V6",
  spam_trap: "M2 3H4",
  invalid: "M0 0 6 6M6 0 0 6",
};

/** @param chart its name: other charts of the page have fills too. */
export function getFill(chart: string, category: Category): string {
  return `url(#fill-${chart}-${category})`;
}

/** The fills of a chart; they stand in it. */
export function Fills({ chart }: { chart: string }): ReactNode {
  return (
    <defs>
      {CATEGORIES.map((category) => (
        <pattern
          key={category}
          id={`fill-${chart}-${category}`}
          className={`fill tone-${category}`}
          patternUnits="userSpaceOnUse"
          width={SIZE}
          height={SIZE}
        >
          <rect width={SIZE} height={SIZE} />
          <path d={LINES[category]} />
        </pattern>
      ))}
    </defs>
  );
}
