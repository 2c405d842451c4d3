// A stand-in for the network: answers by method and path, and remembers what was asked.
import { vi } from "vitest";

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: string;
  keepalive: boolean;
}

export type Handler = (call: Call) => Response | Promise<Response>;

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

export function refusal(status: number, code: string, detail: string): Response {
  return json({ detail, code, request_id: "req-7" }, status);
}

/** What many pages ask beside their subject; neither told to a test nor in need of a handler. */
const ASIDE: Record<string, Handler> = {
  "GET /api/payments/pending": () => json({ payments: [] }),
  "GET /api/organisation/downloads": () =>
    json({ viewers_may_download: true, may_download: true, is_shared: false }),
};

/** Puts the handlers behind `fetch`; a call that has none fails the test. */
export function serve(handlers: Record<string, Handler>): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    const request = new Request(typeof input === "string" ? new URL(input, location.origin) : input, init);
    const url = new URL(request.url);
    const call = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await request.text(),
      keepalive: request.keepalive,
    };
    const name = `${call.method} ${call.path}`;
    const aside = handlers[name] ? undefined : ASIDE[name];
    if (aside) return aside(call);
    calls.push(call);
    const handler = handlers[name];
    if (!handler) throw new TypeError(`no handler for ${name}`);
    return handler(call);
  });
  return calls;
}
