import type { ReactNode } from "react";

import { api, readData } from "../../../lib/client";
import { navigation, storeViewToken } from "../../../lib/session";
import { Dialog } from "../../../ui/dialog";
import { DialogButton } from "../../../ui/dialog-button";
import { ReasonForm } from "../../../ui/reason-form";

interface ViewAsProps {
  id: number;
  name: string;
}

function ViewForm({ id }: { id: number }): ReactNode {
  const send = async (reason: string) => {
    const params = { path: { user_id: id } };
    const body = { reason };
    const { token } = await readData(api.POST("/api/admin/users/{user_id}/view-as", { params, body }));
    storeViewToken(token);
    navigation.go("/dashboard");
    return true;
  };
  return (
    <ReasonForm
      label="Reason"
      action="View as user"
      failed="Failed to view as this user"
      send={send}
      inDialog
    >
      <ul className="bullets">
        <li>You see the pages of this user for 15 minutes; a bar on each of them ends the view.</li>
        <li>Nothing can be changed. API keys, secrets and uploaded addresses are not shown.</li>
        <li>The user finds in the account&apos;s activity that you looked, and the reason is on record.</li>
      </ul>
    </ReasonForm>
  );
}

/** Begins a look at the product as this user sees it. */
export function ViewAs({ id, name }: ViewAsProps): ReactNode {
  return (
    <DialogButton
      dialog={(close) => (
        <Dialog title={`View as ${name}`} onClose={close}>
          <ViewForm id={id} />
        </Dialog>
      )}
    >
      View as user…
    </DialogButton>
  );
}
