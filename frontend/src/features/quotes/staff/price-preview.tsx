import type { ReactNode } from "react";

import type { QuotePreview } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { formatMoney, formatNumber } from "../../../lib/format";
import { useDebounced } from "../../../lib/use-debounced";
import { RefetchButton } from "../../../ui/refetch-button";
import { SkeletonBlock } from "../../../ui/states";

interface PlanPricing extends Pick<
  QuotePreview,
  "monthly_price" | "annual_price" | "annual_savings" | "credit_distribution" | "yearly_credits"
> {
  twelve_months?: number;
}

/** Both plans side by side, as the server has priced them. */
export function PricedPlans({ priced }: { priced: PlanPricing }): ReactNode {
  const { first_month, monthly_after } = priced.credit_distribution;
  return (
    <dl className="quote-prices">
      <div>
        <dt>Monthly</dt>
        <dd>
          <strong>{formatMoney(priced.monthly_price)}</strong> a month
        </dd>
        <dd className="muted small">{formatNumber(first_month)} credits in the first month</dd>
        <dd className="muted small">{formatNumber(monthly_after)} in each after it</dd>
      </div>
      <div>
        <dt>Annual</dt>
        <dd>
          <strong>{formatMoney(priced.annual_price)}</strong> once
        </dd>
        <dd className="muted small">{formatNumber(priced.yearly_credits)} credits up front</dd>
        <dd className="small tone-text tone-plain">Saves {formatMoney(priced.annual_savings)}</dd>
      </div>
    </dl>
  );
}

function usePricePreview(credits: number | null) {
  return useAdminQuery(["quote-preview", credits], async () =>
    credits === null
      ? null
      : readData(api.POST("/api/admin/quotes/preview", { body: { credits_needed: credits } })),
  );
}

/** What the quote would cost, from the server, while the form is filled in. */
export function PricePreview({ credits }: { credits: number | null }): ReactNode {
  const preview = usePricePreview(useDebounced(credits));
  return (
    <section className="quote-preview stack-2" aria-label="Price preview" aria-live="polite">
      <h3>Price preview</h3>
      {preview.isError ? (
        <div className="row">
          <p className="muted">{getErrorMessage(preview.error, "Failed to load the price")}</p>
          <RefetchButton query={preview} kind="quiet" />
        </div>
      ) : preview.data ? (
        <PricedPlans priced={preview.data} />
      ) : preview.data === null ? (
        <p className="muted">Choose an amount to see what it costs.</p>
      ) : (
        <SkeletonBlock className="quote-preview-loading" />
      )}
    </section>
  );
}
