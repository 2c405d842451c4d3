import { useState, type ReactNode } from "react";

import type { QuoteRequest } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { useUrlState } from "../../../lib/url-state";
import { useRecord } from "../../../lib/use-record";
import { ErrorState, SkeletonBlock } from "../../../ui/states";
import { GenerateForm } from "./generate-form";
import { RecentQuotes } from "./recent-quotes";
import { QuoteRequests, useRequestsLoaded } from "./quote-requests";
import type { Prefill } from "./quote-data";

/** The deal that the address names, if it names one. */
function useLinkedDeal(deal_id: number) {
  return useAdminQuery(["deal-to-quote", deal_id], async () =>
    deal_id > 0
      ? (await readData(api.GET("/api/admin/deals/{deal_id}", { params: { path: { deal_id } } }))).deal
      : null,
  );
}

/** The tab Quote Generator: what customers ask for, a new quote, and those that were made. */
export function QuotesTab(): ReactNode {
  const [url, setUrl] = useUrlState();
  const [answered, setAnswered] = useState<Prefill | null>(null);
  const record = useRecord();
  const deal = useLinkedDeal(Number(url.get("quote_deal")));
  const known = useRequestsLoaded();
  const answer = (request: QuoteRequest) =>
    setAnswered((before) => ({ source: { request }, turn: (before?.turn ?? 1) + 1 }));
  const prefill = answered ?? (deal.data ? { source: { deal: deal.data }, turn: 1 } : null);
  if (!known) return <SkeletonBlock className="skeleton-report" />;
  return (
    <div className="stack">
      <QuoteRequests onQuote={answer} />
      {deal.isError ? <ErrorState query={deal} fallback="Failed to load the deal" /> : null}
      <GenerateForm
        prefill={prefill}
        onView={({ quote_id }) => record.open(quote_id)}
        onDone={() => setUrl({ quote_deal: null }, "replace")}
      />
      <RecentQuotes record={record} />
    </div>
  );
}
