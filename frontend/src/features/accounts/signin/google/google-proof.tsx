import { type ReactNode } from "react";

import { getErrorMessage } from "../../../../lib/errors";
import { useAction } from "../../../../lib/use-action";
import { useForm } from "../../../../lib/use-form";
import { Button } from "../../../../ui/button";
import { Failure, FormBox, PasswordField } from "../../../../ui/form";
import { linkGoogleAccount, mailGoogleLink, type SignInTarget } from "../calls";
import { ResetOffer } from "../reset-offer";
import { SubmitButton } from "../../../../ui/form-foot";
import { LinkButton } from "../../../../ui/link-button";

const FAILED = "Failed to send the link";

interface GoogleProofProps {
  email: string;
  onSecondFactor: (mfaToken: string, arrival: SignInTarget) => void;
  onMailed: (email: string) => void;
  onForgot: (email: string) => void;
}

/** Whoever has no account yet: a mailed link makes one. */
function MailedLink({ email, onMailed }: Pick<GoogleProofProps, "email" | "onMailed">): ReactNode {
  const sending = useAction(mailGoogleLink, FAILED, { says: "here", onDone: () => onMailed(email) });
  return (
    <div className="stack-2">
      <p className="muted">New here? We email you a link, and your account is made when you open it.</p>
      <Failure>{sending.isError ? getErrorMessage(sending.error, FAILED) : null}</Failure>
      <Button busy={sending.isPending} onClick={() => sending.mutate()}>
        Email me a link
      </Button>
    </div>
  );
}

/** Proves an address that Google does not vouch for: by the password of its account, or by a mailed link. */
export function GoogleProof({ email, onSecondFactor, onMailed, onForgot }: GoogleProofProps): ReactNode {
  const form = useForm({
    defaults: { password: "" },
    check: ({ password }) => (password === "" ? { password: "Enter your password" } : {}),
    send: ({ password }) => linkGoogleAccount(password, onSecondFactor),
    fallback: "Authentication failed",
    says: "both",
  });
  return (
    <div className="stack-4">
      <p>
        Google does not run the mailbox <strong>{email}</strong>, so it cannot tell whether it is still yours.
      </p>
      <FormBox form={form}>
        <PasswordField form={form} name="password" label="Password of your account" />
        <Failure>{form.failure}</Failure>
        <ResetOffer error={form.error} />
        <SubmitButton form={form}>Link and sign in</SubmitButton>
        <LinkButton className="link auth-aside" onClick={() => onForgot(email)}>
          Forgot password?
        </LinkButton>
      </FormBox>
      <p className="auth-or">or</p>
      <MailedLink email={email} onMailed={onMailed} />
    </div>
  );
}
