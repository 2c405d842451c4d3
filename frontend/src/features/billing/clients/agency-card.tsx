import { useState, type ReactNode } from "react";

import type { CreditTransfer } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { Section } from "../../../ui/section";
import { TransferList } from "./transfer-list";

interface AgencyCardProps {
  /** The agency that acts here; null after its access has ended. */
  agency: string | null;
  transfers: readonly CreditTransfer[];
  mayEnd: boolean;
}

/** For a client: who acts in it and pays for it, and what it got. */
export function AgencyCard({ agency, transfers, mayEnd }: AgencyCardProps): ReactNode {
  const [ending, setEnding] = useState(false);
  const end =
    agency && mayEnd ? <Button onClick={() => setEnding(true)}>{`End access of ${agency}`}</Button> : null;
  return (
    <Section
      id="agency-heading"
      title={agency ? `Agency: ${agency}` : "Credits from an agency"}
      card
      aside={end}
    >
      {agency ? (
        <p className="muted">
          Owners and admins of {agency} act here as admins, and {agency} gets the bill. They see what happens
          here; you do not see what is theirs.
        </p>
      ) : null}
      <TransferList transfers={transfers} />
      {ending ? (
        <ConfirmDialog
          title={`End access of ${agency ?? ""}?`}
          action="End access"
          act={() => readData(api.POST("/api/organisation/agency/end"))}
          failed="The access could not be ended"
          says="here"
          onEnd={() => queryClient.invalidateQueries()}
          onClose={() => setEnding(false)}
        >
          <p>
            {agency} can no longer open this organisation. The credits that it gave and that are not spent
            stay here. From then on this organisation buys for itself. You cannot undo this.
          </p>
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
