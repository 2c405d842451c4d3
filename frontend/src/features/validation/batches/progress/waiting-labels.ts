// What the rows of a list wait for, in words.
import type { BatchProgress, WaitingFor } from "../../../../api/types";
import { formatAbout, formatClock, formatCount, formatDuration, NO_VALUE } from "../../../../lib/format";

type Reason = WaitingFor["reason"];
type WaitTarget = Pick<WaitingFor, "operator" | "name">;

const isUnnamed = ({ operator }: WaitTarget) => operator === "";

const FOR: Record<Reason, (whom: WaitTarget) => string> = {
  rate: (whom) => (isUnnamed(whom) ? `our limits at ${whom.name}` : `${whom.name}'s limit`),
  session: ({ name }) => `a free connection to ${name}`,
  egress: ({ name }) => `${name} to let our own addresses in again`,
  lookup: () => "their domains to be looked up",
  greylisting: () => "servers that asked us to come back later",
  providers: () => "outside providers",
};

/** Who asked us to come back says when; what our own limits take is a guess. */
const BY_THE_CLOCK: readonly Reason[] = ["greylisting", "providers"];

function getSecondsTo(iso: string, now: Date): number {
  return (Date.parse(iso) - now.getTime()) / 1000;
}

function formatWaitTime({ reason, until }: WaitingFor, now: Date): string {
  const seconds = getSecondsTo(until, now);
  if (seconds <= 0) return "due now";
  return BY_THE_CLOCK.includes(reason) ? `until ${formatClock(until, now)}` : `about ${formatAbout(seconds)}`;
}

/** 412 rows: the subject of what is said of them. */
export function formatWaitingRows(rows: number): string {
  return `${formatCount(rows, "row")} ${rows === 1 ? "waits" : "wait"}`;
}

/** 412 rows wait for Yahoo's limit, about 2 min. */
export function formatWait(line: WaitingFor, now: Date = new Date()): string {
  return `${formatWaitingRows(line.rows)} for ${FOR[line.reason](line)}, ${formatWaitTime(line, now)}`;
}

/** What is read out: it changes only when rows wait for something else, not with every count. */
export function formatAnnouncement(lines: readonly WaitingFor[]): string {
  if (lines.length === 0) return "";
  const what = lines.map((line) => FOR[line.reason](line)).sort();
  return `Rows wait for ${what.join(", for ")}.`;
}

/** The time left as it was answered, and never less than what waits. */
export function getSecondsLeft(
  { seconds_left, waiting_for }: Pick<BatchProgress, "seconds_left" | "waiting_for">,
  now: Date = new Date(),
): number | null {
  if (seconds_left === null) return null;
  return Math.max(seconds_left, ...waiting_for.map(({ until }) => getSecondsTo(until, now)));
}

/** 2 min 5 s; with rows that hosts turned away for now: about 5 min, 120 addresses are asked again at 14:20. */
export function formatTimeLeft(
  progress: Pick<BatchProgress, "seconds_left" | "waiting_for">,
  now: Date = new Date(),
): string {
  const left = getSecondsLeft(progress, now);
  if (left === null) return NO_VALUE;
  const again = progress.waiting_for.find(({ reason }) => reason === "greylisting");
  if (!again) return formatDuration(left);
  const rows = `${formatCount(again.rows, "address", "addresses")} ${again.rows === 1 ? "is" : "are"}`;
  return `about ${formatAbout(left)}, ${rows} asked again at ${formatClock(again.until, now)}`;
}
