// Parts of a batch that the server exports: any number of rows, also while the list runs.
import type { Batch } from "../../../api/types";
import { downloadFile } from "../../../lib/download-file";
import { fileNames } from "./results-csv";
import { loadBatch } from "../calls";
import { hasEnded } from "../batches/progress/list-stage";

export const TABLES = { csv: "CSV", xlsx: "XLSX" } as const;
/** Programs for newsletters, whose files are imported without mapping. */
export const PROGRAMS = {
  mailchimp: "Mailchimp",
  hubspot: "HubSpot",
  klaviyo: "Klaviyo",
  brevo: "Brevo",
} as const;
export type Program = keyof typeof PROGRAMS;
export type Format = keyof typeof TABLES | "original" | "zip" | Program;

export interface ExportPart {
  format: Format;
  segment: string;
  /** With the segment `safe`: the risky ones as well that have at least this confidence. */
  risky_from?: number | undefined;
  /** Leaves cells as they are that programs may run as formulas. */
  formulas?: "raw" | undefined;
  /** Of the original file: the added columns, by commas; and by which of several addresses a row belongs to a segment. */
  columns?: string | undefined;
  segment_column?: string | undefined;
}

type NamedBatch = Pick<Batch, "batch_id" | "filename" | "status">;

function getSuffix({ filename }: NamedBatch, format: Format): string {
  if (format === "xlsx" || format === "zip") return format;
  if (format !== "original") return "csv";
  const type = filename?.toLowerCase().split(".").pop() ?? "";
  return type.startsWith("xls") ? "xlsx" : type === "txt" ? "txt" : "csv";
}

const FORMAT_PARTS: Partial<Record<Format, string>> = { original: "with-results", zip: "all-in-one" };

function buildName(batch: NamedBatch, { format, segment, risky_from }: ExportPart): string {
  const parts = [
    FORMAT_PARTS[format] ?? (format in PROGRAMS ? format : ""),
    segment === "all" ? "" : segment,
    risky_from === undefined ? "" : `risky-from-${risky_from}`,
    hasEnded(batch.status) ? "" : "so-far",
  ];
  const name = fileNames.batch(batch.filename ?? batch.batch_id, parts.filter(Boolean));
  return name.replace(/csv$/, getSuffix(batch, format));
}

/** Saves a part of a batch as a file; answers its name. */
export async function exportPart(batch: NamedBatch, part: ExportPart): Promise<string> {
  const asked = Object.entries(part).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(asked.map(([name, value]) => [name, `${value}`]));
  const name = buildName(batch, part);
  await downloadFile(`/api/validate/batch/${batch.batch_id}/export?${query.toString()}`, name);
  return name;
}

/** Saves the one-page report of a finished list; answers its name. */
export async function saveReport(batch: NamedBatch): Promise<string> {
  const name = fileNames.batch(batch.filename ?? batch.batch_id, ["report"]).replace(/csv$/, "pdf");
  await downloadFile(`/api/validate/batch/${batch.batch_id}/report.pdf`, name);
  return name;
}

/** Saves every result that a list has by now. */
export async function exportInterimResults(batchId: string): Promise<string> {
  return exportPart(await loadBatch(batchId, 1), { format: "csv", segment: "all" });
}
