import type { ReactNode } from "react";
import { toast } from "sonner";

import { readData, openApi } from "../../../lib/client";
import { useForm } from "../../../lib/use-form";
import { Failure, FormBox, TextField } from "../../../ui/form";
import { AuthSwitch } from "./auth-switch";
import { SubmitButton } from "../../../ui/form-foot";

const MIN_ADDRESS = 5;

function isCompleteAddress(email: string): boolean {
  const text = email.trim();
  return text.length >= MIN_ADDRESS && text.includes("@") && text.includes(".");
}

interface ForgotFormProps {
  email: string;
  onSent: (email: string) => void;
  onLogin: (email: string) => void;
}

/** The mode forgot: mails a link to choose a new password. */
export function ForgotForm({ email, onSent, onLogin }: ForgotFormProps): ReactNode {
  const form = useForm({
    defaults: { email },
    send: async (body) => {
      await readData(openApi.POST("/api/auth/forgot-password", { body }));
      toast.success("Password reset link sent to your email!");
      onSent(body.email);
    },
    fallback: "Failed to send reset link",
    says: "both",
  });
  return (
    <FormBox form={form}>
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <Failure>{form.failure}</Failure>
      <SubmitButton form={form} disabled={!isCompleteAddress(form.values.email)}>
        Send reset link
      </SubmitButton>
      <AuthSwitch action="Back to sign in" onClick={() => onLogin(form.values.email)} />
    </FormBox>
  );
}
