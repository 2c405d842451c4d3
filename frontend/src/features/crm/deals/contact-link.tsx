import type { ReactNode } from "react";

import type { Deal } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { buildMailto } from "../../../lib/mailto";
import { ButtonLink } from "../../../ui/button";
import { useAction } from "../../../lib/use-action";
import { reloadDeals } from "./use-board";

interface ContactLinkProps {
  deal: Deal;
  kind?: "quiet" | "plain";
}

/** Opens a mail draft to the contact, and notes that they were written to. */
export function ContactLink({ deal, kind = "plain" }: ContactLinkProps): ReactNode {
  const params = { path: { deal_id: deal.id } };
  const contacted = useAction(
    () => readData(api.POST("/api/admin/deals/{deal_id}/contact", { params })),
    "Failed to note the contact",
    { says: "described", onEnd: () => reloadDeals() },
  );
  const draft = { subject: `EmailCheck for ${deal.companyName}`, body: `Hello ${deal.contactName},\n\n` };
  return (
    <ButtonLink
      kind={kind}
      href={buildMailto(deal.contactEmail, draft)}
      aria-label={`Contact ${deal.companyName}`}
      draggable={false}
      onClick={() => contacted.mutate()}
    >
      Contact
    </ButtonLink>
  );
}
