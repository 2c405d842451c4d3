import { notifyManager, QueryClient } from "@tanstack/react-query";

import { ApiError } from "./errors";

/** Refusals are final; an answer that never came, or a server error, is worth one more try. */
function isWorthRetrying(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return failures < 1 && !refused;
}

// In a timer, as is the default, a box that was just ticked would be drawn as it was once more.
notifyManager.setScheduler(queueMicrotask);

/** Shared by all islands of the page. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 10_000, refetchOnWindowFocus: false } },
});
