import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { getErrorMessage } from "../../../lib/errors";
import { Button } from "../../../ui/button";
import { Failure } from "../../../ui/form";
import { resendVerification } from "./calls";

/** Asks for another verification mail. */
export function ResendVerification({ email }: { email: string }): ReactNode {
  const resend = useMutation({ mutationFn: () => resendVerification(email) });
  return (
    <div className="stack-2">
      <Button busy={resend.isPending} onClick={() => resend.mutate()}>
        Resend verification email
      </Button>
      {resend.isSuccess ? <p role="status">{resend.data}</p> : null}
      <Failure>
        {resend.isError ? getErrorMessage(resend.error, "Failed to resend verification email") : null}
      </Failure>
    </div>
  );
}
