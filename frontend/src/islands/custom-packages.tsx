import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Suspense, type ReactNode } from "react";

import type { Quote } from "../api/types";
import { OpenPayments } from "../features/billing/payments/open-payments";
import { PaymentReturn, type ReturnPlace } from "../features/billing/payments/payment-return";
import { QuoteCard } from "../features/quotes/quote-card";
import { RequestForm } from "../features/quotes/request-form";
import { api, readData } from "../lib/client";
import { ACTIVATION_MS, describeLoadFailure, QUOTES, getStage } from "../features/quotes/quote-states";
import { lazyPart } from "../ui/lazy-part";
import { LiveView } from "../ui/live-view";
import { PageHead } from "../ui/page-head";
import { Section } from "../ui/section";
import { ButtonLink } from "../ui/button";
import { EmptyState, SkeletonCards } from "../ui/states";
import { useLoadToast } from "../lib/use-action";

const OwnRequests = lazyPart(async () => (await import("../features/quotes/own-requests")).OwnRequests);

const AFTER_QUOTE: ReturnPlace = { tab: "custom-packages" };

/** The account's quotes; asked again while one of them is about to be activated. */
function useQuotes(): UseQueryResult<Quote[]> {
  const query = useQuery({
    queryKey: QUOTES,
    queryFn: async () => (await readData(api.GET("/api/quotes/my-quotes"))).quotes,
    refetchInterval: ({ state }) =>
      state.data?.some((quote) => getStage(quote) === "paid") ? ACTIVATION_MS : false,
  });
  useLoadToast(query, describeLoadFailure, "described");
  return query;
}

function List({ quotes, support }: { quotes: Quote[]; support: string }): ReactNode {
  if (quotes.length === 0) {
    return (
      <section className="card">
        <EmptyState
          title="No quotes yet"
          action={<ButtonLink href="#quote-request-heading">Ask for a price</ButtonLink>}
        >
          Tell us how many credits you need. Our offer is mailed to you and listed here.
        </EmptyState>
      </section>
    );
  }
  return (
    <ul className="quotes">
      {quotes.map((quote) => (
        <QuoteCard key={quote.id} quote={quote} support={support} />
      ))}
    </ul>
  );
}

function Page({ support }: { support: string }): ReactNode {
  const quotes = useQuotes();
  const payable = quotes.data?.some((quote) => getStage(quote) === "open") ?? false;
  return (
    <div className="quote-page">
      <Section id="quotes-heading" title="Your quotes">
        <LiveView
          query={quotes}
          fallback={describeLoadFailure(quotes.error)}
          rows={<SkeletonCards count={2} />}
        >
          {(found) => <List quotes={found} support={support} />}
        </LiveView>
      </Section>
      <div className="stack-4">
        <RequestForm first={!payable} />
        <Suspense fallback={null}>
          <OwnRequests />
        </Suspense>
      </div>
    </div>
  );
}

/** The tab Custom packages: ask for a price, and pay or decline what was offered. */
export default function CustomPackages({ support_email }: { support_email: string }): ReactNode {
  return (
    <>
      <PageHead title="Custom packages" lead="A price for the amount that you need." />
      <PaymentReturn place={AFTER_QUOTE}>
        <OpenPayments />
        <Page support={support_email} />
      </PaymentReturn>
    </>
  );
}
