/** The one error of the API client. `status` 0 means that no answer came at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly requestId: string | null,
  ) {
    super(detail || code || `HTTP ${status}`);
    this.name = "ApiError";
  }

  static async from(response: Response): Promise<ApiError> {
    return ApiError.fromBody(response.status, await response.text(), response.headers.get("X-Request-Id"));
  }

  /** @param body text of the answer: our error shape, or anything a proxy on the way has put there. */
  static fromBody(status: number, body: string, requestId: string | null): ApiError {
    const { code = "", detail = "", request_id } = parse(body);
    return new ApiError(status, code, detail, request_id ?? requestId);
  }

  static unreachable(): ApiError {
    return new ApiError(0, "NETWORK", "", null);
  }
}

interface ErrorBody {
  code?: string;
  detail?: string;
  request_id?: string;
}

function parse(body: string): ErrorBody {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** What to tell the user: the server's detail, else the text that belongs to the action. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.detail !== "" ? error.detail : fallback;
}

/** No answer came at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError ? error.requestId : null;
}
