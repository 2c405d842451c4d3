import { useEffect, useEffectEvent, useState, type ReactNode } from "react";

import type { Deal, StaffQuote } from "../../../api/types";
import { useAdminQuery } from "../../../lib/admin";
import { api, dataOf } from "../../../lib/client";
import { messageOf } from "../../../lib/errors";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { DetailDialog } from "./detail-dialog";
import { GenerateForm } from "./generate-form";
import { Recent } from "./recent";
import { Requests } from "./requests";
import type { Prefill, Source } from "./words";

interface DealProps {
  id: number;
  onLoad: (deal: Deal) => void;
}

/** The deal that the address names fills the form, once it is loaded. */
function DealSource({ id, onLoad }: DealProps): ReactNode {
  const params = { path: { deal_id: id } };
  const deal = useAdminQuery(["deal-for-quote", id], () =>
    dataOf(api.GET("/api/admin/deals/{deal_id}", { params })),
  );
  const found = deal.data?.deal;
  const load = useEffectEvent(onLoad);
  useEffect(() => {
    if (found) load(found);
  }, [found]);
  if (!deal.isError) return null;
  return (
    <div className="notice notice-danger" role="alert">
      <p>{messageOf(deal.error, "Failed to load the deal")}</p>
      <Button kind="quiet" busy={deal.isFetching} onClick={() => void deal.refetch()}>
        Retry
      </Button>
    </div>
  );
}

/** The tab Quote Generator: what customers ask for, a new quote, and those that were made. */
export function QuotesTab(): ReactNode {
  const [url, setUrl] = useUrlState();
  const [prefill, setPrefill] = useState<Prefill | null>(null);
  const [viewed, setViewed] = useState<StaffQuote | null>(null);
  const fill = (source: Source) => setPrefill((before) => ({ source, turn: (before?.turn ?? 0) + 1 }));
  const dealId = Number(url.get("deal"));
  return (
    <div className="stack" data-wide>
      <Requests onQuote={(request) => fill({ kind: "request", request })} />
      {dealId > 0 ? <DealSource id={dealId} onLoad={(deal) => fill({ kind: "deal", deal })} /> : null}
      <GenerateForm prefill={prefill} onDone={() => setUrl({ deal: null }, "replace")} onView={setViewed} />
      <Recent onView={setViewed} />
      {viewed ? <DetailDialog quote={viewed} onClose={() => setViewed(null)} /> : null}
    </div>
  );
}
