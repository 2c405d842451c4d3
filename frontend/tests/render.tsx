import { QueryClientProvider } from "@tanstack/react-query";
import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { vi } from "vitest";

import { queryClient } from "../src/lib/query";
import { Toaster } from "../src/ui/toaster";

/** Shows an island as the page does, with a place for toasts. */
export function show(island: ReactNode) {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={queryClient}>
      <Toaster />
      {island}
    </QueryClientProvider>,
  );
  return user;
}

/** Lets faked time pass, and the page catch up. */
export function pass(milliseconds: number): Promise<void> {
  return act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  });
}
