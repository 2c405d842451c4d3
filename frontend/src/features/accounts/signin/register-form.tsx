import type { ReactNode } from "react";

import { readData, openApi } from "../../../lib/client";
import { readInvitation } from "../../billing/referrals/invitation";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Failure, FormBox, TextField } from "../../../ui/form";
import { startSession } from "./calls";
import { checkCredentials, isTooShort, PASSWORD_RULES, TOO_SHORT } from "./credential-checks";
import { GoogleButton } from "./google/google-button";

interface Values {
  name: string;
  email: string;
  password: string;
  company_name: string;
}

interface RegisterFormProps {
  email: string;
  google: boolean;
  onSent: (email: string) => void;
  onLogin: (email: string) => void;
}

function checkValues({ name, email, password }: Values): Partial<Values> {
  const short = password !== "" && isTooShort(password) ? { password: TOO_SHORT } : {};
  return {
    ...checkCredentials({ email, password }),
    ...short,
    ...(name.trim() === "" ? { name: "Enter your full name" } : {}),
  };
}

/** The mode register. */
export function RegisterForm({ email, google, onSent, onLogin }: RegisterFormProps): ReactNode {
  const form = useForm<Values>({
    defaults: { name: "", email, password: "", company_name: "" },
    check: checkValues,
    send: async (values) => {
      const body = { ...values, referral_code: readInvitation() };
      const { requires_verification, token } = await readData(openApi.POST("/api/auth/register", { body }));
      if (!requires_verification && token)
        return startSession(token, { to: "/dashboard", welcome: "Welcome!" });
      onSent(values.email);
      return false;
    },
    fallback: "Authentication failed",
  });
  return (
    <FormBox form={form}>
      <TextField form={form} name="name" label="Full Name" autoComplete="name" maxLength={150} />
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <TextField
        form={form}
        name="password"
        label="Password"
        hint={PASSWORD_RULES}
        type="password"
        autoComplete="new-password"
      />
      <TextField
        form={form}
        name="company_name"
        label={
          <>
            Company Name <span className="muted">(optional)</span>
          </>
        }
        autoComplete="organization"
        maxLength={150}
      />
      <Failure>{form.failure}</Failure>
      <Button kind="primary" type="submit" busy={form.busy}>
        Create account
      </Button>
      <GoogleButton configured={google} />
      <p className="auth-switch">
        Already registered?{" "}
        <button type="button" className="link" onClick={() => onLogin(form.values.email)}>
          Sign in
        </button>
      </p>
    </FormBox>
  );
}
