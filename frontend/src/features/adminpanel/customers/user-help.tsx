import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { UserDetail } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { getMessage, useAction } from "../../../lib/use-action";
import { Button } from "../../../ui/button";
import { reloadUsers } from "./use-users";
import { ViewAs } from "./view-as";
import { ReasonForm } from "../../../ui/reason-form";

interface UserProps {
  user: UserDetail["user"];
}

function useHelpCall(call: () => Promise<{ message: string }>, failed: string) {
  return useAction(call, failed, { done: getMessage, onEnd: () => reloadUsers() });
}

function SignOut({ user }: UserProps): ReactNode {
  const params = { path: { user_id: user.id } };
  const call = () => readData(api.POST("/api/admin/users/{user_id}/sign-out", { params }));
  const help = useHelpCall(call, "Failed to sign the user out");
  return (
    <Button busy={help.isPending} onClick={() => help.mutate()}>
      Sign out everywhere
    </Button>
  );
}

function ResendVerification({ user }: UserProps): ReactNode {
  const params = { path: { user_id: user.id } };
  const call = () => readData(api.POST("/api/admin/users/{user_id}/resend-verification", { params }));
  const help = useHelpCall(call, "Failed to send the verification email");
  return (
    <Button busy={help.isPending} onClick={() => help.mutate()}>
      Resend verification
    </Button>
  );
}

function ResetForm({ user, onDone }: UserProps & { onDone: () => void }): ReactNode {
  const send = async (reason: string) => {
    const params = { path: { user_id: user.id } };
    const body = { reason };
    const { message } = await readData(api.POST("/api/admin/users/{user_id}/reset-mfa", { params, body }));
    toast.success(message);
    onDone();
    await reloadUsers();
  };
  return (
    <ReasonForm
      label="Why the second factor is removed"
      hint="It is recorded; the owner is told by mail that the factor is gone."
      action="Remove second factor"
      kind="danger"
      failed="Failed to remove the second factor"
      send={send}
      onCancel={onDone}
    />
  );
}

/** What staff may do for the owner of an account who is locked out or in danger. */
export function UserHelp({ user }: UserProps): ReactNode {
  const [resetting, setResetting] = useState(false);
  if (resetting) return <ResetForm user={user} onDone={() => setResetting(false)} />;
  return (
    <div className="row">
      {user.role === "user" && user.status === "active" && !user.is_protected ? (
        <ViewAs id={user.id} name={user.name} />
      ) : null}
      <SignOut user={user} />
      {user.email_verified ? null : <ResendVerification user={user} />}
      {user.mfa && user.role !== "admin" ? (
        <Button onClick={() => setResetting(true)}>Remove second factor…</Button>
      ) : null}
    </div>
  );
}
