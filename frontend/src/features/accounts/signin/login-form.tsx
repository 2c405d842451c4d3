import type { ReactNode } from "react";

import { getRefusal } from "../../../lib/errors";
import { useForm } from "../../../lib/use-form";
import { Failure, FormBox, TextField, PasswordField } from "../../../ui/form";
import { AuthSwitch } from "./auth-switch";
import { signIn, type SignInTarget } from "./calls";
import { checkCredentials } from "./credential-checks";
import { GoogleButton } from "./google/google-button";
import { ResendVerification } from "./resend-verification";
import { ResetOffer } from "./reset-offer";
import { SubmitButton } from "../../../ui/form-foot";
import { LinkButton } from "../../../ui/link-button";

interface LoginFormProps {
  email: string;
  password: string;
  google: boolean;
  arrival: SignInTarget;
  /** Whom a suspended account may ask. */
  support: string;
  onSecondFactor: (mfaToken: string, arrival: SignInTarget) => void;
  onForgot: (email: string) => void;
  onRegister: (email: string) => void;
}

/** The mode login. */
export function LoginForm(props: LoginFormProps): ReactNode {
  const { google, arrival, support, onSecondFactor, onForgot, onRegister } = props;
  const form = useForm({
    defaults: { email: props.email, password: props.password },
    check: checkCredentials,
    send: (values) => signIn(values, arrival, onSecondFactor),
    fallback: "Authentication failed",
    says: "both",
  });
  const { email } = form.values;
  return (
    <FormBox form={form}>
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <PasswordField form={form} name="password" />
      <Failure>{form.failure}</Failure>
      {getRefusal(form.error, "EMAIL_NOT_VERIFIED") ? <ResendVerification email={email} /> : null}
      <ResetOffer error={form.error} />
      {getRefusal(form.error, "ACCOUNT_SUSPENDED") ? (
        <p className="auth-aside">
          Questions? Write to <a href={`mailto:${support}`}>{support}</a>.
        </p>
      ) : null}
      <SubmitButton form={form}>Sign In</SubmitButton>
      <LinkButton className="link auth-aside" onClick={() => onForgot(email)}>
        Forgot password?
      </LinkButton>
      <GoogleButton configured={google} />
      <AuthSwitch question="No account yet?" action="Create one" onClick={() => onRegister(email)} />
    </FormBox>
  );
}
