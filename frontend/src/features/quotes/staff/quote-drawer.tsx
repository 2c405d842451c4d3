import Mail from "lucide-react/icons/mail";
import Printer from "lucide-react/icons/printer";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { StaffQuote } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatDateTime, formatNumber, NO_VALUE } from "../../../lib/format";
import { buildMailto } from "../../../lib/mailto";
import { useForm, type Form } from "../../../lib/use-form";
import { ButtonLink } from "../../../ui/button";
import { Facts } from "../../../ui/facts";
import { RecordDrawer, type RecordPlace } from "../../../ui/record-drawer";
import { Loaded } from "../../../ui/states";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { AreaField, FormBox, EntryField } from "../../../ui/form";
import { QuoteBadge } from "../quote-badge";
import { PricedPlans } from "./price-preview";
import { draftOffer, QUOTES, sayReason } from "./quote-data";
import { SubmitButton } from "../../../ui/form-foot";

const FAILED = "Failed to send quote";

interface Values extends Record<string, string> {
  recipient_email: string;
  message: string;
}

function QuoteFacts({ quote }: { quote: StaffQuote }): ReactNode {
  const lines = [
    ["Quote ID", <span className="mono">{quote.quote_id}</span>],
    ["Credits needed", formatNumber(quote.credits_needed)],
    ["Customer", quote.customer_name],
    ["Email", quote.customer_email],
    ["Company", quote.customer_company ?? NO_VALUE],
    ["Created", formatDateTime(quote.created_at)],
    [quote.is_expired ? "Expired" : "Valid until", formatDateTime(quote.expires_at)],
    ["Status", <QuoteBadge quote={quote} />],
  ] as const;
  return (
    <Facts facts={lines} className="facts quote-facts">
      {quote.notes ? (
        <div className="quote-facts-wide">
          <dt>Notes</dt>
          <dd>{quote.notes}</dd>
        </div>
      ) : null}
    </Facts>
  );
}

function useSendQuote(quote: StaffQuote): Form<Values> {
  return useForm<Values>({
    defaults: { recipient_email: quote.customer_email, message: "" },
    check: ({ recipient_email }) =>
      recipient_email.trim() === "" ? { recipient_email: "Please enter recipient email" } : {},
    send: async ({ recipient_email, message }) => {
      const quote_data = { quote_id: quote.quote_id };
      const body = { quote_data, recipient_email: recipient_email.trim(), message };
      const call = api.POST("/api/admin/quotes/send-email", { body });
      toast.success((await sayReason(readData(call), FAILED)).message);
    },
    fallback: FAILED,
  });
}

function SendPanel({ quote }: { quote: StaffQuote }): ReactNode {
  const form = useSendQuote(quote);
  const recipient = form.values.recipient_email.trim();
  return (
    <section aria-labelledby="send-quote-heading" className="stack-2">
      <h3 id="send-quote-heading">Send by email</h3>
      <FormBox form={form}>
        <EntryField form={form} name="recipient_email" label="Recipient email" type="email" />
        <AreaField form={form} name="message" label="Message (optional)" rows={2} maxLength={2_000} />
        <div className="row">
          <SubmitButton form={form}>Email Quote via SMTP</SubmitButton>
          <ButtonLink href={buildMailto(recipient, draftOffer(quote))}>
            <Mail size={16} aria-hidden />
            Open in Email Client
          </ButtonLink>
          <ButtonLink href={`/admin/quotes/${quote.quote_id}/print`} target="_blank" rel="noopener">
            <Printer size={16} aria-hidden />
            Print Quote
          </ButtonLink>
        </div>
      </FormBox>
    </section>
  );
}

function QuoteBody({ quote }: { quote: StaffQuote }): ReactNode {
  return (
    <div className="stack">
      <QuoteFacts quote={quote} />
      <PricedPlans priced={quote} />
      <SendPanel quote={quote} />
    </div>
  );
}

/** One that is not among the rows, as after a reload. */
function LoadedQuote({ id }: { id: string }): ReactNode {
  const params = { path: { quote_id: id } };
  const quote = useAdminQuery([...QUOTES, "one", id], () =>
    readData(api.GET("/api/admin/quotes/{quote_id}", { params })),
  );
  return (
    <Loaded query={quote} fallback="Failed to load the quote" rows={6}>
      {(found) => <QuoteBody quote={found} />}
    </Loaded>
  );
}

interface QuoteDrawerProps {
  place: RecordPlace;
  rows: readonly StaffQuote[];
}

/** A quote with both plans, and the ways to hand it to the customer. */
export function QuoteDrawer({ place, rows }: QuoteDrawerProps): ReactNode {
  const row = rows.find(({ quote_id }) => quote_id === place.id);
  return (
    <RecordDrawer place={place} title={`Quote ${place.id}`}>
      {row ? <QuoteBody key={place.id} quote={row} /> : <LoadedQuote key={place.id} id={place.id} />}
    </RecordDrawer>
  );
}
