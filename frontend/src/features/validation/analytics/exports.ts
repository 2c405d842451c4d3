import { toast } from "sonner";

import { formatCsvLines, type Cell } from "../../../lib/csv";
import { saveBlob, saveCsv } from "../../../lib/download";
import { NOTHING_TO_EXPORT } from "../results/exports";
import type { Analytics, Range } from "./use-analytics";

function buildLines({ days, buckets, total }: Analytics): Cell[][] {
  return [
    ["Total", total],
    ["Valid", buckets.valid],
    ["Risky", buckets.risky],
    ["Disposable", buckets.disposable],
    ["Invalid", buckets.invalid],
    [],
    ["date", "validations", "valid", "invalid", "unknown", "accuracy"],
    ...days.map((day): Cell[] => [
      day.date,
      day.validations,
      day.valid,
      day.invalid,
      day.unknown,
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
