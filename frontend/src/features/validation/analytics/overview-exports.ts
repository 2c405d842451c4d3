// What the buttons of the sidebar export.
import { toast } from "sonner";

import type { Overview } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatCsvLines, type Cell } from "../../../lib/csv";
import { saveCsv } from "../../../lib/download";
import { formatDay, formatPercent, calculateShare } from "../../../lib/format";
import { loadAllBatches, loadAllIndividuals } from "../batches/history/calls";
import { CATEGORIES, CATEGORY_WORDS, formatPlan } from "../../../lib/labels";

const PAGE_SIZE = 1_000;

function buildSummaryLines(figures: Overview, now: Date): Cell[][] {
  const total = figures.total_validations;
  return [
    ["Summary report"],
    ["Exported", now.toISOString()],
    [],
    ["Figure", "Value", "Share"],
    ["Total validations", total, ""],
    ...CATEGORIES.map((category): Cell[] => {
      const count = figures.category_breakdown[category];
      return [CATEGORY_WORDS[category], count, formatPercent(calculateShare(count, total))];
    }),
    ["Success rate", formatPercent(figures.success_rate / 100), ""],
    ["Monthly usage", figures.monthly_usage, formatPercent(figures.usage_percentage / 100)],
    ["Monthly limit", figures.monthly_limit, ""],
    ["Available credits", figures.credits, ""],
    ["Current plan", formatPlan(figures.subscription_plan), ""],
  ];
}

export function exportSummary(figures: Overview): void {
  if (figures.total_validations === 0) {
    toast.error("No summary data to export");
    return;
  }
  saveCsv(formatCsvLines(buildSummaryLines(figures, new Date())), `validation-summary-${formatDay()}.csv`);
  toast.success("Summary report exported!");
}

/** The valid addresses of a list, page after page. */
async function* loadValidAddresses(batchId: string): AsyncGenerator<string> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const query = { category: "valid", limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) } as const;
    const path = { batch_id: batchId };
    const page: { results: { email: string }[]; next_cursor: string | null } = await readData(
      api.GET("/api/validate/batch/{batch_id}/results", { params: { path, query } }),
    );
    for (const { email } of page.results) yield email;
    cursor = page.next_cursor;
  }
}

/** Every valid address that was checked, once, whatever list it was in. */
export async function exportValidEmails(): Promise<void> {
  const found = new Map<string, string>();
  const add = (email: string) => void found.set(email.toLowerCase(), email);
  for (const row of await loadAllIndividuals("valid")) add(row.email_checked);
  for (const batch of await loadAllBatches()) {
    if (batch.valid_count > 0) for await (const email of loadValidAddresses(batch.batch_id)) add(email);
  }
  if (found.size === 0) {
    toast.error("No valid emails to export");
    return;
  }
  const rows = [...found.values()].map((email) => [email]);
  saveCsv(formatCsvLines([["email"], ...rows]), `valid-emails-${formatDay()}.csv`);
  toast.success(`Exported ${found.size} emails successfully`);
}
