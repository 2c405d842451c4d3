import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { toast } from "sonner";

import type { PlanChange, PlanCatalogue } from "../../../api/types";
import { api, dataOf, oncePerPress } from "../../../lib/client";
import { messageOf } from "../../../lib/errors";
import { NO_ADDRESS, type Cycle, type PaidPlan } from "../catalogue/purchases";
import type { SecondPayment } from "../payments/use-second-payment";
import { navigation } from "../../../lib/session";

const RELOAD_AFTER_MS = 1_000;

/** What the server says, and where it is to be approved, if it is. */
interface Said {
  message: string;
  approval_url?: string | null;
}

const DEEDS = {
  pause: () => dataOf(api.POST("/api/subscriptions/pause", oncePerPress())),
  resume: () => dataOf(api.POST("/api/subscriptions/resume", oncePerPress())),
  cancel: () => dataOf(api.POST("/api/subscriptions/cancel", oncePerPress())),
  keep: () => dataOf(api.POST("/api/subscriptions/reactivate", oncePerPress())),
  undo: () => dataOf(api.DELETE("/api/subscriptions/plan-change")),
} as const satisfies Record<string, () => Promise<Said>>;

export type Deed = keyof typeof DEEDS;

const FALLBACKS: Record<Deed, string> = {
  pause: "Failed to pause subscription",
  resume: "Failed to resume subscription",
  cancel: "Failed to cancel subscription",
  keep: "Failed to create PayPal payment",
  undo: "Failed to change plan",
};

/** Does one thing to the subscription: leaves for PayPal where it is to be approved, else says what the server says. */
export function useDeed(deed: Deed, onDone?: () => void): UseMutationResult<Said, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => DEEDS[deed]() as Promise<Said>,
    onSuccess: async ({ message, approval_url }) => {
      if (approval_url) {
        navigation.go(approval_url);
        return;
      }
      toast.success(message);
      await client.invalidateQueries();
      onDone?.();
    },
    onError: (error) => toast.error(messageOf(error, FALLBACKS[deed])),
  });
}

export interface Choice {
  plan: PaidPlan;
  cycle: Cycle;
}

const SHOWN_AS: readonly (readonly [string, string])[] = [
  ["Free users must", "Please start your Growth trial first!"],
  ["already on this plan", "You are already on this plan"],
  ["No active subscription", "No active subscription found. Please subscribe to a plan first."],
  ["This upgrade requires payment", "Payment processing failed. Please try again."],
];

/** A refusal of a plan change in the words of the page. */
export function changeFailure(error: unknown, fallback: string): string {
  const detail = messageOf(error, fallback);
  return SHOWN_AS.find(([part]) => detail.includes(part))?.[1] ?? detail;
}

/** What a change would cost now. */
export function usePreview({ plan, cycle }: Choice): UseQueryResult<PlanChange> {
  return useQuery({
    queryKey: ["plan-change", plan, cycle],
    queryFn: () =>
      dataOf(
        api.GET("/api/subscriptions/plan-change/preview", {
          params: { query: { new_plan_id: plan, billing_cycle: cycle } },
        }),
      ),
    gcTime: 0,
    retry: false,
  });
}

export function usePlans(): UseQueryResult<PlanCatalogue> {
  return useQuery({ queryKey: ["plans"], queryFn: () => dataOf(api.GET("/api/plans")) });
}

/** Confirms a change: a charge is approved at PayPal, anything else waits for the billing date. Null where
 * a payment that was made before is waited for. */
export function useChange(
  onDone: () => void,
  begun: SecondPayment["begun"],
): UseMutationResult<Said | null, Error, PlanChange> {
  return useMutation({
    mutationFn: async ({ new_plan, billing_cycle, immediate_charge }) => {
      const body = { new_plan_id: new_plan as PaidPlan, billing_cycle };
      if (immediate_charge === 0) {
        return dataOf(api.POST("/api/subscriptions/plan-change", { body, ...oncePerPress() }));
      }
      const made = await begun((confirm_second) => {
        const options = { body: { ...body, confirm_second }, ...oncePerPress() };
        return dataOf(api.POST("/api/subscriptions/plan-change/create-payment", options));
      });
      if (made === null) return null;
      if (!made.approval_url) throw new Error(NO_ADDRESS);
      return { message: "", approval_url: made.approval_url };
    },
    onSuccess: (said) => {
      if (!said) return;
      if (said.approval_url) {
        navigation.go(said.approval_url);
        return;
      }
      toast.success(said.message);
      onDone();
      setTimeout(() => navigation.reload(), RELOAD_AFTER_MS);
    },
    onError: (error, { immediate_charge }) => {
      const fallback = immediate_charge ? "Failed to create PayPal payment" : "Failed to change plan";
      toast.error(error.message === NO_ADDRESS ? NO_ADDRESS : changeFailure(error, fallback));
    },
  });
}
