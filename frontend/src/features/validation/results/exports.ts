// What the browser itself exports as CSV; segments of a large batch are streamed by the server instead.
import { toast } from "sonner";

import type { Batch, Counts, ResultRow, ResultsPage } from "../../../api/types";
import { countRows, fileNames, formatResultsCsv, buildSummaryHeader } from "./results-csv";
import { saveCsv } from "../../../lib/download";
import { getErrorMessage } from "../../../lib/errors";
import { loadResultsPage } from "../calls";

export const NOTHING_TO_EXPORT = "No validation data to export";
export const EMPTY_BATCH = "No email data found for this batch";

function saveExport(text: string, name: string): void {
  saveCsv(text, name);
  toast.success(`Export completed: ${name}`);
}

/** All results of a batch, page after page. */
export async function loadAllRows(batchId: string): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: ResultsPage = await loadResultsPage(batchId, cursor);
    rows.push(...page.results);
    cursor = page.next_cursor;
  }
  return rows;
}

interface BatchExport {
  batch: Batch;
  name: string;
  title: string;
  /** Shown when the server cannot be asked or says nothing itself. */
  fallback: string;
}

async function exportBatch({ batch, name, title, fallback }: BatchExport): Promise<void> {
  try {
    const rows = await loadAllRows(batch.batch_id);
    if (rows.length === 0) toast.error(EMPTY_BATCH);
    else saveExport(formatResultsCsv(rows, buildSummaryHeader(title, batch)), name);
  } catch (error) {
    toast.error(getErrorMessage(error, fallback));
  }
}

export function getBatchTitle({ filename, batch_type }: Pick<Batch, "filename" | "batch_type">): string {
  return filename ?? (batch_type === "bulk_textarea" ? "Pasted list" : "Uploaded file");
}

/** `Export` on a batch card. */
export function exportCard(batch: Batch): Promise<void> {
  const fallback = "Failed to export bulk validation";
  return exportBatch({ batch, name: fileNames.bulk(batch.batch_id), title: getBatchTitle(batch), fallback });
}

/** The download button of a file's card. */
export function downloadBatch(batch: Batch): Promise<void> {
  const fallback = "Failed to download batch data";
  return exportBatch({
    batch,
    name: fileNames.batch(batch.filename ?? batch.batch_id),
    title: getBatchTitle(batch),
    fallback,
  });
}

/** The export of the dialog Batch Analytics. */
export function exportAnalytics(batch: Batch): Promise<void> {
  toast.info("Fetching detailed batch data for export...");
  const fallback = "Failed to export batch data";
  return exportBatch({
    batch,
    name: fileNames.history(batch.batch_id),
    title: getBatchTitle(batch),
    fallback,
  });
}

/** Rows that were chosen; answers the name of their file. */
export function saveChosen(rows: readonly ResultRow[]): string {
  const name = fileNames.chosen();
  saveCsv(formatResultsCsv(rows), name);
  return name;
}

/** One single validation. */
export function exportResult(row: ResultRow): void {
  saveExport(formatResultsCsv([row]), fileNames.individual(row.email));
}

function saveRows(rows: ResultRow[], title: string, name: string, counts: Counts): void {
  if (rows.length === 0) toast.error(NOTHING_TO_EXPORT);
  else saveExport(formatResultsCsv(rows, buildSummaryHeader(title, counts)), name);
}

/** All single validations there are. */
export function exportIndividuals(rows: ResultRow[]): void {
  saveRows(rows, "Individual validations", fileNames.individuals(), countRows(rows));
}

/** Everything: single validations and the rows of all batches. */
export function exportHistory(rows: ResultRow[]): void {
  saveRows(rows, "Validation history", fileNames.history("all"), countRows(rows));
}
