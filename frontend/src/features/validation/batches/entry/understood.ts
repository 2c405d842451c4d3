// What was understood of a text, and what it costs, in words.
import { formatCount, formatNumber } from "../../../../lib/format";
import type { AddressList } from "../address-list";

function formatWhat({ lines, unique, possible }: AddressList): string {
  if (possible === 0) return lines.length === 1 ? "Not an address" : `No address in ${lines.length} lines`;
  const duplicates = lines.length - unique;
  const odd = unique - possible;
  return [
    formatCount(lines.length, "address", "addresses"),
    duplicates > 0 ? formatCount(duplicates, "duplicate") : "",
    odd > 0 ? `${formatNumber(odd)} not ${odd === 1 ? "an address" : "addresses"}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** @param credits what the account has; null while that is not known. */
function formatCost({ lines, possible }: AddressList, credits: number | null): string {
  if (possible === 0) return "no credits";
  const cost = formatCount(possible, "credit");
  if (credits !== null && possible > credits) return `${cost}, and you have ${formatNumber(credits)}`;
  if (lines.length === 1) return cost;
  return credits === null ? `at most ${cost}` : `at most ${cost} of ${formatNumber(credits)}`;
}

/** 312 addresses, 4 duplicates, 2 not addresses · at most 306 credits of 5,000; nothing of nothing. */
export function formatUnderstood(list: AddressList, credits: number | null): string {
  return list.lines.length === 0 ? "" : `${formatWhat(list)} · ${formatCost(list, credits)}`;
}

const LONGEST = 60;

function quote(line: string): string {
  return line.length > LONGEST ? `“${line.slice(0, LONGEST)}…”` : `“${line}”`;
}

/** What was not understood; how the rest is read the review says. */
export function formatOdd({ lines, odd }: AddressList): string | null {
  if (odd.length === 0 || lines.length < 2) return null;
  return `Not understood: ${odd.map(quote).join(", ")}. Such lines are reported as invalid, free.`;
}
