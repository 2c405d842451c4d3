import { useState, type ReactNode } from "react";

import type { QuoteRequest, StaffQuote } from "../../../api/types";
import { DetailDialog } from "./detail-dialog";
import { GenerateForm } from "./generate-form";
import { Recent } from "./recent";
import { Requests } from "./requests";
import type { Prefill } from "./words";

/** The tab Quote Generator: what customers ask for, a new quote, and those that were made. */
export function QuotesTab(): ReactNode {
  const [prefill, setPrefill] = useState<Prefill | null>(null);
  const [viewed, setViewed] = useState<StaffQuote | null>(null);
  const answer = (request: QuoteRequest) =>
    setPrefill((before) => ({ request, turn: (before?.turn ?? 0) + 1 }));
  return (
    <div className="stack" data-wide>
      <Requests onQuote={answer} />
      <GenerateForm prefill={prefill} onView={setViewed} />
      <Recent onView={setViewed} />
      {viewed ? <DetailDialog quote={viewed} onClose={() => setViewed(null)} /> : null}
    </div>
  );
}
