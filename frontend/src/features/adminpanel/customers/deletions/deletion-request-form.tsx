import type { ReactNode } from "react";
import { toast } from "sonner";

import type { StaffUser } from "../../../../api/types";
import { api } from "../../../../lib/client";
import { reloadUsers } from "../use-users";
import { ReasonForm } from "../../../../ui/reason-form";

/** Asks another administrator to delete a colleague: nobody does that alone. */
export function DeletionRequestForm({ user, onDone }: { user: StaffUser; onDone: () => void }): ReactNode {
  const send = async (reason: string) => {
    const params = { path: { user_id: user.id } };
    await api.POST("/api/admin/users/{user_id}/deletion", { params, body: { reason } });
    toast.success("Asked for. Another administrator must confirm it within 7 days.");
    onDone();
    await reloadUsers();
  };
  return (
    <ReasonForm
      label="Why should this account be deleted?"
      hint="Your colleague and every administrator get it by mail, and it goes into the audit."
      action="Ask for deletion"
      kind="danger"
      failed="Failed to ask for the deletion"
      send={send}
      onCancel={onDone}
      inDialog
    />
  );
}
