import type { ReactNode } from "react";

import { readData, openApi } from "../../../lib/client";
import { readInvitation } from "../../../lib/referral-code";
import { useForm } from "../../../lib/use-form";
import { Failure, FormBox, TextField, PasswordField } from "../../../ui/form";
import { AuthSwitch } from "./auth-switch";
import { startSession } from "./calls";
import { checkCredentials, isTooShort, PASSWORD_RULES, TOO_SHORT } from "./credential-checks";
import { GoogleButton } from "./google/google-button";
import { SubmitButton } from "../../../ui/form-foot";

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
    says: "both",
  });
  return (
    <FormBox form={form}>
      <TextField form={form} name="name" label="Full Name" autoComplete="name" maxLength={150} />
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <PasswordField form={form} name="password" hint={PASSWORD_RULES} fresh />
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
      <SubmitButton form={form}>Create account</SubmitButton>
      <GoogleButton configured={google} />
      <AuthSwitch
        question="Already registered?"
        action="Sign in"
        onClick={() => onLogin(form.values.email)}
      />
    </FormBox>
  );
}
