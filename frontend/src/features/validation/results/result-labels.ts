// What a result says, in words.
import type { Batch, Evidence, Finding } from "../../../api/types";
import { toSentenceCase } from "../../../lib/labels";
import type { TermName } from "../../../lib/terms";

const REASON_WORDS: Partial<Record<string, string>> = {
  mailbox_exists: "Mailbox exists",
  syntax: "Not a usable address",
  no_domain: "Domain does not exist",
  no_mail_host: "Domain has no mail server",
  null_mx: "Domain refuses all mail",
  bogus_mx: "Mail server address is unusable",
  mailbox_not_found: "No such mailbox",
  mailbox_disabled: "Mailbox is disabled",
  mailbox_full: "Mailbox is full",
  domain_not_hosted: "Server does not host the domain",
  smtputf8_required: "Server cannot take international addresses",
  accepts_all: "Server accepts every address",
  disposable_domain: "Throw-away address",
  known_trap: "Known spam trap",
  dns_error: "Domain could not be looked up",
  connect_failed: "Mail server could not be reached",
  timeout: "Mail server did not answer in time",
  greylisted: "Server asks to come back later",
  blocked: "Server refuses our checks",
  rate_limited: "Server limits our checks",
  temporary: "Temporary server problem",
  protocol_error: "Server answered out of protocol",
  not_probed: "Mailbox was not asked",
  not_asked: "Not asked yet: our own limit",
  not_in_plan: "Not included in your plan",
  test_address: "Test address: nobody was asked",
};

export function formatReason(reason: string): string {
  return REASON_WORDS[reason] ?? toSentenceCase(reason);
}

const FLAG_WORDS: Partial<Record<string, string>> = {
  role: "Role address",
  free: "Free mail provider",
  relay: "Relay or alias",
  subaddressed: "Has a +tag",
  quoted: "Quoted local part",
  disputed: "Sources disagree",
};

export function formatFlag(flag: string): string {
  return FLAG_WORDS[flag] ?? toSentenceCase(flag);
}

const CHECKS_WORDS: Record<Batch["checks"], string> = { full: "Full checks", basic: "Basic checks" };

/** Which checks a result or a list has had. */
export function formatChecks({ checks }: Pick<Batch, "checks">): string {
  return CHECKS_WORDS[checks];
}

type CheckState = Evidence["outcome"];

interface TechnicalCheck {
  /** What explains it. */
  term: TermName;
  name: string;
  state: CheckState;
  words: string;
}

const NOT_CHECKED = "Not checked";
const NOT_INCLUDED = "Not included in your plan";

function checkPositive(
  term: TermName,
  name: string,
  value: boolean | null,
  yes: string,
  no: string,
  unchecked = NOT_CHECKED,
): TechnicalCheck {
  if (value === null) return { term, name, state: "skipped", words: unchecked };
  return value ? { term, name, state: "pass", words: yes } : { term, name, state: "fail", words: no };
}

function checkNegative(
  term: TermName,
  name: string,
  value: boolean | null,
  bad: CheckState,
  unchecked = NOT_CHECKED,
): TechnicalCheck {
  if (value === null) return { term, name, state: "skipped", words: unchecked };
  return value ? { term, name, state: bad, words: "Yes" } : { term, name, state: "pass", words: "No" };
}

/** Whether checks were left out because the plan does not include them. */
export function hasGatedChecks({
  checks,
  syntax_valid,
  smtp_valid,
  disposable,
  is_catch_all,
}: Finding): boolean {
  return checks === "basic" && syntax_valid && [smtp_valid, disposable, is_catch_all].includes(null);
}

/** The six technical checks of a result. What was not checked says so, and why. */
export function listTechnicalChecks(row: Finding): TechnicalCheck[] {
  const unchecked = hasGatedChecks(row) ? NOT_INCLUDED : NOT_CHECKED;
  return [
    checkPositive("syntax", "Syntax", row.syntax_valid, "Correct", "Not usable"),
    checkPositive("domain", "Domain", row.domain_valid, "Takes mail", "Takes no mail"),
    checkPositive("mailbox", "Mailbox (SMTP)", row.smtp_valid, "Accepted", "Refused", unchecked),
    checkNegative("disposable", "Disposable", row.disposable, "fail", unchecked),
    checkNegative("catch_all", "Catch-all", row.is_catch_all, "warn", unchecked),
    checkNegative(
      "spam_trap",
      "Spam trap",
      row.is_spam_trap,
      "fail",
      `${NOT_CHECKED}: no trap list is configured`,
    ),
  ];
}
