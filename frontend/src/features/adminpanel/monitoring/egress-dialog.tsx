import type { ReactNode } from "react";
import { toast } from "sonner";

import type { EgressAddress } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useForm } from "../../../lib/use-form";
import { TextField } from "../../../ui/form";
import { refreshRoutes } from "./queries";
import { FormDialog } from "../../../ui/form-dialog";

export type EgressAction = "rest" | "drain" | "resume" | "remove";

export const ACTION_WORDS: Record<EgressAction, string> = {
  rest: "Rest",
  drain: "Drain",
  resume: "Resume",
  remove: "Remove",
};
const DONE: Record<EgressAction, string> = {
  rest: "rests",
  drain: "is being drained",
  resume: "works again",
  remove: "is removed",
};
const CONSEQUENCES: Record<EgressAction, string> = {
  rest: "It opens no new connections until somebody resumes it. No list fails: rows wait, or go by another address.",
  drain:
    "It ends what it has begun and opens no new connections, so that it can be taken out of VERIFIER_ROUTES. No list fails: rows wait, or go by another address.",
  resume: "It opens connections again, with the limits of today.",
  remove:
    "It is used no more, though it stays among VERIFIER_ROUTES until you take it out there. No list fails: rows wait, or go by another address. What it did stays on record.",
};

interface EgressDialogProps {
  egress: EgressAddress;
  action: EgressAction;
  onClose: () => void;
}

/** Asks before an egress address is used, or not, and for the reason, which goes into the audit log. */
export function EgressDialog({ egress, action, onClose }: EgressDialogProps): ReactNode {
  const form = useForm<{ reason: string }>({
    defaults: { reason: "" },
    check: ({ reason }) => (reason.trim() === "" ? { reason: "Say why." } : {}),
    send: async ({ reason }) => {
      const params = { path: { egress_id: egress.id, action } };
      await readData(api.POST("/api/monitoring/egress/{egress_id}/{action}", { params, body: { reason } }));
      toast.success(`${egress.name} ${DONE[action]}`);
      onClose();
      await refreshRoutes();
    },
    fallback: `Failed to ${action} this address`,
  });
  return (
    <FormDialog
      title={`${ACTION_WORDS[action]} ${egress.name}?`}
      form={form}
      action={ACTION_WORDS[action]}
      kind={action === "resume" ? "primary" : "danger"}
      onClose={onClose}
    >
      <p>{CONSEQUENCES[action]}</p>
      <TextField
        form={form}
        name="reason"
        label="Reason"
        hint="Other staff see it here and in the audit log"
        maxLength={200}
      />
    </FormDialog>
  );
}
