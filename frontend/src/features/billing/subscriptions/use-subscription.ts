import { useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";

import type { Credits, Subscription } from "../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { navigation } from "../../../lib/session";
import { getMessage, useAction } from "../../../lib/use-action";

const RELOAD_AFTER_MS = 1_000;

/** The plan of the account, shared by all islands of the page. */
export function useSubscription(): UseQueryResult<Subscription> {
  return useQuery({
    queryKey: ["subscription"],
    queryFn: () => readData(api.GET("/api/subscriptions/status")),
  });
}

/** The credits of the account, shared by all islands of the page. */
export function useCredits(): UseQueryResult<Credits> {
  return useQuery({ queryKey: ["credits"], queryFn: () => readData(api.GET("/api/credits")) });
}

/** Whether mailbox, catch-all and disposable checks are left out: on Free without pack credits. */
export function lacksChecks(subscription: Subscription): boolean {
  return subscription.subscription_plan === "free" && subscription.pack_credits === 0;
}

/** Whether the Growth trial can still be started. */
export function canStartTrial(subscription: Subscription): boolean {
  return subscription.subscription_plan === "free" && subscription.trial_status === null;
}

/** Begins the Growth trial, says what the server says, and reloads the page a second later. */
export function useStartTrial(): UseMutationResult<{ message: string }, Error, void> {
  return useAction(
    () => readData(api.POST("/api/trial/start", withIdempotencyKey())),
    "Failed to start trial",
    {
      done: getMessage,
      onDone: () => {
        setTimeout(() => navigation.reload(), RELOAD_AFTER_MS);
      },
    },
  );
}
