import { useState, type ReactNode } from "react";

import { api, readData } from "../../../lib/client";
import { navigation, storeViewToken } from "../../../lib/session";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Failure, FormBox, TextField } from "../../../ui/form";

interface ViewAsProps {
  id: number;
  name: string;
}

function ViewForm({ id }: { id: number }): ReactNode {
  const form = useForm({
    defaults: { reason: "" },
    check: ({ reason }) => (reason.trim() === "" ? { reason: "Enter a reason" } : {}),
    send: async (body) => {
      const params = { path: { user_id: id } };
      const { token } = await readData(api.POST("/api/admin/users/{user_id}/view-as", { params, body }));
      storeViewToken(token);
      navigation.go("/dashboard");
      return true;
    },
    fallback: "Failed to view as this user",
  });
  return (
    <FormBox form={form}>
      <ul className="bullets">
        <li>You see the pages of this user for 15 minutes; a bar on each of them ends the view.</li>
        <li>Nothing can be changed. API keys, secrets and uploaded addresses are not shown.</li>
        <li>The user finds in the account&apos;s activity that you looked, and the reason is on record.</li>
      </ul>
      <TextField form={form} name="reason" label="Reason" maxLength={500} autoComplete="off" />
      <Failure>{form.failure}</Failure>
      <div className="dialog-foot">
        <Button kind="primary" type="submit" busy={form.busy}>
          View as user
        </Button>
      </div>
    </FormBox>
  );
}

/** Begins a look at the product as this user sees it. */
export function ViewAs({ id, name }: ViewAsProps): ReactNode {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>View as user…</Button>
      {asking ? (
        <Dialog title={`View as ${name}`} onClose={() => setAsking(false)}>
          <ViewForm id={id} />
        </Dialog>
      ) : null}
    </>
  );
}
