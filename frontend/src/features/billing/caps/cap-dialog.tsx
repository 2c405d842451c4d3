import type { ReactNode } from "react";
import { toast } from "sonner";

import { api, readData } from "../../../lib/client";
import { formatCount } from "../../../lib/format";
import { useForm } from "../../../lib/use-form";
import { EntryField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";

const MOST = 1_000_000_000;

/** A cap in words. */
export function describeCap(cap: number | null): string {
  return cap === null ? "No cap" : `${formatCount(cap, "credit")} a month`;
}

interface CapDialogProps {
  member: { id: number; name: string; monthly_cap: number | null };
  /** Told when it was saved, to bring the members up to date. */
  onSaved: () => unknown;
  onClose: () => void;
}

/** How many credits a member may use in a credit month. */
export function CapDialog({ member, onSaved, onClose }: CapDialogProps): ReactNode {
  const form = useForm({
    defaults: { cap: member.monthly_cap === null ? "" : String(member.monthly_cap) },
    check: ({ cap }) =>
      /^\d*$/.test(cap.trim()) && Number(cap) <= MOST
        ? {}
        : { cap: "Enter a whole number of credits, or nothing for no cap" },
    send: async ({ cap }) => {
      const monthly_cap = cap.trim() === "" ? null : Number(cap);
      const params = { path: { member_id: member.id } };
      await readData(api.PUT("/api/organisation/members/{member_id}/cap", { params, body: { monthly_cap } }));
      toast.success(`${member.name}: ${describeCap(monthly_cap).toLowerCase()}`);
      await onSaved();
      onClose();
    },
    fallback: "The cap could not be saved",
  });
  return (
    <FormDialog
      title={`Cap of ${member.name}`}
      description="Beyond it their checks are refused until the next credit month. Checks with API keys do not count."
      onClose={onClose}
      form={form}
      action="Save cap"
    >
      <EntryField
        form={form}
        name="cap"
        label="Credits a month"
        inputMode="numeric"
        hint="Leave it empty for no cap."
      />
    </FormDialog>
  );
}
