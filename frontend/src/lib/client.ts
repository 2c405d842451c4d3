import createClient from "openapi-fetch";

import type { paths } from "../api/types";
import { ApiError } from "./errors";
import { readOrganisation } from "./rights";
import { getCurrentToken, renewToken } from "./session";

/** Has the user prove once more who it is; answers whether that was done. */
let confirmOwner = (): Promise<boolean> => Promise.resolve(false);

/** The client shows nothing itself: what asks the user is given to it here. */
export function setOwnerConfirmation(ask: () => Promise<boolean>): void {
  confirmOwner = ask;
}

/** The organisation that this page is about, so that tabs of two organisations never mix. */
export const ORGANISATION_HEADER = "X-Organisation";

/** Tells somebody that they no longer belong to the organisation of the page. */
let showLost = (): void => undefined;

/** The client shows nothing itself: who tells of a lost organisation is given to it here. */
export function setLostOrganisation(show: () => void): void {
  showLost = show;
}

function isOrganisationLost({ status, detail }: ApiError): boolean {
  return status === 404 && detail === "Organisation not found";
}

async function sendWithToken(request: Request, token: string): Promise<Response> {
  const attempt = request.clone();
  attempt.headers.set("Authorization", `Bearer ${token}`);
  const organisation = readOrganisation();
  if (organisation) attempt.headers.set(ORGANISATION_HEADER, organisation);
  return fetch(attempt).catch(() => {
    throw ApiError.unreachable();
  });
}

/**
 * fetch with the stored token; a 401 is answered by one renewal and one more try. What asks who is there once more is
 * repeated when the user has confirmed it. Throws ApiError for every refusal.
 */
export async function fetchAuthorised(request: Request): Promise<Response> {
  const token = await getCurrentToken();
  let response = await sendWithToken(request, token);
  if (response.status === 401) response = await sendWithToken(request, await renewToken(token));
  if (response.ok) return response;
  const error = await ApiError.from(response);
  if (readOrganisation() && isOrganisationLost(error)) showLost();
  if (error.code !== "REAUTH_REQUIRED" || !(await confirmOwner())) throw error;
  return fetchAuthorised(request);
}

async function fetchOpenly(request: Request): Promise<Response> {
  const response = await fetch(request).catch(() => {
    throw ApiError.unreachable();
  });
  if (!response.ok) throw await ApiError.from(response);
  return response;
}

/** The typed client of the calls that need no sign-in; it sends no token. */
export const openApi = createClient<paths>({ baseUrl: location.origin, fetch: fetchOpenly });

/** The typed client. Answers that are not 2xx throw, so `data` is always there: read it through `readData`. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: fetchAuthorised });

/** A DELETE that carries a confirmation; the description of the API, and so the typed client, has no body for it. */
export async function deleteWithBody(path: keyof paths, body: object): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const request = { method: "DELETE", headers, body: JSON.stringify(body) };
  await fetchAuthorised(new Request(new URL(path, location.origin), request));
}

export async function readData<T>(answer: Promise<{ data?: T }>): Promise<T> {
  const { data } = await answer;
  if (data === undefined) throw new ApiError(0, "EMPTY_ANSWER", "", null);
  return data;
}

/** For calls that cost money or credits: a call that is repeated on its way is answered, and charged, once. */
export function withIdempotencyKey(key = createIdempotencyKey()): {
  headers: Record<"Idempotency-Key", string>;
} {
  return { headers: { "Idempotency-Key": key } };
}

/** A key under which the server answers a repeated call as it did the first time. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
