import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Quote } from "../../api/types";
import { api, readData } from "../../lib/client";
import { isUnreachable, getErrorMessage } from "../../lib/errors";
import { formatNumber } from "../../lib/format";
import { queryClient } from "../../lib/query";
import { QUOTES } from "./quote-states";
import { ConfirmDialog } from "../../ui/confirm-dialog";

/** Asks before a quote is declined. */
export function DeclineDialog({ quote, onClose }: { quote: Quote; onClose: () => void }): ReactNode {
  const decline = useMutation({
    mutationFn: () =>
      readData(
        api.POST("/api/quotes/{quote_id}/decline", { params: { path: { quote_id: quote.quote_id } } }),
      ),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => {
      const title = isUnreachable(error) ? "Error declining quote" : "Failed to decline quote";
      toast.error(title, { description: getErrorMessage(error, "") });
    },
    onSettled: () => {
      onClose();
      return queryClient.invalidateQueries({ queryKey: QUOTES });
    },
  });
  return (
    <ConfirmDialog
      title={`Decline quote ${quote.quote_id}?`}
      action="Decline quote"
      busy={decline.isPending}
      onConfirm={() => decline.mutate()}
      onClose={onClose}
    >
      <p>
        The offer of {formatNumber(quote.credits_needed)} credits can then no longer be paid. You can always
        ask for another one.
      </p>
    </ConfirmDialog>
  );
}
