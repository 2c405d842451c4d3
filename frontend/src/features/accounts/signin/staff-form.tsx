import type { ReactNode } from "react";
import { toast } from "sonner";

import { useForm } from "../../../lib/use-form";
import { Failure, FormBox, TextField, PasswordField } from "../../../ui/form";
import { signIn, TO_ADMIN, type SignInTarget } from "./calls";
import { checkCredentials } from "./credential-checks";
import { ResetOffer } from "./reset-offer";
import { SubmitButton } from "../../../ui/form-foot";

interface StaffFormProps {
  /** The domain of the staff's addresses; empty where nobody is staff. */
  domain: string;
  onSecondFactor: (mfaToken: string, arrival: SignInTarget) => void;
}

function isStaffAddress(email: string, domain: string): boolean {
  return domain !== "" && email.trim().toLowerCase().endsWith(`@${domain.toLowerCase()}`);
}

/** The partner portal: staff sign in here and go to the staff area. */
export function StaffForm({ domain, onSecondFactor }: StaffFormProps): ReactNode {
  const form = useForm({
    defaults: { email: "", password: "" },
    check: (values) => {
      const wrong = checkCredentials(values);
      if (wrong.email || isStaffAddress(values.email, domain)) return wrong;
      const denied = `Admin access denied. Only @${domain} emails are allowed.`;
      toast.error(denied);
      return { ...wrong, email: denied };
    },
    send: (values) => signIn(values, TO_ADMIN, onSecondFactor),
    fallback: "Admin authentication failed",
    says: "both",
  });
  return (
    <FormBox form={form}>
      <TextField form={form} name="email" label="Staff email" type="email" autoComplete="username" />
      <PasswordField form={form} name="password" />
      <Failure>{form.failure}</Failure>
      <ResetOffer error={form.error} />
      <SubmitButton form={form}>Sign In</SubmitButton>
    </FormBox>
  );
}
