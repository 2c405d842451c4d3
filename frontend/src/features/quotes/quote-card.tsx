import CircleCheck from "lucide-react/icons/circle-check";
import Clock from "lucide-react/icons/clock";
import { Suspense, useState, type ReactNode } from "react";

import type { Quote } from "../../api/types";
import { formatDateTime, formatMoney, formatNumber } from "../../lib/format";
import { buildMailto } from "../../lib/mailto";
import { getStage } from "./quote-states";
import { Button, ButtonLink } from "../../ui/button";
import { lazyPart } from "../../ui/lazy-part";
import { DeclineDialog } from "./decline-dialog";
import { QuoteBadge } from "./quote-badge";

const PlanDialog = lazyPart(async () => (await import("./plan-dialog")).PlanDialog);

interface CardProps {
  quote: Quote;
  support: string;
}

function OpenOutcome({ quote }: { quote: Quote }): ReactNode {
  const [dialog, setDialog] = useState<"plan" | "decline" | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Button kind="primary" onClick={() => setDialog("plan")}>
        Choose Plan &amp; Pay
      </Button>
      <Button aria-label={`Decline ${quote.quote_id}`} onClick={() => setDialog("decline")}>
        Decline
      </Button>
      {dialog === "plan" ? (
        <Suspense>
          <PlanDialog quote={quote} onClose={close} />
        </Suspense>
      ) : null}
      {dialog === "decline" ? <DeclineDialog quote={quote} onClose={close} /> : null}
    </>
  );
}

function ExpiredOutcome({ quote, support }: CardProps): ReactNode {
  const draft = buildMailto(support, { subject: `Renewal of quote ${quote.quote_id}` });
  return (
    <p className="muted">
      Quote Expired - <a href={draft}>Contact support</a> for renewal
    </p>
  );
}

/** What can be done about the quote, or what became of it. */
function QuoteOutcome({ quote, support }: CardProps): ReactNode {
  switch (getStage(quote)) {
    case "expired":
      return <ExpiredOutcome quote={quote} support={support} />;
    case "declined":
      return <p className="muted">You declined this quote.</p>;
    case "active":
      return (
        <p className="quote-outcome">
          <CircleCheck size={18} aria-hidden />
          Plan Activated!
        </p>
      );
    case "paid":
      return (
        <p className="quote-outcome">
          <Clock size={18} aria-hidden />
          Payment received! Activation pending...
        </p>
      );
    case "open":
      return <OpenOutcome quote={quote} />;
  }
}

function formatExpiry({ expires_at, is_expired }: Quote): string {
  return `${is_expired ? "Expired on" : "Valid until"} ${formatDateTime(expires_at)}`;
}

function ChosenFlag({ plan, quote }: { plan: "monthly" | "yearly"; quote: Quote }): ReactNode {
  return quote.selected_plan === plan ? <span className="flag">Your choice</span> : null;
}

function QuotePrices({ quote }: { quote: Quote }): ReactNode {
  const { credits_needed, monthly_price, annual_price, annual_savings, yearly_credits } = quote;
  return (
    <dl className="quote-prices">
      <div>
        <dt>
          Monthly <ChosenFlag plan="monthly" quote={quote} />
        </dt>
        <dd>
          <strong>{formatMoney(monthly_price)}</strong> a month
        </dd>
        <dd className="muted small">
          {formatNumber(quote.credit_distribution.monthly_after)} credits each month
        </dd>
      </div>
      <div>
        <dt>
          Yearly <ChosenFlag plan="yearly" quote={quote} />
        </dt>
        <dd>
          <strong>{formatMoney(annual_price)}</strong> once
        </dd>
        <dd className="muted small">
          {formatNumber(yearly_credits)} credits at once: {formatNumber(credits_needed)} and a 17% bonus
        </dd>
        <dd className="muted small">{formatMoney(annual_savings)} less than twelve monthly payments</dd>
      </div>
    </dl>
  );
}

/** A quote with its prices, where it stands and what can be done. */
export function QuoteCard({ quote, support }: CardProps): ReactNode {
  const { quote_id } = quote;
  const unpaid = getStage(quote) === "open" || quote.is_expired;
  return (
    <li className="card stack-4 quote" aria-labelledby={quote_id}>
      <div className="row row-between">
        <div>
          <h3 id={quote_id}>{formatNumber(quote.credits_needed)} credits</h3>
          <p className="muted small">
            <span className="mono">{quote_id}</span>
            {quote.customer_company ? ` · ${quote.customer_company}` : ""}
          </p>
        </div>
        <QuoteBadge quote={quote} />
      </div>
      <QuotePrices quote={quote} />
      {unpaid ? <p className="muted small">{formatExpiry(quote)}</p> : null}
      <div className="row quote-actions">
        <QuoteOutcome quote={quote} support={support} />
        <ButtonLink
          kind="quiet"
          href={`/quotes/${quote_id}/print`}
          target="_blank"
          rel="noopener"
          aria-label={`Printable copy of ${quote_id}`}
        >
          Printable copy
        </ButtonLink>
      </div>
    </li>
  );
}
