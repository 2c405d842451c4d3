import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { StaffQuote } from "../../../api/types";
import { api, dataOf } from "../../../lib/client";
import { messageOf } from "../../../lib/errors";
import { formatNumber } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { Confirm } from "../../../ui/confirm";
import { QUOTES } from "./words";

function reload(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ["admin", ...QUOTES] });
}

interface CallOptions {
  call: () => Promise<{ message: string }>;
  failed: string;
  onClose: () => void;
}

/** Does it, says so, closes the question and brings the list up to date. */
function useCall({ call, failed, onClose }: CallOptions) {
  return useMutation({
    mutationFn: call,
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(failed, { description: messageOf(error, "") }),
    onSettled: () => {
      onClose();
      return reload();
    },
  });
}

interface QuestionProps {
  quote: StaffQuote;
  onClose: () => void;
}

/** Asks before a quote that was never paid is deleted. */
export function DeleteDialog({ quote, onClose }: QuestionProps): ReactNode {
  const params = { path: { quote_id: quote.quote_id } };
  const call = () => dataOf(api.POST("/api/admin/quotes/{quote_id}/delete", { params }));
  const remove = useCall({ call, failed: "Failed to delete quote", onClose });
  return (
    <Confirm
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
    </Confirm>
  );
}

/** Asks before a paid quote leaves the list. */
export function ArchiveDialog({ quote, onClose }: QuestionProps): ReactNode {
  const params = { path: { quote_id: quote.quote_id } };
  const call = () => dataOf(api.POST("/api/admin/quotes/{quote_id}/archive", { params }));
  const archive = useCall({ call, failed: "Failed to archive quote", onClose });
  return (
    <Confirm
      title={`Archive quote ${quote.quote_id}?`}
      action="Archive quote"
      busy={archive.isPending}
      onConfirm={() => archive.mutate()}
      onClose={onClose}
    >
      <p className="break">
        It leaves this list; {quote.customer_name} keeps it, and its plan and payments stay as they are.
      </p>
    </Confirm>
  );
}

async function cleanUp(): Promise<{ message: string }> {
  const { reminders_7_days, reminders_2_days, deleted_quotes } = await dataOf(
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
export function CleanupDialog({ onClose }: { onClose: () => void }): ReactNode {
  const cleanup = useCall({ call: cleanUp, failed: "Failed to run cleanup", onClose });
  return (
    <Confirm
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
    </Confirm>
  );
}
