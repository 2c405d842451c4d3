import type { ReactNode } from "react";

import type { Category } from "../api/types";
import { formatNumber, formatPercent, calculateShare } from "../lib/format";
import { CATEGORIES, CATEGORY_WORDS } from "../lib/labels";

type CategoryCounts = Partial<Record<`${Category}_count`, number>>;

interface ResultBarProps {
  counts: CategoryCounts;
  total: number;
  label: string;
  thin?: boolean;
}

/** What was found of each category, in the one order of them. */
function listFound(counts: CategoryCounts) {
  return CATEGORIES.map((category) => ({ category, count: counts[`${category}_count`] ?? 0 })).filter(
    ({ count }) => count > 0,
  );
}

function formatFound(counts: CategoryCounts): string[] {
  return listFound(counts).map(({ category, count }) => `${CATEGORY_WORDS[category]} ${formatNumber(count)}`);
}

function Segments({ counts, total }: Pick<ResultBarProps, "counts" | "total">): ReactNode {
  return listFound(counts).map(({ category, count }) => (
    <span key={category} className={`tone-${category}`} style={{ width: formatWidth(count, total) }} />
  ));
}

/** One bar, segmented by result; what is missing to the total stays empty. */
export function ResultBar({ counts, total, label, thin = false }: ResultBarProps): ReactNode {
  return (
    <div
      className={thin ? "bar bar-thin" : "bar"}
      role="img"
      aria-label={[label, ...formatFound(counts)].join(", ")}
    >
      <Segments counts={counts} total={total} />
    </div>
  );
}

interface ResultProgressProps extends Pick<ResultBarProps, "counts" | "total" | "label"> {
  percent: number;
  /** How far it is, in words. */
  done: string;
}

/** As `ResultBar`, of what goes on: it says how far it is. */
export function ResultProgress({ counts, total, label, percent, done }: ResultProgressProps): ReactNode {
  return (
    <div
      className="bar bar-run"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={[done, ...formatFound(counts)].join(", ")}
    >
      <Segments counts={counts} total={total} />
    </div>
  );
}

export function formatWidth(count: number, total: number): string {
  return `${(calculateShare(count, total) * 100).toFixed(2)}%`;
}

interface MeterProps {
  value: number;
  label: string;
  tone?: string;
}

/** @param value 0 to 1. */
export function Meter({ value, label, tone = "accent" }: MeterProps): ReactNode {
  const percent = Math.round(value * 100);
  return (
    <div
      className="bar bar-thin"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={formatPercent(value)}
    >
      <span className={`tone-${tone}`} style={{ width: `${percent}%` }} />
    </div>
  );
}
