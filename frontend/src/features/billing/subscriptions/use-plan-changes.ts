import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { toast, type ExternalToast } from "sonner";

import type { PlanChange, PlanCatalogue } from "../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { NO_ADDRESS, type PaidPlan } from "../catalogue/offers";
import type { SecondPayment } from "../payments/use-second-payment";
import type { PlanChoice } from "./plan-choice";
import { navigation } from "../../../lib/session";
import { useAction } from "../../../lib/use-action";

const RELOAD_AFTER_MS = 1_000;

/** What the server says, and where it is to be approved, if it is. */
interface PlanAnswer {
  message: string;
  approval_url?: string | null;
}

const ACTIONS = {
  pause: () => readData(api.POST("/api/subscriptions/pause", withIdempotencyKey())),
  resume: () => readData(api.POST("/api/subscriptions/resume", withIdempotencyKey())),
  cancel: () => readData(api.POST("/api/subscriptions/cancel", withIdempotencyKey())),
  keep: () => readData(api.POST("/api/subscriptions/reactivate", withIdempotencyKey())),
  undo: () => readData(api.DELETE("/api/subscriptions/plan-change")),
} as const satisfies Record<string, () => Promise<PlanAnswer>>;

export type PlanAction = keyof typeof ACTIONS;

const FALLBACKS: Record<PlanAction, string> = {
  pause: "Failed to pause subscription",
  resume: "Failed to resume subscription",
  cancel: "Failed to cancel subscription",
  keep: "Failed to create PayPal payment",
  undo: "Failed to change plan",
};

/** Does one thing to the subscription: leaves for PayPal where it is to be approved, else says what the server says. */
export function usePlanAction(
  deed: PlanAction,
  onDone?: () => void,
): UseMutationResult<PlanAnswer, Error, void> {
  const client = useQueryClient();
  return useAction<PlanAnswer>(ACTIONS[deed], FALLBACKS[deed], {
    onDone: async ({ message, approval_url }) => {
      if (approval_url) {
        navigation.go(approval_url);
        return;
      }
      toast.success(message);
      await client.invalidateQueries();
      onDone?.();
    },
  });
}

const SHOWN_AS: readonly (readonly [string, string])[] = [
  ["Free users must", "Please start your Growth trial first!"],
  ["already on this plan", "You are already on this plan"],
  ["No active subscription", "No active subscription found. Please subscribe to a plan first."],
  ["This upgrade requires payment", "Payment processing failed. Please try again."],
];

/** Where a refusal leads on. */
const GUIDANCE: Readonly<Record<string, ExternalToast | undefined>> = {
  "Free users must start a trial first": {
    description: "You start it on this tab, without a credit card.",
  },
  "Free users must upgrade": {
    description: "Your trial is used up. You can buy any plan on the tab Upgrade.",
    action: { label: "See the plans", onClick: () => navigation.go("/dashboard?tab=pricing") },
  },
};

/** Says a refusal of a plan change in the words of the page, and where it leads on. */
export function sayChangeFailure(error: unknown, fallback: string): void {
  const detail = getErrorMessage(error, fallback);
  toast.error(SHOWN_AS.find(([part]) => detail.includes(part))?.[1] ?? detail, GUIDANCE[detail]);
}

/** What a change would cost now. */
export function usePlanChangePreview({ plan, cycle }: PlanChoice): UseQueryResult<PlanChange> {
  return useQuery({
    queryKey: ["plan-change", plan, cycle],
    queryFn: () =>
      readData(
        api.GET("/api/subscriptions/plan-change/preview", {
          params: { query: { new_plan_id: plan, billing_cycle: cycle } },
        }),
      ),
    gcTime: 0,
    retry: false,
  });
}

export function usePlanCatalogue(): UseQueryResult<PlanCatalogue> {
  return useQuery({ queryKey: ["plans"], queryFn: () => readData(api.GET("/api/plans")) });
}

/** Confirms a change: a charge is approved at PayPal, anything else waits for the billing date. Null where
 * a payment that was made before is waited for. */
export function useConfirmPlanChange(
  onDone: () => void,
  begun: SecondPayment["begun"],
): UseMutationResult<PlanAnswer | null, Error, PlanChange> {
  return useMutation({
    mutationFn: async ({ new_plan, billing_cycle, immediate_charge }) => {
      const body = { new_plan_id: new_plan as PaidPlan, billing_cycle };
      if (immediate_charge === 0) {
        return readData(api.POST("/api/subscriptions/plan-change", { body, ...withIdempotencyKey() }));
      }
      const made = await begun((confirm_second) => {
        const options = { body: { ...body, confirm_second }, ...withIdempotencyKey() };
        return readData(api.POST("/api/subscriptions/plan-change/create-payment", options));
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
      if (error.message === NO_ADDRESS) toast.error(NO_ADDRESS);
      else sayChangeFailure(error, fallback);
    },
  });
}
