import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type { PaymentState, PendingPayment } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { isRefused } from "../../../lib/errors";

const KEY = ["open-payments"];
const SEEN = "open_payments";
const AGAIN_MS = 15_000;

/** The payments that PayPal holds back; asked again while there are any. */
export function useOpenPayments(): UseQueryResult<PendingPayment[]> {
  return useQuery({
    queryKey: KEY,
    queryFn: async () => (await readData(api.GET("/api/payments/pending"))).payments,
    refetchInterval: ({ state }) => (state.data?.length ? AGAIN_MS : false),
    refetchOnWindowFocus: true,
  });
}

/** Whether a payment is known to be held back, without asking. */
export function useIsPaymentOpen(id: string): boolean {
  const { data } = useQuery<PendingPayment[]>({ queryKey: KEY, enabled: false });
  return data?.some((payment) => payment.id === id) ?? false;
}

/** What waited when the page was last looked at, so that its end is told after a reload too. */
function readSeenPayments(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(SEEN) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function storeSeenPayments(ids: readonly string[]): void {
  if (ids.length > 0) localStorage.setItem(SEEN, JSON.stringify(ids));
  else localStorage.removeItem(SEEN);
}

/** How a payment ended that had waited; null where that is not for the one who is signed in now. */
async function loadEnd(token: string): Promise<PaymentState | null> {
  try {
    return await readData(api.GET("/api/payments/paypal/status/{token}", { params: { path: { token } } }));
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
}

export interface EndedPayment {
  id: string;
  end: PaymentState;
}

/** Those of `payments` that have ended since they were last seen, each told once; the page is brought up to date. */
export function useEndedPayments(payments: readonly PendingPayment[] | undefined): EndedPayment[] {
  const client = useQueryClient();
  const [ended, setEnded] = useState<EndedPayment[]>([]);
  useEffect(() => {
    if (!payments) return;
    const open = payments.map(({ id }) => id);
    const gone = readSeenPayments().filter((id) => !open.includes(id));
    storeSeenPayments(open);
    const reportEnd = async (id: string) => {
      try {
        const end = await loadEnd(id);
        if (!end || end.state === "pending") return;
        setEnded((before) => [...before.filter((one) => one.id !== id), { id, end }]);
        await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
      } catch {
        storeSeenPayments([...readSeenPayments(), id]); // another time
      }
    };
    for (const id of gone) void reportEnd(id);
  }, [client, payments]);
  return ended;
}
