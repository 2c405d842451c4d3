// What History lists, and what is done to several of them at once.
import type { Batch, ResultRow } from "../../../../api/types";
import { getErrorMessage } from "../../../../lib/errors";
import { formatCount, formatNumber } from "../../../../lib/format";
import { deleteBatch, deleteResult } from "../../calls";
import { EMPTY_BATCH, getBatchTitle, loadAllRows, saveChosen } from "../../results/exports";

export type HistoryItem = { key: string; batch: Batch } | { key: string; row: ResultRow };

/** In the order in which they are shown. */
export interface HistoryParts {
  files: HistoryItem[];
  pasted: HistoryItem[];
  singles: HistoryItem[];
}

export function splitHistory(batches: readonly Batch[], rows: readonly ResultRow[]): HistoryParts {
  const pickLists = (type: Batch["batch_type"]) =>
    batches
      .filter(({ batch_type }) => batch_type === type)
      .map((batch) => ({ key: `list-${batch.batch_id}`, batch }));
  return {
    files: pickLists("file_upload"),
    pasted: pickLists("bulk_textarea"),
    singles: rows.map((row) => ({ key: `single-${row.id}`, row })),
  };
}

export function getItemName(item: HistoryItem): string {
  return "batch" in item ? getBatchTitle(item.batch) : item.row.email_checked;
}

/** 2 lists and 1 single validation */
export function countItems(items: readonly HistoryItem[]): string {
  const lists = items.filter((item) => "batch" in item).length;
  const singles = items.length - lists;
  return [
    lists > 0 ? formatCount(lists, "list") : "",
    singles > 0 ? formatCount(singles, "single validation") : "",
  ]
    .filter(Boolean)
    .join(" and ");
}

interface Failure {
  item: HistoryItem;
  reason: string;
}

/** What came of it: what is said in one message, and more below it where something failed. */
export interface BulkOutcome {
  said: string;
  failures: readonly Failure[];
}

export type OnStep = (done: number) => void;

interface Run {
  items: readonly HistoryItem[];
  act: (item: HistoryItem) => Promise<unknown>;
  /** Why one failed, where the server does not say. */
  fallback: string;
  onStep: OnStep;
}

/** One after the other, so that one that fails keeps none of the others. */
async function runForEach({ items, act, fallback, onStep }: Run): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const [index, item] of items.entries()) {
    onStep(index);
    try {
      await act(item);
    } catch (error) {
      failures.push({ item, reason: getErrorMessage(error, fallback) });
    }
  }
  return failures;
}

function countDone(items: readonly HistoryItem[], failures: readonly Failure[]): string {
  return `${formatNumber(items.length - failures.length)} of ${formatNumber(items.length)}`;
}

/** Deletes them for good, each by its own call. */
export async function deleteItems(items: readonly HistoryItem[], onStep: OnStep): Promise<BulkOutcome> {
  const failures = await runForEach({
    items,
    act: (item) => ("batch" in item ? deleteBatch(item.batch.batch_id) : deleteResult(item.row.id)),
    fallback: "It could not be deleted",
    onStep,
  });
  const done = failures.length === 0 ? countItems(items) : countDone(items, failures);
  return { said: `Deleted ${done}`, failures };
}

async function loadRows(item: HistoryItem): Promise<readonly ResultRow[]> {
  if ("row" in item) return [item.row];
  const rows = await loadAllRows(item.batch.batch_id);
  if (rows.length === 0) throw new Error(EMPTY_BATCH);
  return rows;
}

/** Their results in one file. */
export async function downloadItems(items: readonly HistoryItem[], onStep: OnStep): Promise<BulkOutcome> {
  const rows: ResultRow[] = [];
  const failures = await runForEach({
    items,
    act: async (item) => {
      for (const row of await loadRows(item)) rows.push(row);
    },
    fallback: "It could not be read",
    onStep,
  });
  if (rows.length === 0) return { said: "Nothing was downloaded", failures };
  const name = saveChosen(rows);
  if (failures.length === 0) return { said: `Export completed: ${name}`, failures };
  return { said: `${countDone(items, failures)} are in ${name}`, failures };
}
