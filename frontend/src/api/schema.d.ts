export interface paths {
  "/api/auth/login": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    post: operations["login"];
    get?: never;
  };
  "/api/auth/refresh": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    post: operations["refresh"];
    get?: never;
  };
  "/api/auth/logout": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    post: operations["logout"];
    get?: never;
  };
  "/api/auth/me": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations["me"];
    post?: never;
  };
  "/api/credits": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations["credits"];
    post?: never;
  };
  "/api/validate/single": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    post: operations["validate_single"];
    get?: never;
  };
  "/api/validate/bulk": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    post: operations["validate_bulk"];
    get?: never;
  };
  "/api/validate/batches": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations["history"];
    post?: never;
  };
  "/api/validate/batch/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations["batch"];
    post?: never;
  };
  "/api/validate/batch/{id}/status": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations["batch_status"];
    post?: never;
  };
  "/api/validate/batch/{id}/results": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations["batch_results"];
    post?: never;
  };
  "/api/validate/result/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations["result"];
    post?: never;
  };
}
export interface components {
  schemas: {
    CategoryEnum: "valid" | "invalid" | "unknown" | "catch_all" | "disposable" | "spam_trap";
    BatchStatusEnum: "queued" | "processing" | "completed" | "failed" | "paused" | "cancelled";
    BatchTypeEnum: "file_upload" | "bulk_textarea";
    User: {
      id: number;
      email: string;
      name: string;
      role: string;
      status: string;
      subscription_plan: string;
      credits: number;
      monthly_usage: number;
      created_at: string;
      is_staff: boolean;
      picture: string | null;
    };
    LoginAnswer: {
      user: components["schemas"]["User"];
      token: string;
      expires_in: number;
    };
    TokenAnswer: {
      token: string;
      expires_in: number;
    };
    ResultRow: {
      id: number;
      row: number | null;
      email: string;
      category: components["schemas"]["CategoryEnum"];
      is_valid: boolean;
      valid: boolean;
      confidence_score: number;
      safe_to_send: boolean;
      label: string;
      syntax_valid: boolean | null;
      domain_valid: boolean | null;
      smtp_valid: boolean | null;
      is_disposable: boolean | null;
      disposable: boolean | null;
      is_catch_all: boolean | null;
      is_spam_trap: boolean | null;
      free_email: boolean | null;
      validation_type: string;
      reason: string;
      created_at: string;
      validated_at: string;
      details: { domain: string | null; category_reason: string };
    };
    Evidence: {
      check: string;
      outcome: "pass" | "fail" | "warn" | "unknown" | "skipped";
      detail: string;
      source: string;
      time_ms: number | null;
      expires_at: string | number | null;
    };
    Result: {
      id: number;
      row: number | null;
      email: string;
      category: components["schemas"]["CategoryEnum"];
      is_valid: boolean;
      valid: boolean;
      confidence_score: number;
      safe_to_send: boolean;
      label: string;
      syntax_valid: boolean | null;
      domain_valid: boolean | null;
      smtp_valid: boolean | null;
      is_disposable: boolean | null;
      disposable: boolean | null;
      is_catch_all: boolean | null;
      is_spam_trap: boolean | null;
      free_email: boolean | null;
      validation_type: string;
      reason: string;
      created_at: string;
      validated_at: string;
      details: { domain: string | null; category_reason: string };
      did_you_mean: string | null;
      flags: string[];
      sentence: string;
      evidence: components["schemas"]["Evidence"][];
      transcript: string[];
      mx_records: string[];
      credits_used: number;
      validation_provider: string;
      shared_with: string[];
    };
    Batch: {
      id: string;
      batch_type: components["schemas"]["BatchTypeEnum"];
      filename: string | null;
      total_emails: number;
      processed_emails: number;
      progress_percentage: number;
      processing_status: components["schemas"]["BatchStatusEnum"];
      valid_count: number;
      invalid_count: number;
      unknown_count: number;
      catch_all_count: number;
      disposable_count: number;
      spam_trap_count: number;
      safe_to_send_count: number;
      risky_count: number;
      duplicates_removed: number;
      credits_used: number;
      created_at: string;
      completed_at: string | null;
      error: string | null;
    };
    Bulk: {
      batch_id: string;
      status: string;
      total_processed: number;
      total_emails: number;
      valid_count: number;
      invalid_count: number;
      unknown_count: number;
      catch_all_count: number;
      disposable_count: number;
      spam_trap_count: number;
      safe_to_send_count: number;
      risky_count: number;
      duplicates_removed: number;
      credits_used: number;
      results: components["schemas"]["ResultRow"][];
    };
    BatchAccepted: {
      batch_id: string;
      status: string;
      total_emails: number;
      duplicates_removed: number;
      filename: string | null;
    };
    BatchProgress: {
      batch_id: string;
      status: components["schemas"]["BatchStatusEnum"];
      processing_status: components["schemas"]["BatchStatusEnum"];
      progress_percentage: number;
      total_emails: number;
      processed_emails: number;
      valid_count: number;
      invalid_count: number;
      unknown_count: number;
      catch_all_count: number;
      disposable_count: number;
      spam_trap_count: number;
      rate: number | null;
      seconds_left: number | null;
      error: string | null;
    };
    Credits: {
      credits: number;
      held: number;
      monthly_usage: number;
      subscription_plan: string;
      lots: { kind: string; remaining: number; expires_at: string | null }[];
    };
    History: {
      batches: components["schemas"]["Batch"][];
      individual_validations: components["schemas"]["ResultRow"][];
      validations: { id: number; email: string; valid: boolean; validated_at: string }[];
      total: number;
      page: number;
      batches_total: number;
      batches_next: string | number | null;
      individual_total: number;
      individual_next: string | number | null;
    };
  };
}
export interface operations {
  login: {
    parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never };
    requestBody: { content: { "application/json": { email: string; password: string } } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["LoginAnswer"] };
      };
    };
  };
  refresh: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["TokenAnswer"] };
      };
    };
  };
  logout: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: { headers: { [name: string]: unknown }; content: { "application/json": { message: string } } };
    };
  };
  me: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["User"] };
      };
    };
  };
  credits: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["Credits"] };
      };
    };
  };
  validate_single: {
    parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never };
    requestBody: { content: { "application/json": { email: string } } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["Result"] };
      };
    };
  };
  validate_bulk: {
    parameters: { query?: never; header?: { "Idempotency-Key"?: string }; path?: never; cookie?: never };
    requestBody: { content: { "application/json": { emails: string[] } } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["Bulk"] };
      };
      202: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["BatchAccepted"] };
      };
    };
  };
  history: {
    parameters: {
      query?: {
        page?: number;
        page_size?: number;
        search?: string;
        category?: components["schemas"]["CategoryEnum"];
        active?: boolean;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["History"] };
      };
    };
  };
  batch: {
    parameters: {
      query?: { page?: number; page_size?: number };
      header?: never;
      path: { id: string };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          "application/json": components["schemas"]["Batch"] & {
            emails: components["schemas"]["ResultRow"][];
            page: number;
            page_size: number;
            total: number;
            next: number | null;
          };
        };
      };
    };
  };
  batch_status: {
    parameters: { query?: never; header?: never; path: { id: string }; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["BatchProgress"] };
      };
    };
  };
  batch_results: {
    parameters: {
      query?: {
        cursor?: string;
        category?: components["schemas"]["CategoryEnum"];
        search?: string;
        sort?: string;
        page_size?: number;
      };
      header?: never;
      path: { id: string };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: {
          "application/json": {
            results: components["schemas"]["ResultRow"][];
            total: number;
            next: string | null;
          };
        };
      };
    };
  };
  result: {
    parameters: { query?: never; header?: never; path: { id: number }; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["Result"] };
      };
    };
  };
}
