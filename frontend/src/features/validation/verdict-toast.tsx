import { toast } from "sonner";

import type { ResultRow } from "../../api/types";
import { getCategory } from "../../lib/labels";
import { Glyph } from "../../ui/glyph";

/** Says that an address was checked, in the shape and the colour of its verdict: not every answer is good news. */
export function toastVerdict(words: string, verdict: ResultRow): void {
  const category = getCategory(verdict);
  toast(words, { className: `tone-${category}`, icon: <Glyph name={category} /> });
}
