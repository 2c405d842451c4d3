// Where a list stands: the one answer that every word, number, bar and button about its progress is taken from.
//
//   queued ─► running ⇄ waiting ─► settling ─► finished
//      └────────┴─────────┴─► paused, cancelled, failed
import type { Batch, BatchProgress, BatchStatus } from "../../../../api/types";
import { formatCount, formatNumber } from "../../../../lib/format";
import { formatRunning, type Named } from "../../../../lib/labels";

export type Stage =
  | "queued"
  | "running"
  /** Whatever is left waits for mail operators, greylisting hosts or providers. */
  | "waiting"
  /** Every address has its answer; results and credits are being written. */
  | "settling"
  | "finished"
  | "paused"
  | "cancelled"
  | "failed"
  /** A status that this page does not know, of a server newer than it. */
  | "unfamiliar";

export interface Standing {
  status: string;
  total: number;
  processed: number;
  /** How many addresses wait to be asked about, or asked about again. */
  waiting: number;
}

/** Where a list stands by an answer about its progress. */
export function getStanding(progress: BatchProgress): Standing {
  const { status, total_emails, processed, waiting } = progress;
  return { status, total: total_emails, processed, waiting };
}

/** Where it stands by what is listed of it, which does not tell what waits. */
export function getListedStanding(batch: Batch): Standing {
  const { status, total_emails, processed } = batch;
  return { status, total: total_emails, processed, waiting: 0 };
}

const BY_STATUS: Partial<Record<string, Stage>> & Record<BatchStatus, Stage> = {
  queued: "queued",
  processing: "running",
  completed: "finished",
  failed: "failed",
  paused: "paused",
  cancelled: "cancelled",
};

function readStatus(status: string): Stage {
  return BY_STATUS[status] ?? "unfamiliar";
}

export function getStage({ status, total, processed, waiting }: Standing): Stage {
  const stage = readStatus(status);
  if (stage !== "running") return stage;
  const left = total - processed;
  if (left <= 0) return "settling";
  return waiting >= left ? "waiting" : "running";
}

interface StageTraits {
  title: string;
  /** Said below the numbers, where the title does not say it all. */
  note?: string;
  /** There is nothing left to wait for. */
  ended?: true;
  /** There is something left that can be taken back. */
  cancels?: true;
  /** Speed and time left mean something. */
  moves?: true;
}

export const STAGES: Record<Stage, StageTraits> = {
  queued: { title: "Your list is queued", cancels: true, note: "It starts as soon as it is its turn." },
  running: { title: "Validating your list", cancels: true, moves: true },
  waiting: { title: "Waiting for mail operators", cancels: true, moves: true },
  settling: {
    title: "Writing the last results",
    note: "Every address has its answer. Results and credits are being written.",
  },
  finished: { title: "List finished", ended: true },
  paused: { title: "List paused", cancels: true },
  cancelled: { title: "List cancelled", ended: true },
  failed: { title: "List failed", ended: true },
  unfamiliar: { title: "Your list" },
};

type Entitled = Named & Pick<BatchProgress, "checking_in_full">;

/** Whether the title says which list it is; else its name stands below. */
export function isNamedInTitle(stage: Stage, { checking_in_full }: Entitled): boolean {
  return stage === "running" && !checking_in_full;
}

/** The stage, while it runs with the name of the list: Validating newsletter.csv. */
export function formatTitle(stage: Stage | null, progress: Entitled | null): string {
  if (!stage || !progress) return STAGES.running.title;
  if (isNamedInTitle(stage, progress)) return formatRunning(progress);
  return stage === "running" ? "Checking in full what basic checks left open" : STAGES[stage].title;
}

/** Whether a list has ended, so that nothing of it moves any more. */
export function hasEnded(status: BatchStatus): boolean {
  return STAGES[readStatus(status)].ended === true;
}

/** Whole percents; a hundred is only said of what is finished. */
export function getPercent({ status, total, processed }: Standing): number {
  if (status === "completed") return 100;
  return total > 0 ? Math.min(99, Math.floor((100 * processed) / total)) : 0;
}

/** 1,204 of 2,236 addresses. */
export function formatProcessed({ processed, total }: Pick<Standing, "processed" | "total">): string {
  return `${formatNumber(processed)} of ${formatNumber(total)} ${total === 1 ? "address" : "addresses"}`;
}

/** How far a list is, in a line: 1,204 of 2,236 addresses, 53%; once it is finished, how long it was. */
export function formatExtent(standing: Standing): string {
  const stage = getStage(standing);
  if (stage === "finished") return formatCount(standing.total, "address", "addresses");
  if (STAGES[stage].ended) return formatProcessed(standing);
  return `${formatProcessed(standing)}, ${getPercent(standing)}%`;
}

/** The last quarter that was reached, for those who listen. */
export function getQuarter(percent: number): number {
  return Math.floor(percent / 25) * 25;
}

/** What is read out: once a quarter, and at the end. */
export function formatQuarter(standing: Standing): string {
  const { ended, title } = STAGES[getStage(standing)];
  const quarter = getQuarter(getPercent(standing));
  if (ended && quarter < 100) return title;
  return quarter === 0 ? "" : `${quarter}% of the list is done.`;
}
