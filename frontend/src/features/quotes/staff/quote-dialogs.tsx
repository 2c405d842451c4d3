import type { ReactNode } from "react";

import type { StaffQuote } from "../../../api/types";
import { reloadAdmin } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatNumber } from "../../../lib/format";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { QUOTES } from "./quote-data";

interface QuestionProps {
  onClose: () => void;
}

interface QuoteQuestionProps extends QuestionProps {
  title: string;
  action: string;
  failed: string;
  act: () => Promise<{ message: string }>;
  children: ReactNode;
}

/** Asks before something is done to quotes. */
function QuoteQuestion(props: QuoteQuestionProps): ReactNode {
  return <ConfirmDialog {...props} says="described" onEnd={() => reloadAdmin(...QUOTES)} />;
}

interface OneProps extends QuestionProps {
  quote: StaffQuote;
}

/** Asks before a quote that was never paid is deleted. */
export function DeleteQuoteDialog({ quote, onClose }: OneProps): ReactNode {
  const params = { path: { quote_id: quote.quote_id } };
  return (
    <QuoteQuestion
      title={`Delete quote ${quote.quote_id}?`}
      action="Delete quote"
      act={() => readData(api.POST("/api/admin/quotes/{quote_id}/delete", { params }))}
      failed="Failed to delete quote"
      onClose={onClose}
    >
      <p className="break">
        {formatNumber(quote.credits_needed)} credits for {quote.customer_name} ({quote.customer_email}). Its
        plan request goes with it. This cannot be undone.
      </p>
    </QuoteQuestion>
  );
}

/** Asks before a paid quote leaves the list. */
export function ArchiveQuoteDialog({ quote, onClose }: OneProps): ReactNode {
  const params = { path: { quote_id: quote.quote_id } };
  return (
    <QuoteQuestion
      title={`Archive quote ${quote.quote_id}?`}
      action="Archive quote"
      act={() => readData(api.POST("/api/admin/quotes/{quote_id}/archive", { params }))}
      failed="Failed to archive quote"
      onClose={onClose}
    >
      <p className="break">
        It leaves this list; {quote.customer_name} keeps it, and its plan and payments stay as they are.
      </p>
    </QuoteQuestion>
  );
}

async function cleanUpQuotes(): Promise<{ message: string }> {
  const { reminders_7_days, reminders_2_days, deleted_quotes } = await readData(
    api.POST("/api/admin/quotes/cleanup"),
  );
  const parts = [
    `${reminders_7_days} 7-day reminders`,
    `${reminders_2_days} 2-day reminders`,
    `${deleted_quotes} quotes deleted`,
  ];
  return { message: `Cleanup complete: ${parts.join(", ")}` };
}

/** Asks before reminders go out and expired quotes go. */
export function CleanUpQuotesDialog({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <QuoteQuestion
      title="Clean up expired quotes?"
      action="Run cleanup"
      act={cleanUpQuotes}
      failed="Failed to run cleanup"
      onClose={onClose}
    >
      <p>
        Customers whose quotes end within 7 and within 2 days are reminded, once each. Quotes that expired
        unpaid are deleted at once, with their plan requests; paid ones stay.
      </p>
    </QuoteQuestion>
  );
}
