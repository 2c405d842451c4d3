import type { ReactNode } from "react";

import type { PlanCatalogue } from "../../../api/types";
import { formatNumber, formatUsd, formatCount } from "../../../lib/format";
import { usePlanCatalogue } from "../subscriptions/use-plan-changes";

interface Lot {
  kind: string;
  remaining: number;
}

function formatByKind(lots: readonly Lot[]): string {
  const sums = new Map<string, number>();
  for (const { kind, remaining } of lots) sums.set(kind, (sums.get(kind) ?? 0) + remaining);
  return [...sums].map(([kind, credits]) => `${formatNumber(credits)} ${kind}`).join(", ");
}

/** What as many credits cost today, in USD, at the rate of the largest pack that holds no more, else of the smallest. */
export function calculatePackValue(credits: number, packs: PlanCatalogue["packs"]): number {
  const bySize = [...packs].sort((one, other) => one.credits - other.credits);
  const pack = bySize.findLast((one) => one.credits <= credits) ?? bySize[0];
  return pack ? (credits * pack.price) / pack.credits : 0;
}

interface UnspentCreditsProps {
  credits: number;
  lots: readonly Lot[];
}

/** The credits that lapse with an account: how many, of what kind, and what they are worth. */
export function UnspentCredits({ credits, lots }: UnspentCreditsProps): ReactNode {
  const { data } = usePlanCatalogue();
  return (
    <>
      <strong>{formatCount(credits, "unspent credit")}</strong>
      {lots.length > 0 ? ` (${formatByKind(lots)})` : ""}
      {data && credits > 0
        ? `, worth ${formatUsd(calculatePackValue(credits, data.packs))} at today's pack prices`
        : ""}
    </>
  );
}
