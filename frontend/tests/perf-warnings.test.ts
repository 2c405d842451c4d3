import { afterEach, beforeEach, expect, it, vi } from "vitest";

type See = (entry: Record<string, unknown>) => void;
const see: Record<string, See> = {};

class FakeObserver {
  static supportedEntryTypes = ["resource", "largest-contentful-paint", "first-input", "layout-shift"];

  constructor(private readonly tell: (list: { getEntries: () => unknown[] }) => void) {}

  observe({ type }: { type: string }): void {
    see[type] = (entry) => this.tell({ getEntries: () => [entry] });
  }
}

let warned: string[] = [];

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal("PerformanceObserver", FakeObserver);
  warned = [];
  vi.spyOn(console, "warn").mockImplementation((text: string) => warned.push(text));
  await import("../src/perf-warnings");
});

afterEach(() => {
  Reflect.deleteProperty(performance, "memory");
});

function use(bytes: number): void {
  const memory = { usedJSHeapSize: bytes, jsHeapSizeLimit: 100 };
  Object.defineProperty(performance, "memory", { value: memory, configurable: true });
}

it("[LIM-011] warns above each limit, checked every 30 s", () => {
  use(81);
  see.resource?.({ name: "/a.js", duration: 1_001, transferSize: 10 });
  see.resource?.({ name: "/b.js", duration: 10, transferSize: 1_048_577 });
  see["largest-contentful-paint"]?.({ startTime: 2_501 });
  see["first-input"]?.({ startTime: 100, processingStart: 201 });
  see["layout-shift"]?.({ value: 0.06, hadRecentInput: false });
  see["layout-shift"]?.({ value: 0.05, hadRecentInput: false });
  vi.advanceTimersByTime(29_999);
  expect(warned).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(warned).toEqual([
    "Memory: 81 % of the limit in use",
    "Slow resource: /a.js took 1001 ms",
    "Large resource: /b.js has 1048577 bytes",
    "Largest paint: 2501 ms",
    "Input delay: 101 ms",
    "Layout shift: 0.11",
  ]);
});

it("[LIM-011] says nothing at the limits", () => {
  use(80);
  see.resource?.({ name: "/a.js", duration: 1_000, transferSize: 1_048_576 });
  see["largest-contentful-paint"]?.({ startTime: 2_500 });
  see["first-input"]?.({ startTime: 100, processingStart: 200 });
  see["layout-shift"]?.({ value: 0.1, hadRecentInput: false });
  see["layout-shift"]?.({ value: 0.5, hadRecentInput: true });
  vi.advanceTimersByTime(60_000);
  expect(warned).toEqual([]);
});
