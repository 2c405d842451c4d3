import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { useBatchProgress } from "../../../../../src/features/validation/batches/progress/use-batch-progress";
import { queryClient } from "../../../../../src/lib/query";
import { progress } from "../../../../data";
import { json, refusal, serve } from "../../../../server";

const STATUS = "GET /api/validate/batch/bat_1/status";

/** Follows a batch whose polls are answered in turn; the last answer is given again and again. */
function follow(...answers: (() => Response)[]) {
  const onCompleted = vi.fn();
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const calls = serve({ [STATUS]: () => ((answers.length > 1 ? answers.shift() : answers[0]) ?? refuse)() });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const hook = renderHook(() => useBatchProgress("bat_1", onCompleted), { wrapper });
  return { ...hook, calls, onCompleted, warn };
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const running = () => json(progress());
const refuse = () => refusal(500, "INTERNAL_ERROR", "");

describe("following a batch", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date("2026-05-01T12:00:00Z") });
  });

  it("[VAL-035] [LIM-013] asks every two seconds", async () => {
    const { calls, result } = follow(running);
    await pass(1_999);
    expect(calls).toHaveLength(1);
    await pass(1);
    expect(calls).toHaveLength(2);
    await pass(4_000);
    expect(calls).toHaveLength(4);
    expect(result.current).toMatchObject({
      answer: progress(),
      answeredAt: Date.parse("2026-05-01T12:00:06Z"),
      silentSince: null,
    });
  });

  it("[VAL-035] [LIM-013] tells of the completion one second after the poll that found it, once", async () => {
    const done = progress({ status: "completed" });
    const { calls, onCompleted } = follow(() => json(done));
    await pass(0);
    await pass(999);
    expect(onCompleted).not.toHaveBeenCalled();
    await pass(60_000);
    expect(onCompleted).toHaveBeenCalledExactlyOnceWith(done);
    expect(calls).toHaveLength(1);
  });

  it("tells of the completion at once where that is wanted, and not again", async () => {
    const done = progress({ status: "completed" });
    const { result, onCompleted } = follow(() => json(done));
    act(() => result.current.completeNow());
    expect(onCompleted).not.toHaveBeenCalled();
    await pass(0);
    act(() => result.current.completeNow());
    expect(onCompleted).toHaveBeenCalledExactlyOnceWith(done);
    await pass(60_000);
    expect(onCompleted).toHaveBeenCalledTimes(1);
  });

  it("[VAL-039] ends at a failed batch without calling it completed", async () => {
    const { calls, onCompleted } = follow(() => json(progress({ status: "failed" })));
    await pass(60_000);
    expect(calls).toHaveLength(1);
    expect(onCompleted).not.toHaveBeenCalled();
  });

  it("[VAL-038] goes on after errors, and says since when there is no answer after three in a row", async () => {
    const { calls, result, warn } = follow(running, refuse, refuse, running, refuse);
    await pass(7_000);
    expect(calls).toHaveLength(4);
    expect(warn).toHaveBeenCalledTimes(2);
    expect(result.current.silentSince).toBeNull();
    await pass(4_000);
    expect(calls).toHaveLength(6);
    expect(result.current.silentSince).toBeNull();
    await pass(2_000);
    expect(calls).toHaveLength(7);
    expect(result.current).toMatchObject({
      answer: progress(),
      silentSince: new Date("2026-05-01T12:00:06Z"),
    });
  });

  it("stops with the page that shows it", async () => {
    const { calls, unmount } = follow(running);
    await pass(0);
    unmount();
    await pass(60_000);
    expect(calls).toHaveLength(1);
  });
});
