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
  "/api/validate/batch/{batch_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations["batch"];
    post?: never;
  };
  "/api/validate/batch/{batch_id}/status": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations["batch_status"];
    post?: never;
  };
  "/api/validate/batch/{batch_id}/results": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations["batch_results"];
    post?: never;
  };
  "/api/validate/result/{result_id}": {
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
    Account: {
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
      user: components["schemas"]["Account"];
      token: string;
      expires_in: number;
    };
    Token: {
      token: string;
      expires_in: number;
    };
    ResultRow: {
      id: number;
      row: number;
      email: string;
      category: components["schemas"]["CategoryEnum"];
      is_valid: boolean;
      valid: boolean;
      confidence_score: number;
      safe_to_send: boolean;
      label: "Safe to send" | "Risky to send" | "Do not send";
      syntax_valid: boolean;
      domain_valid: boolean | null;
      smtp_valid: boolean | null;
      is_disposable: boolean | null;
      disposable: boolean | null;
      is_catch_all: boolean | null;
      is_spam_trap: boolean | null;
      free_email: boolean;
      validation_type: string;
      reason: string;
      created_at: string;
      validated_at: string;
      details: { domain: string | null; category_reason: string };
    };
    Check: {
      check: string;
      outcome: "pass" | "fail" | "warn" | "unknown" | "skipped";
      detail: string;
      source: string;
      time_ms: number | null;
      expires_at: number | null;
    };
    Result: {
      id: number;
      row: number;
      email: string;
      category: components["schemas"]["CategoryEnum"];
      is_valid: boolean;
      valid: boolean;
      confidence_score: number;
      safe_to_send: boolean;
      label: "Safe to send" | "Risky to send" | "Do not send";
      syntax_valid: boolean;
      domain_valid: boolean | null;
      smtp_valid: boolean | null;
      is_disposable: boolean | null;
      disposable: boolean | null;
      is_catch_all: boolean | null;
      is_spam_trap: boolean | null;
      free_email: boolean;
      validation_type: string;
      reason: string;
      created_at: string;
      validated_at: string;
      details: { domain: string | null; category_reason: string };
      did_you_mean: string | null;
      flags: string[];
      sentence: string;
      evidence: components["schemas"]["Check"][];
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
    ListAnswer: {
      batch_id: string;
      status: components["schemas"]["BatchStatusEnum"];
      filename: string | null;
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
    BatchStatus: {
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
    BatchDetail: components["schemas"]["Batch"] & {
      emails: components["schemas"]["ResultRow"][];
      page: number;
      page_size: number;
      total: number;
      next: number | null;
    };
    ResultsPage: { results: components["schemas"]["ResultRow"][]; total: number; next: string | null };
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
      batches_next: string | null;
      individual_total: number;
      individual_next: string | null;
    };
  };
}
export interface operations {
  login: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
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
        content: { "application/json": components["schemas"]["Token"] };
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
        content: { "application/json": components["schemas"]["Account"] };
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
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { "application/json": { email: string } } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["Result"] };
      };
    };
  };
  validate_bulk: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: { content: { "application/json": { emails: string[] } } };
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["ListAnswer"] };
      };
      202: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["ListAnswer"] };
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
        batches_cursor?: string;
        individual_cursor?: string;
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
      path: { batch_id: string };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["BatchDetail"] };
      };
    };
  };
  batch_status: {
    parameters: { query?: never; header?: never; path: { batch_id: string }; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["BatchStatus"] };
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
      path: { batch_id: string };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["ResultsPage"] };
      };
    };
  };
  result: {
    parameters: { query?: never; header?: never; path: { result_id: number }; cookie?: never };
    requestBody?: never;
    responses: {
      200: {
        headers: { [name: string]: unknown };
        content: { "application/json": components["schemas"]["Result"] };
      };
    };
  };
}
