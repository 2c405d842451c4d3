import type { ReactNode } from "react";

import { getRefusal } from "../../../lib/errors";
import { useForm } from "../../../lib/use-form";
import { Failure, FormBox, TextField } from "../../../ui/form";
import { AuthSwitch } from "./auth-switch";
import { startSession, verifyCode, type SignInTarget } from "./calls";
import { SubmitButton } from "../../../ui/form-foot";

interface CodeFormProps {
  mfaToken: string;
  arrival: SignInTarget;
  onRestart: () => void;
}

/** The second step: a code of the authenticator app, or one of the recovery codes. */
export function CodeForm({ mfaToken, arrival, onRestart }: CodeFormProps): ReactNode {
  const form = useForm({
    defaults: { code: "" },
    check: ({ code }) => (code.trim() === "" ? { code: "Enter the code" } : {}),
    send: async ({ code }) => startSession(await verifyCode(mfaToken, code.trim()), arrival),
    fallback: "Authentication failed",
    says: "both",
  });
  const over = getRefusal(form.error, "INVALID_MFA_TOKEN") !== null;
  return (
    <FormBox form={form}>
      <TextField
        form={form}
        name="code"
        label="Code"
        hint="Six digits from the app, or one of your recovery codes."
        inputMode="text"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Failure>{form.failure}</Failure>
      <SubmitButton form={form} disabled={over}>
        Verify
      </SubmitButton>
      <AuthSwitch action="Start again" onClick={onRestart} />
    </FormBox>
  );
}
