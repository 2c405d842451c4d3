import { useState, type ReactNode } from "react";

import type { Quote } from "../../api/types";
import { api, readData, withIdempotencyKey } from "../../lib/client";
import { formatMoney, formatNumber } from "../../lib/format";
import { useAction } from "../../lib/use-action";
import { useSecondPayment, type SecondPayment } from "../billing/payments/use-second-payment";
import { navigation } from "../../lib/session";
import { ActDialog } from "../../ui/dialog";
import { SecondPaymentQuestion } from "../billing/payments/second-payment-question";

type Plan = "monthly" | "yearly";

interface OptionProps {
  quote: Quote;
  plan: Plan;
  chosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function Option({ quote, plan, chosen, onChoose, children }: OptionProps): ReactNode {
  const yearly = plan === "yearly";
  return (
    <label className="plan-option">
      <span className="row row-between">
        <span className="row">
          <input type="radio" name="plan" value={plan} checked={chosen} onChange={onChoose} />
          <strong>{yearly ? "Yearly" : "Monthly"}</strong>
        </span>
        <span className="plan-option-price">
          <strong>{formatMoney(yearly ? quote.annual_price : quote.monthly_price)}</strong>{" "}
          <span className="muted">{yearly ? "once" : "a month"}</span>
        </span>
      </span>
      {children}
    </label>
  );
}

function MonthlyOption({ quote }: { quote: Quote }): ReactNode {
  const { first_month, monthly_after } = quote.credit_distribution;
  return (
    <ul className="plan-points">
      <li>{formatNumber(monthly_after)} credits per month</li>
      <li>
        {formatNumber(first_month)} with the first payment, {formatNumber(monthly_after)} with each after it
      </li>
      <li>Twelve monthly payments, the first one now</li>
    </ul>
  );
}

function YearlyOption({ quote }: { quote: Quote }): ReactNode {
  return (
    <ul className="plan-points">
      <li>
        {formatNumber(quote.yearly_credits)} credits up front: {formatNumber(quote.credits_needed)} and a 17%
        bonus
      </li>
      <li>2 months free (17% discount): you save {formatMoney(quote.annual_savings)}</li>
      <li>One payment for twelve months</li>
    </ul>
  );
}

/** Leaves for PayPal, and stays busy then, unless it is waited for a payment that was made before. */
function usePayQuote(quote: Quote, begun: SecondPayment["begun"]) {
  return useAction(async (plan: Plan) => {
    const params = { path: { quote_id: quote.quote_id } };
    const made = await begun((confirm_second) => {
      const options = { params, body: { plan, confirm_second }, ...withIdempotencyKey() };
      return readData(api.POST("/api/quotes/{quote_id}/create-payment-order", options));
    });
    if (made) navigation.go(made.approval_url);
    return made !== null;
  }, "Failed to process payment");
}

/** The two ways to pay a quote. */
export function PlanDialog({ quote, onClose }: { quote: Quote; onClose: () => void }): ReactNode {
  const [plan, setPlan] = useState<Plan>(quote.selected_plan ?? "yearly");
  const { asking, begun } = useSecondPayment();
  const pay = usePayQuote(quote, begun);
  const price = formatMoney(plan === "yearly" ? quote.annual_price : quote.monthly_price);
  return (
    <ActDialog
      title="Choose your plan"
      description={`Quote ${quote.quote_id}: ${formatNumber(quote.credits_needed)} credits`}
      action={`Pay ${price} with PayPal`}
      busy={pay.isPending || pay.data === true}
      onAct={() => pay.mutate(plan)}
      onClose={onClose}
    >
      <fieldset className="stack-4 plan-options">
        <legend className="visually-hidden">Billing period</legend>
        <Option quote={quote} plan="yearly" chosen={plan === "yearly"} onChoose={() => setPlan("yearly")}>
          <YearlyOption quote={quote} />
        </Option>
        <Option quote={quote} plan="monthly" chosen={plan === "monthly"} onChoose={() => setPlan("monthly")}>
          <MonthlyOption quote={quote} />
        </Option>
        <p className="muted small">
          You go on to PayPal. The plan is active within 10 minutes of your payment.
        </p>
      </fieldset>
      <SecondPaymentQuestion asking={asking} />
    </ActDialog>
  );
}
