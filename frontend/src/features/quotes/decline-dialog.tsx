import type { ReactNode } from "react";

import type { Quote } from "../../api/types";
import { api, readData } from "../../lib/client";
import { isUnreachable } from "../../lib/errors";
import { formatNumber } from "../../lib/format";
import { queryClient } from "../../lib/query";
import { QUOTES } from "./quote-states";
import { ConfirmDialog } from "../../ui/confirm-dialog";

/** Asks before a quote is declined. */
export function DeclineDialog({ quote, onClose }: { quote: Quote; onClose: () => void }): ReactNode {
  const params = { path: { quote_id: quote.quote_id } };
  return (
    <ConfirmDialog
      title={`Decline quote ${quote.quote_id}?`}
      action="Decline quote"
      act={() => readData(api.POST("/api/quotes/{quote_id}/decline", { params }))}
      failed={(error) => (isUnreachable(error) ? "Error declining quote" : "Failed to decline quote")}
      says="described"
      onEnd={() => queryClient.invalidateQueries({ queryKey: QUOTES })}
      onClose={onClose}
    >
      <p>
        The offer of {formatNumber(quote.credits_needed)} credits can then no longer be paid. You can always
        ask for another one.
      </p>
    </ConfirmDialog>
  );
}
