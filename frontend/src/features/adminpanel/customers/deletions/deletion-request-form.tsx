import type { ReactNode } from "react";
import { toast } from "sonner";

import type { StaffUser } from "../../../../api/types";
import { api } from "../../../../lib/client";
import { useForm } from "../../../../lib/use-form";
import { Button } from "../../../../ui/button";
import { Failure, FormBox, TextField } from "../../../../ui/form";
import { reloadUsers } from "../use-users";

const MOST_LETTERS = 500;

/** Asks another administrator to delete a colleague: nobody does that alone. */
export function DeletionRequestForm({ user, onDone }: { user: StaffUser; onDone: () => void }): ReactNode {
  const form = useForm({
    defaults: { reason: "" },
    check: ({ reason }) => (reason.trim() === "" ? { reason: "Enter a reason" } : {}),
    send: async ({ reason }) => {
      const params = { path: { user_id: user.id } };
      await api.POST("/api/admin/users/{user_id}/deletion", { params, body: { reason: reason.trim() } });
      toast.success("Asked for. Another administrator must confirm it within 7 days.");
      onDone();
      await reloadUsers();
    },
    fallback: "Failed to ask for the deletion",
  });
  return (
    <FormBox form={form}>
      <TextField
        form={form}
        name="reason"
        label="Why should this account be deleted?"
        hint="Your colleague and every administrator get it by mail, and it goes into the audit."
        maxLength={MOST_LETTERS}
        autoComplete="off"
      />
      <Failure>{form.failure}</Failure>
      <div className="dialog-foot">
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="danger" type="submit" busy={form.busy}>
          Ask for deletion
        </Button>
      </div>
    </FormBox>
  );
}
