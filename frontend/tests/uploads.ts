// A stand-in for the network of uploads, which go by XMLHttpRequest.
import { vi } from "vitest";

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
