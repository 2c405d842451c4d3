import { toast } from "sonner";

import { formatCsvLines, type Cell } from "../../../lib/csv";
import { saveBlob, saveCsv } from "../../../lib/download";
import { NOTHING_TO_EXPORT } from "../results/exports";
import { CATEGORIES } from "../../../lib/labels";
import { SERIES, sumCategories } from "./usage-series";
import type { Analytics, Range } from "./use-analytics";

function buildLines({ days, total }: Analytics): Cell[][] {
  const categories = sumCategories(days);
  return [
    ["Total", total],
    ...SERIES.map(({ key, name }): Cell[] => [name, categories[key]]),
    [],
    ["date", "validations", ...CATEGORIES, "accuracy"],
    ...days.map((day): Cell[] => [
      day.date,
      day.validations,
      ...CATEGORIES.map((category) => day.categories[category]),
      day.accuracy ?? null,
    ]),
  ];
}

/** The range as it is shown, `analytics-{range}.{csv or json}`. */
export function exportAnalytics(analytics: Analytics, range: Range, kind: "csv" | "json"): void {
  if (analytics.total === 0) {
    toast.error(NOTHING_TO_EXPORT);
    return;
  }
  const name = `analytics-${range}.${kind}`;
  if (kind === "csv") saveCsv(formatCsvLines(buildLines(analytics)), name);
  else saveBlob(new Blob([JSON.stringify(analytics.advanced, null, 2)], { type: "application/json" }), name);
  toast.success(`Export completed: ${name}`);
}
