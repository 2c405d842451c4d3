import type { Draft, DraftChoices } from "../../../../api/types";
import { ORGANISATION_HEADER } from "../../../../lib/client";
import { ApiError, isUnreachable } from "../../../../lib/errors";
import { readOrganisation } from "../../../../lib/rights";
import { getCurrentToken, renewToken } from "../../../../lib/session";

const MAX_BYTES = 10 * 1024 * 1024;
export const FILE_TYPES = [".csv", ".xlsx", ".xls", ".txt"] as const;
const UPLOAD_TIMEOUT_MS = 300_000;
const TIMED_OUT = "UPLOAD_TIMEOUT";
/** A request may be cut before the browser tells that there is no connection. */
const NOTICED_MS = 300;

export const getDraftKey = (uploadId: string) => ["upload", uploadId];

export const MESSAGE_FAILED = "File upload failed. Please try again.";
const MESSAGE_TIMEOUT = "Upload timeout - file is too large or connection is slow. Please try again.";
const MESSAGE_TOO_LARGE = "File is too large. Maximum size is 10MB.";
const MESSAGE_WRONG_TYPE = "Only .csv, .xlsx, .xls and .txt files are supported";

/** Why this file cannot be sent, or null. */
export function getFileRefusal(file: Pick<File, "name" | "size">): string | null {
  const name = file.name.toLowerCase();
  if (!FILE_TYPES.some((type) => name.endsWith(type))) return MESSAGE_WRONG_TYPE;
  return file.size > MAX_BYTES ? MESSAGE_TOO_LARGE : null;
}

/** The text for a failed upload, by the kind of failure. */
export function describeUploadFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return MESSAGE_FAILED;
  if (error.code === TIMED_OUT) return MESSAGE_TIMEOUT;
  if (error.status === 413) return MESSAGE_TOO_LARGE;
  return error.detail || MESSAGE_FAILED;
}

interface UploadOptions {
  /** Says that the file is a typed list. */
  pasted?: boolean;
  /** Whatever is chosen before it is read. */
  choices?: DraftChoices;
  /** Told the share of the body sent, 0 to 1. */
  onProgress?: (share: number) => void;
}

/** What the server understood; null when something on the way answered in its place. */
function parseDraft(text: string): Draft | null {
  try {
    return JSON.parse(text) as Draft | null;
  } catch {
    return null;
  }
}

/** Verdicts of up to so many days are taken over. */
export const REUSE_DAYS = 30;

/** Addresses are taken out of what stands around them, and what is known of them is used again; the review can undo both. */
const AT_FIRST: DraftChoices = { repair: true, reuse_days: REUSE_DAYS };

function buildForm(file: File, { pasted = false, choices = {} }: UploadOptions): FormData {
  const form = new FormData();
  form.append("file", file);
  for (const [name, value] of Object.entries({ ...AT_FIRST, ...choices, pasted })) {
    form.append(name, String(value));
  }
  return form;
}

// fetch cannot report how much of the body has left, XMLHttpRequest can.
function sendFile(file: File, token: string, options: UploadOptions): Promise<Draft> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/validate/upload/inspect");
    request.timeout = UPLOAD_TIMEOUT_MS;
    request.setRequestHeader("Authorization", `Bearer ${token}`);
    const organisation = readOrganisation();
    if (organisation) request.setRequestHeader(ORGANISATION_HEADER, organisation);
    request.upload.onprogress = ({ loaded, total }) => options.onProgress?.(total > 0 ? loaded / total : 0);
    request.ontimeout = () => reject(new ApiError(0, TIMED_OUT, "", null));
    request.onerror = () => reject(ApiError.unreachable());
    request.onabort = request.onerror;
    // A connection that went may leave a request without any word for minutes. What has ended is not aborted.
    addEventListener("offline", () => request.abort(), { once: true });
    request.onload = () => {
      const { status, responseText } = request;
      const draft = status >= 200 && status < 300 ? parseDraft(responseText) : null;
      if (draft) resolve(draft);
      else reject(ApiError.fromBody(status, responseText, request.getResponseHeader("X-Request-Id")));
    };
    request.send(buildForm(file, options));
  });
}

async function sendSignedIn(file: File, options: UploadOptions): Promise<Draft> {
  const token = await getCurrentToken();
  try {
    return await sendFile(file, token, options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    return sendFile(file, await renewToken(token), options);
  }
}

/**
 * Sends the file and answers how it was understood. Without connection it waits, and then sends the file again.
 * @throws ApiError, with code UPLOAD_TIMEOUT after 300 s.
 */
export async function uploadFile(file: File, options: UploadOptions): Promise<Draft> {
  if (!navigator.onLine) await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
  try {
    return await sendSignedIn(file, options);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    if (navigator.onLine) await new Promise((resolve) => setTimeout(resolve, NOTICED_MS));
    if (navigator.onLine) throw error;
    options.onProgress?.(0);
    return uploadFile(file, options);
  }
}
