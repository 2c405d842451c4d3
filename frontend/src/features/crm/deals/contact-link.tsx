import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Deal } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { buildMailto } from "../../../lib/mailto";
import { ButtonLink } from "../../../ui/button";
import { reloadDeals } from "./use-board";

interface ContactLinkProps {
  deal: Deal;
  kind?: "quiet" | "plain";
}

/** Opens a mail draft to the contact, and notes that they were written to. */
export function ContactLink({ deal, kind = "plain" }: ContactLinkProps): ReactNode {
  const params = { path: { deal_id: deal.id } };
  const contacted = useMutation({
    mutationFn: () => readData(api.POST("/api/admin/deals/{deal_id}/contact", { params })),
    onError: (error) =>
      toast.error("Failed to note the contact", { description: getErrorMessage(error, "") }),
    onSettled: reloadDeals,
  });
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
