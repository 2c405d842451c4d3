import { beforeEach, describe, expect, it, vi } from "vitest";

import type { BatchProgress } from "../../../../../src/api/types";
import { watchBatch } from "../../../../../src/features/validation/batches/progress/watch-batch";
import { progress } from "../../../../data";

function watcher(load: () => Promise<BatchProgress>) {
  const seen = { onProgress: vi.fn(), onCompleted: vi.fn(), onTrouble: vi.fn() };
  const asked = vi.fn(load);
  return { ...seen, asked, stop: watchBatch({ load: asked, ...seen }) };
}

describe("following a batch", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it("[VAL-035] [LIM-013] asks every two seconds", async () => {
    const { asked, onProgress } = watcher(() => Promise.resolve(progress()));
    await vi.advanceTimersByTimeAsync(1_999);
    expect(asked).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(asked).toHaveBeenCalledTimes(4);
    expect(onProgress).toHaveBeenCalledTimes(4);
  });

  it("[VAL-035] [LIM-013] tells of the completion one second after the poll that found it, once", async () => {
    const done = progress({ status: "completed" });
    const { asked, onCompleted } = watcher(() => Promise.resolve(done));
    await vi.advanceTimersByTimeAsync(999);
    expect(onCompleted).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onCompleted).toHaveBeenCalledExactlyOnceWith(done);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("[VAL-039] ends at a failed batch without calling it completed", async () => {
    const { asked, onCompleted } = watcher(() => Promise.resolve(progress({ status: "failed" })));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(onCompleted).not.toHaveBeenCalled();
  });

  it("[VAL-038] goes on after errors and counts those in a row", async () => {
    const answers = [
      () => Promise.reject(new Error("1")),
      () => Promise.reject(new Error("2")),
      () => Promise.resolve(progress()),
      () => Promise.reject(new Error("3")),
    ];
    const { onTrouble } = watcher(() => (answers.shift() ?? (() => Promise.resolve(progress())))());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(onTrouble.mock.calls.map(([failures]: number[]) => failures)).toEqual([1, 2, 1]);
  });

  it("stops when told to", async () => {
    const { asked, stop } = watcher(() => Promise.resolve(progress()));
    await vi.advanceTimersByTimeAsync(0);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveBeenCalledTimes(1);
  });
});
