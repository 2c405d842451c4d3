import type {
  Batch,
  BatchDetail,
  BatchProgress,
  Credits,
  Draft,
  Estimate,
  Overview,
  Result,
  ResultRow,
  Subscription,
  WaitingFor,
} from "../src/api/types";

export function resultRow(change: Partial<ResultRow> = {}): ResultRow {
  return {
    id: "1",
    row: 1,
    email: "anna@company.com",
    email_checked: change.email ?? "anna@company.com",
    repaired_from: null,
    repairs: [],
    reused: false,
    category: "valid",
    valid: true,
    confidence_score: 0.97,
    safe_to_send: true,
    label: "Safe to send",
    syntax_valid: true,
    domain_valid: true,
    smtp_valid: true,
    disposable: false,
    is_catch_all: false,
    is_spam_trap: null,
    free_email: false,
    validation_type: "comprehensive",
    checks: "full",
    reason: "mailbox_exists",
    created_at: "2025-03-01T10:00:00Z",
    validated_at: "2025-03-01T10:00:00Z",
    rechecked_at: null,
    details: { domain: "company.com", category_reason: "The mail server accepted the mailbox." },
    ...change,
  };
}

export function result(change: Partial<Result> = {}): Result {
  return {
    ...resultRow(change.email === undefined ? {} : { email: change.email }),
    did_you_mean: null,
    found_addresses: [],
    found_count: 0,
    flags: [],
    sentence: "The mail server accepted the mailbox.",
    evidence: [
      { check: "syntax", outcome: "pass", detail: "usable", source: "rule", time_ms: 0.1, expires_at: null },
      {
        check: "mailbox",
        outcome: "pass",
        detail: "250 2.1.5 OK",
        source: "SMTP RCPT",
        time_ms: 84,
        expires_at: null,
      },
    ],
    transcript: ["S: 220 mx.company.com ESMTP", "C: RCPT TO:<anna@company.com>", "S: 250 2.1.5 OK"],
    mx_records: ["mx.company.com"],
    credits_used: 1,
    retry_after: null,
    validation_provider: "emailcheck",
    shared_with: [],
    ...change,
  };
}

export function batch(change: Partial<Batch> = {}): Batch {
  return {
    batch_id: "b1",
    batch_type: "file_upload",
    filename: "list.csv",
    total_emails: 10,
    processed: 10,
    progress_percentage: 100,
    status: "completed",
    private: false,
    valid_count: 5,
    invalid_count: 2,
    unknown_count: 1,
    catch_all_count: 1,
    disposable_count: 1,
    spam_trap_count: 0,
    safe_to_send_count: 6,
    risky_count: 1,
    duplicates_removed: 3,
    repaired_count: 0,
    reused_count: 0,
    credits_used: 9,
    checks: "full",
    created_at: "2025-03-01T10:00:00Z",
    completed_at: "2025-03-01T10:01:00Z",
    rechecked_at: null,
    expires_at: "2026-03-01T10:01:00Z",
    expired_at: null,
    error: null,
    ...change,
  };
}

/** A list as its own page asks for it. */
export function batchDetail(change: Partial<BatchDetail> = {}): BatchDetail {
  return {
    ...batch(),
    email_columns: [1],
    overfull: [],
    role_count: 2,
    typo_count: 0,
    may_share: true,
    not_in_plan_count: 0,
    in_full_cost: null,
    checking_in_full: false,
    rest: null,
    emails: [],
    next_cursor: null,
    ...change,
  };
}

export function progress(change: Partial<BatchProgress> = {}): BatchProgress {
  return {
    batch_id: "b1",
    filename: "list.csv",
    status: "processing",
    progress_percentage: 40,
    total_emails: 10,
    processed: 4,
    valid_count: 3,
    invalid_count: 1,
    unknown_count: 0,
    catch_all_count: 0,
    disposable_count: 0,
    spam_trap_count: 0,
    safe_to_send_count: 3,
    risky_count: 0,
    rate: 2,
    seconds_left: 3,
    waiting: 0,
    waiting_until: null,
    waiting_for: [],
    checks: "full",
    rechecking: false,
    checking_in_full: false,
    latest_replies: [],
    error: null,
    ...change,
  };
}

export function historyPage(change: { batches?: Batch[]; individual_validations?: ResultRow[] } = {}) {
  const { batches = [], individual_validations = [] } = change;
  return {
    batches,
    batches_total: batches.length,
    batches_next: null,
    individual_validations,
    individual_total: individual_validations.length,
    individual_total_is_least: false,
    individual_next: null,
    validations: [],
    total: individual_validations.length,
    total_is_least: false,
  };
}

export function listAnswer(change: Record<string, unknown> = {}) {
  return {
    batch_id: "b1",
    status: "completed",
    filename: null,
    processed: 2,
    total_emails: 2,
    valid_count: 1,
    invalid_count: 1,
    unknown_count: 0,
    catch_all_count: 0,
    disposable_count: 0,
    spam_trap_count: 0,
    safe_to_send_count: 1,
    risky_count: 0,
    duplicates_removed: 0,
    credits_used: 2,
    checks: "full",
    results: [
      resultRow(),
      resultRow({
        id: "2",
        row: 2,
        email: "gone@company.com",
        category: "invalid",
        valid: false,
        confidence_score: 0,
      }),
    ],
    ...change,
  };
}

export function draft(change: Partial<Draft> = {}): Draft {
  return {
    upload_id: "upl_1",
    filename: "list.csv",
    pasted: false,
    expires_at: "2025-03-02T10:00:00Z",
    type: "csv",
    sheets: [
      {
        name: "",
        rows: 12,
        columns: [
          { name: "Name", letter: "A", likely: false, samples: ["Anna", "Gone"], looks_like_email: 0 },
          {
            name: "Email",
            letter: "B",
            likely: true,
            samples: ["anna@company.com", "gone@company.com"],
            looks_like_email: 0.955,
          },
        ],
      },
    ],
    sheet: "",
    email_column: "2",
    email_columns: ["2"],
    has_header: true,
    header_row: 1,
    encoding: "utf-8",
    delimiter: ",",
    chosen: [],
    rows: 12,
    unique: 9,
    duplicates: 2,
    blank: 1,
    bad_syntax: 1,
    columns_found: [{ column: "2", name: "Email", letter: "B", addresses: 11 }],
    repair: true,
    undo_repairs: [],
    undo_kinds: [],
    use_suggestions: false,
    suggestion_rows: [],
    undo_suggestions: [],
    repaired_count: 0,
    repair_kinds: [],
    suggestions_count: 0,
    suggestions_used: 0,
    overfull: [],
    overfull_count: 0,
    left_out: 0,
    reuse_days: 30,
    known: null,
    sample: { offered: false, reason: "", running: false, result: null },
    cost: 8,
    credits: 100,
    unknown_costs: "Full checks: unknown is free.",
    checks: "full",
    welcome_credits: 0,
    max_credits: null,
    retention_days: null,
    use_providers: null,
    providers: [],
    estimate: null,
    ...change,
  };
}

export function overview(change: Partial<Overview> = {}): Overview {
  return {
    total_validations: 21,
    success_rate: 52.4,
    monthly_usage: 19,
    monthly_limit: 10_000,
    usage_percentage: 0.2,
    credits: 49_981,
    subscription_plan: "growth",
    recent_validations: [resultRow()],
    category_breakdown: { valid: 11, invalid: 4, unknown: 2, catch_all: 2, disposable: 2, spam_trap: 0 },
    ...change,
  };
}

export function subscription(change: Partial<Subscription> = {}): Subscription {
  return {
    subscription_plan: "growth",
    credits: 60_000,
    subscription_status: "active",
    payment_method: null,
    last_payment_date: null,
    last_payment: null,
    next_billing_date: null,
    monthly_usage: 19,
    trial_status: null,
    can_pause: false,
    pause_ends_at: null,
    billing_cycle: "monthly",
    trial_ends_at: null,
    cancel_at: null,
    monthly_limit: 10_000,
    scheduled_plan: null,
    scheduled_cycle: null,
    scheduled_at: null,
    plan_credits: 10_000,
    pack_credits: 50_000,
    unknown_costs: "Full checks: unknown is free.",
    ...change,
  };
}

/** The credits of an account on Free after its first month. */
export function credits(change: Partial<Credits> = {}): Credits {
  return {
    credits: 100,
    plan_credits: 100,
    pack_credits: 0,
    held: 0,
    monthly_usage: 0,
    monthly_limit: 100,
    subscription_plan: "free",
    resets_at: "2026-02-10T08:00:00Z",
    welcome_credits: 0,
    welcome_ends_at: null,
    checks: "basic",
    lots: [],
    frozen_lots: [],
    ...change,
  };
}

/** A free account that has not tried the trial. */
export function freeSubscription(change: Partial<Subscription> = {}): Subscription {
  return subscription({
    subscription_plan: "free",
    billing_cycle: null,
    credits: 100,
    plan_credits: 100,
    pack_credits: 0,
    monthly_limit: 100,
    unknown_costs: "Basic checks cost, unknown too.",
    ...change,
  });
}

export function waitingFor(change: Partial<WaitingFor> = {}): WaitingFor {
  return {
    operator: "yahoo",
    name: "Yahoo",
    reason: "rate",
    rows: 412,
    until: "2025-03-01T10:02:00Z",
    ...change,
  };
}

/** A list with 110,000 addresses at Yahoo and 250,000 at Google. */
export function estimate(change: Partial<Estimate> = {}): Estimate {
  return {
    seconds: 5520,
    over_a_day: false,
    operators: [
      { operator: "yahoo", name: "Yahoo", rows: 110_000, per_minute: 1200, seconds: 5500 },
      { operator: "google", name: "Google", rows: 250_000, per_minute: 6000, seconds: 2500 },
    ],
    ...change,
  };
}
