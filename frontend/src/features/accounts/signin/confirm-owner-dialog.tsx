import { useEffect, useRef, useState, type ReactNode } from "react";

import { api } from "../../../lib/client";
import { useForm } from "../../../lib/use-form";
import { Dialog } from "../../../ui/dialog";
import { Failure, FormBox, TextField } from "../../../ui/form";
import { SubmitButton } from "../../../ui/form-foot";
import { LinkButton } from "../../../ui/link-button";

type ProofKind = "password" | "code";

function ProofForm({ way, onDone }: { way: ProofKind; onDone: () => void }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("input")?.focus(), []);
  const form = useForm({
    defaults: { proof: "" },
    check: ({ proof }) => (proof.trim() === "" ? { proof: `Enter your ${way}` } : {}),
    send: async ({ proof }) => {
      const body = way === "password" ? { password: proof } : { code: proof.trim() };
      await api.POST("/api/auth/reauthenticate", { body });
      onDone();
      return true;
    },
    fallback: "That could not be checked",
  });
  const field =
    way === "password"
      ? { label: "Password", type: "password", autoComplete: "current-password" }
      : { label: "Code from the app", inputMode: "numeric" as const, autoComplete: "one-time-code" };
  return (
    <div ref={box}>
      <FormBox form={form}>
        <TextField form={form} name="proof" autoCapitalize="none" spellCheck={false} {...field} />
        <Failure>{form.failure}</Failure>
        <SubmitButton form={form}>Confirm</SubmitButton>
      </FormBox>
    </div>
  );
}

/** Asks who is there once more, before what could do harm. */
export function ConfirmOwnerDialog({ onEnd }: { onEnd: (confirmed: boolean) => void }): ReactNode {
  const [way, setWay] = useState<ProofKind>("password");
  const other = way === "password" ? "code" : "password";
  return (
    <Dialog
      title="Confirm that it is you"
      description="You signed in a while ago. Confirm, and what you asked for continues."
      onClose={() => onEnd(false)}
    >
      <div className="stack-4">
        <ProofForm key={way} way={way} onDone={() => onEnd(true)} />
        <p>
          <LinkButton onClick={() => setWay(other)}>
            {other === "code" ? "Use a code from the authenticator app" : "Use the password"}
          </LinkButton>
        </p>
        <p className="muted small">
          No password because you use Google?{" "}
          <a className="link" href="/api/auth/google/start">
            Sign in with Google again
          </a>
          , then try this again.
        </p>
      </div>
    </Dialog>
  );
}
