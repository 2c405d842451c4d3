import { toast } from "sonner";

import type { ResultRow } from "../../api/types";
import { getCategory } from "../../lib/labels";
import { CATEGORY_ICONS } from "../../ui/status-badge";

/** Says that an address was checked, in the shape and the colour of its verdict: not every answer is good news. */
export function toastVerdict(words: string, verdict: ResultRow): void {
  const category = getCategory(verdict);
  const Icon = CATEGORY_ICONS[category];
  toast(words, { className: `tone-${category}`, icon: <Icon size={16} aria-hidden /> });
}
