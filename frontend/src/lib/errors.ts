/** The one error of the API client. `status` 0 means that no answer came at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly requestId: string | null,
    /** The whole answer, for what one call says beyond the common shape. */
    readonly body: Readonly<ErrorBody> = {},
  ) {
    super(detail || code || `HTTP ${status}`);
    this.name = "ApiError";
  }

  static async from(response: Response): Promise<ApiError> {
    return ApiError.fromBody(response.status, await response.text(), response.headers.get("X-Request-Id"));
  }

  /** @param body text of the answer: our error shape, or anything a proxy on the way has put there. */
  static fromBody(status: number, body: string, requestId: string | null): ApiError {
    const parsed = parseBody(body);
    const { code = "", detail = "", request_id } = parsed;
    return new ApiError(status, code, detail, request_id ?? requestId, parsed);
  }

  static unreachable(): ApiError {
    return new ApiError(0, "NETWORK", "", null);
  }
}

interface ErrorBody {
  code?: string;
  detail?: string;
  request_id?: string;
  details?: { field?: string | null } | null;
  /** Of a sign-in that needs a second factor. */
  mfa_token?: string;
  /** Of a sign-in with a password that somebody else chose. */
  reset_token?: string;
  /** Where to reset the password, after too many wrong ones. */
  reset_link?: string;
  /** Of a return from Google that does not prove the address. */
  email?: string;
}

function parseBody(body: string): ErrorBody {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** What to tell the user: the server's detail, else the text that belongs to the action. */
export function getErrorMessage(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.detail !== "" ? error.detail : fallback;
}

/** No answer came at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** The server looked at what was asked and said no: asking again later is answered the same. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** The refusal with this code, or null. */
export function getRefusal(error: unknown, code: string): ApiError | null {
  return error instanceof ApiError && error.code === code ? error : null;
}

/** 401 or 403: who asks is not let in. */
export function isDenied(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

export function getRequestId(error: unknown): string | null {
  return error instanceof ApiError ? error.requestId : null;
}
