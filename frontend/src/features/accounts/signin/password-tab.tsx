import type { ReactNode } from "react";

import { api, readData } from "../../../lib/client";
import { useAction } from "../../../lib/use-action";
import { useCurrentUser } from "../profile/use-current-user";
import { Button } from "../../../ui/button";
import { InputField } from "../../../ui/field";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";

const REQUIREMENTS = [
  "At least 8 characters",
  "Letters and numbers",
  "Not a common password",
  "Used for this product only",
];

function PasswordForm({ email }: { email: string }): ReactNode {
  const send = useAction(
    () => readData(api.POST("/api/auth/forgot-password", { body: { email } })),
    "Failed to send password reset email",
    { done: () => "Password reset link sent to your email!" },
  );
  return (
    <>
      <InputField label="Registered email" type="email" value={email} readOnly />
      <div className="row">
        <Button kind="primary" busy={send.isPending} onClick={() => send.mutate()}>
          Send password reset email
        </Button>
      </div>
      {send.isSuccess ? (
        <p className="muted" role="status">
          Open the link in the email within one hour. Once you have changed the password you are signed out
          everywhere.
        </p>
      ) : null}
    </>
  );
}

/** The tab Password Reset: a mail leads to the page where the password is chosen. */
export function PasswordTab(): ReactNode {
  const me = useCurrentUser();
  return (
    <Section id="password-heading" title="Password Reset" card className="settings-form">
      <p>We email you a link to a page where you choose a new password.</p>
      <div className="stack-1">
        <h3>A good password</h3>
        <ul className="bullets">
          {REQUIREMENTS.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
      <Loaded query={me} fallback="Failed to load the account" rows={2}>
        {({ email }) => <PasswordForm email={email} />}
      </Loaded>
    </Section>
  );
}
