import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import type { Delivery, DeliveryDetail, DeliveryPage, Webhook, WebhookEvent } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";
import { useGrowingList } from "../../../lib/use-growing-list";

const WEBHOOKS = ["webhooks"] as const;
const POLL_MS = 2_000;

/** Each event, and when it is sent. */
export const EVENTS: Record<WebhookEvent, string> = {
  "validation.completed": "A single address was checked",
  "batch.processing": "Work on a list began",
  "batch.completed": "A list is finished",
  "quota.warning": "80% of the month’s credits are used",
  "quota.exceeded": "Credits did not suffice, or are used up",
  "credits.low": "The balance fell below what is set under Usage alerts",
  "payment.pending": "PayPal holds a payment back",
};
export const EVENT_NAMES = Object.keys(EVENTS) as WebhookEvent[];

export function refreshWebhooks(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: WEBHOOKS });
}

export function useWebhooks(): UseQueryResult<Webhook[]> {
  return useQuery({
    queryKey: WEBHOOKS,
    queryFn: async () => (await readData(api.GET("/api/user/webhooks"))).webhooks,
  });
}

export type Status = Delivery["status"];

function isDelivering(pages: DeliveryPage[] | undefined): boolean {
  const soon = Date.now() + 60_000;
  return (pages ?? []).some(({ deliveries }) =>
    deliveries.some(({ next_attempt_at }) => next_attempt_at && Date.parse(next_attempt_at) < soon),
  );
}

/** The log of an endpoint; asked again while something is on its way. */
export function useDeliveries(webhook: Webhook, status: Status | "") {
  return useGrowingList({
    key: [...WEBHOOKS, webhook.id, "deliveries", status],
    load: (cursor) => {
      const query = { ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) };
      const path = { webhook_id: webhook.id };
      return readData(api.GET("/api/user/webhooks/{webhook_id}/deliveries", { params: { path, query } }));
    },
    again: (found) => (isDelivering(found?.pages) ? POLL_MS : false),
  });
}

/** One delivery with its tries. */
export function useDelivery(webhook: Webhook, id: string): UseQueryResult<DeliveryDetail> {
  return useQuery({
    queryKey: [...WEBHOOKS, webhook.id, "delivery", id],
    queryFn: () => {
      const path = { webhook_id: webhook.id, delivery_id: id };
      return readData(
        api.GET("/api/user/webhooks/{webhook_id}/deliveries/{delivery_id}", { params: { path } }),
      );
    },
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? POLL_MS : false),
  });
}
