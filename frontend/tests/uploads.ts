// A stand-in for the network of uploads, which go by XMLHttpRequest.
import { vi } from "vitest";

import type { Draft, Started } from "../src/api/types";
import { draft } from "./data";
import { json, type Handler } from "./server";

export interface Sent {
  address: string;
  timeout: number;
  headers: Record<string, string>;
  form: FormData;
}

/** Replaces XMLHttpRequest; `end` says how each request ends, in turn. */
export function stubUpload(...ends: ((request: FakeRequest) => void)[]): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal(
    "XMLHttpRequest",
    class extends FakeRequest {
      send(form: FormData): void {
        sent.push({ address: this.address, timeout: this.timeout, headers: this.headers, form });
        ends.shift()?.(this);
      }
    },
  );
  return sent;
}

export class FakeRequest {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  ontimeout?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  timeout = 0;
  status = 0;
  responseText = "";
  address = "";
  headers: Record<string, string> = {};

  open(method: string, path: string): void {
    this.address = `${method} ${path}`;
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  abort(): void {
    this.onabort?.();
    this.onloadend?.();
  }

  getResponseHeader(): string {
    return "req-7";
  }

  answer(status: number, body: unknown): void {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload?.();
  }
}

/** The other fields of a form with a file. */
export function getFields({ form }: Sent): Record<string, unknown> {
  return Object.fromEntries([...form].filter(([name]) => name !== "file"));
}

/** A typed list of which nothing is to be decided: one column, all of it as it stands. */
export function typedDraft(change: Partial<Draft> = {}): Draft {
  const column = {
    name: "Column A",
    letter: "A",
    likely: true,
    samples: ["anna@company.com"],
    looks_like_email: 1,
  };
  return draft({
    filename: "",
    pasted: true,
    sheets: [{ name: "", rows: 2, columns: [column] }],
    email_column: "1",
    email_columns: ["1"],
    header_row: 0,
    has_header: false,
    ...change,
  });
}

/** The network takes a typed list; it starts as batch b1 unless it is to be reviewed. */
export function stubTypedList(change: Partial<Draft> = {}): Sent[] {
  return stubUpload((request) => request.answer(200, typedDraft(change)));
}

export const typedStart =
  (status: Started["status"]): Handler =>
  () =>
    json({ batch_id: "b1", held: 2, status }, 202);
