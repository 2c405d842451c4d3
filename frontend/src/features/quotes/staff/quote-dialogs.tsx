import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { StaffQuote } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { formatNumber } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { QUOTES } from "./quote-data";

function reloadQuotes(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ["admin", ...QUOTES] });
}

interface CallOptions {
  call: () => Promise<{ message: string }>;
  failed: string;
  onClose: () => void;
}

/** Does it, says so, closes the question and brings the list up to date. */
function useQuoteCall({ call, failed, onClose }: CallOptions) {
  return useMutation({
    mutationFn: call,
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(failed, { description: getErrorMessage(error, "") }),
    onSettled: () => {
      onClose();
      return reloadQuotes();
    },
  });
}

interface QuestionProps {
  quote: StaffQuote;
  onClose: () => void;
}

/** Asks before a quote that was never paid is deleted. */
export function DeleteQuoteDialog({ quote, onClose }: QuestionProps): ReactNode {
  const params = { path: { quote_id: quote.quote_id } };
  const call = () => readData(api.POST("/api/admin/quotes/{quote_id}/delete", { params }));
  const remove = useQuoteCall({ call, failed: "Failed to delete quote", onClose });
  return (
    <ConfirmDialog
      title={`Delete quote ${quote.quote_id}?`}
      action="Delete quote"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p className="break">
        {formatNumber(quote.credits_needed)} credits for {quote.customer_name} ({quote.customer_email}). Its
        plan request goes with it. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}

/** Asks before a paid quote leaves the list. */
export function ArchiveQuoteDialog({ quote, onClose }: QuestionProps): ReactNode {
  const params = { path: { quote_id: quote.quote_id } };
  const call = () => readData(api.POST("/api/admin/quotes/{quote_id}/archive", { params }));
  const archive = useQuoteCall({ call, failed: "Failed to archive quote", onClose });
  return (
    <ConfirmDialog
      title={`Archive quote ${quote.quote_id}?`}
      action="Archive quote"
      busy={archive.isPending}
      onConfirm={() => archive.mutate()}
      onClose={onClose}
    >
      <p className="break">
        It leaves this list; {quote.customer_name} keeps it, and its plan and payments stay as they are.
      </p>
    </ConfirmDialog>
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
  const cleanup = useQuoteCall({ call: cleanUpQuotes, failed: "Failed to run cleanup", onClose });
  return (
    <ConfirmDialog
      title="Clean up expired quotes?"
      action="Run cleanup"
      busy={cleanup.isPending}
      onConfirm={() => cleanup.mutate()}
      onClose={onClose}
    >
      <p>
        Customers whose quotes end within 7 and within 2 days are reminded, once each. Quotes that expired
        unpaid are deleted at once, with their plan requests; paid ones stay.
      </p>
    </ConfirmDialog>
  );
}
