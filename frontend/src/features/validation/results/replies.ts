// How far the question about an address got, and the answer that decided: from the evidence of a result.
import type { Evidence, Finding, Result } from "../../../api/types";
import { STOP_NAMES, type Stop, type StopState } from "../../../ui/trace";

type Asked = Pick<Result, "evidence" | "category">;

const OUTCOME_STATES: Record<Evidence["outcome"], StopState> = {
  pass: "yes",
  warn: "yes",
  fail: "refused",
  unknown: "silent",
  skipped: "unasked",
};

/** The checks behind each stop. */
const CHECKS_OF_STOP: Record<(typeof STOP_NAMES)[number], readonly string[]> = {
  Syntax: ["syntax"],
  Domain: ["domain"],
  "Mail host": ["mail_hosts", "mail_host_address", "smtp_connection"],
  TLS: ["smtp_encryption"],
  Sender: ["smtp_sender"],
  Mailbox: ["mailbox"],
};

/** What several checks come to: a refusal counts before silence, and silence before what was left out. */
function joinStates(states: readonly StopState[]): StopState {
  return (["refused", "silent", "unasked"] as const).find((state) => states.includes(state)) ?? "yes";
}

/** The six stops of a result with its evidence. */
export function listStops({ evidence, category }: Asked): Stop[] {
  return STOP_NAMES.map((name) => {
    const checks = evidence.filter(({ check }) => CHECKS_OF_STOP[name].includes(check));
    const state =
      checks.length > 0 ? joinStates(checks.map(({ outcome }) => OUTCOME_STATES[outcome])) : "unasked";
    const ms = checks.reduce((sum, { time_ms }) => sum + (time_ms ?? 0), 0);
    const timed = checks.some(({ time_ms }) => time_ms !== null) && state !== "unasked";
    return {
      name,
      state: name === "Mailbox" && state === "yes" && category === "catch_all" ? "all" : state,
      ms: timed ? ms : null,
    };
  });
}

const NO_HOST = ["no_mail_host", "null_mx", "bogus_mx"];
const HOST_SILENT = ["connect_failed", "timeout"];
const MAILBOX_SILENT = [
  "greylisted",
  "blocked",
  "rate_limited",
  "temporary",
  "protocol_error",
  "mailbox_full",
  "smtputf8_required",
];
const NOT_REACHED: readonly StopState[] = ["unasked", "unasked"];

/** How the question ended at the mail host and at the mailbox, as far as the row of a table knows. */
function readEnd(row: Finding): readonly StopState[] {
  if (NO_HOST.includes(row.reason)) return ["refused", "unasked"];
  if (row.smtp_valid !== null)
    return ["yes", row.smtp_valid ? (row.is_catch_all ? "all" : "yes") : "refused"];
  if (HOST_SILENT.includes(row.reason)) return ["silent", "unasked"];
  return MAILBOX_SILENT.includes(row.reason) ? ["yes", "silent"] : NOT_REACHED;
}

/** The stops that the row of a table knows of: encryption and sender stand in the evidence alone. */
export function listStopsOfRow(row: Finding): Stop[] {
  const names = ["Syntax", "Domain", "Mail host", "Mailbox"];
  const domain =
    row.domain_valid === null
      ? "silent"
      : row.domain_valid || NO_HOST.includes(row.reason)
        ? "yes"
        : "refused";
  const states: readonly StopState[] = !row.syntax_valid
    ? ["refused", "unasked", "unasked", "unasked"]
    : ["yes", domain, ...(domain === "yes" ? readEnd(row) : NOT_REACHED)];
  return names.map((name, index) => ({ name, state: states[index] ?? "unasked" }));
}

export interface DecidingReply {
  words: string;
  /** How long it took, in milliseconds. */
  ms: number | null;
}

function getDetail(evidence: readonly Evidence[], name: string): Evidence | undefined {
  return evidence.find(({ check }) => check === name);
}

/** Whether this is what a server said: a reply of SMTP begins with its code (RFC 5321 section 4.2). */
function isReply(text: string): boolean {
  return /^[2-5]\d\d[ -]/.test(text);
}

/** What was answered to the made-up recipient, where one was asked for last. */
function findRandomReply(transcript: readonly string[]): DecidingReply | null {
  if (!transcript.at(-2)?.includes("(random)")) return null;
  return { words: transcript.at(-1)?.replace(/^S: ?/, "") ?? "", ms: null };
}

function readReply(check: Evidence | undefined): DecidingReply | null {
  return check ? { words: check.detail, ms: check.time_ms } : null;
}

/** The server's answer that decided; null where none did: another check ruled, or nobody answered. */
export function findDecidingReply(result: Asked & Pick<Result, "transcript">): DecidingReply | null {
  const { evidence, category, transcript } = result;
  const undecidedSender = evidence.find(
    ({ check, outcome }) => check === "smtp_sender" && outcome === "unknown",
  );
  const replies = [
    category === "catch_all" ? findRandomReply(transcript) : null,
    readReply(getDetail(evidence, "mailbox")),
    readReply(undecidedSender),
  ];
  return replies.find((reply) => reply !== null && isReply(reply.words)) ?? null;
}

/** The mail server that answered: named by the evidence, else the first choice of the domain. */
export function findHost({ evidence, mx_records }: Pick<Result, "evidence" | "mx_records">): string {
  const address = getDetail(evidence, "mail_host_address")?.detail ?? "";
  return /^(\S+) is \S+$/.exec(address)?.[1] ?? mx_records[0] ?? "The mail server";
}

const WEIGHTS: readonly Evidence["outcome"][] = ["fail", "warn", "unknown", "pass", "skipped"];

/** The checks, what speaks against an address first. */
export function sortByWeight(evidence: readonly Evidence[]): Evidence[] {
  return evidence.toSorted((a, b) => WEIGHTS.indexOf(a.outcome) - WEIGHTS.indexOf(b.outcome));
}
