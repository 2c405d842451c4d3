import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Deal } from "../../../api/types";
import { api, dataOf } from "../../../lib/client";
import { messageOf } from "../../../lib/errors";
import { mailto } from "../../../lib/mailto";
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
    mutationFn: () => dataOf(api.POST("/api/admin/deals/{deal_id}/contact", { params })),
    onError: (error) => toast.error("Failed to note the contact", { description: messageOf(error, "") }),
    onSettled: reloadDeals,
  });
  const draft = { subject: `EmailCheck for ${deal.companyName}`, body: `Hello ${deal.contactName},\n\n` };
  return (
    <ButtonLink
      kind={kind}
      href={mailto(deal.contactEmail, draft)}
      aria-label={`Contact ${deal.companyName}`}
      draggable={false}
      onClick={() => contacted.mutate()}
    >
      Contact
    </ButtonLink>
  );
}
