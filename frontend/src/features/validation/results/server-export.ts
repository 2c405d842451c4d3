// Parts of a batch that the server exports: any number of rows, also while the list runs.
import type { Batch } from "../../../api/types";
import { downloadFile } from "../../../lib/download-file";
import { fileNames } from "./results-csv";
import { loadBatch } from "../calls";
import { hasEnded } from "../batches/progress/list-stage";

export const TABLES = { csv: "CSV", xlsx: "XLSX" } as const;
export const FORMATS = { ...TABLES, original: "As uploaded" } as const;
export type Format = keyof typeof FORMATS;

export interface ExportPart {
  format: Format;
  segment: string;
}

type NamedBatch = Pick<Batch, "id" | "filename" | "processing_status">;

function getSuffix({ filename }: NamedBatch, format: Format): string {
  if (format !== "original") return format;
  const type = filename?.toLowerCase().split(".").pop() ?? "";
  return type.startsWith("xls") ? "xlsx" : type === "txt" ? "txt" : "csv";
}

function buildName(batch: NamedBatch, { format, segment }: ExportPart): string {
  const parts = [
    format === "original" ? "-with-results" : "",
    segment === "all" ? "" : `-${segment}`,
    hasEnded(batch.processing_status) ? "" : "-so-far",
  ];
  const name = fileNames.batch(`${batch.filename ?? batch.id}${parts.join("")}`);
  return name.replace(/csv$/, getSuffix(batch, format));
}

/** Saves a part of a batch as a file; answers its name. */
export async function exportPart(batch: NamedBatch, part: ExportPart): Promise<string> {
  const query = new URLSearchParams({ ...part });
  const name = buildName(batch, part);
  await downloadFile(`/api/validate/batch/${batch.id}/export?${query.toString()}`, name);
  return name;
}

/** Saves the one-page report of a finished list; answers its name. */
export async function saveReport(batch: NamedBatch): Promise<string> {
  const name = fileNames.batch(`${batch.filename ?? batch.id}-report`).replace(/csv$/, "pdf");
  await downloadFile(`/api/validate/batch/${batch.id}/report.pdf`, name);
  return name;
}

/** Saves every result that a list has by now. */
export async function exportInterimResults(batchId: string): Promise<string> {
  return exportPart(await loadBatch(batchId, 1, 1), { format: "csv", segment: "all" });
}
