import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Result } from "../../api/types";
import { messageOf } from "../../lib/errors";
import { refreshCredits, validateSingle } from "../../lib/validations";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { Failure } from "./failure";

const FALLBACK = "Validation failed";

export function SingleForm({ onResult }: { onResult: (result: Result) => void }): ReactNode {
  const [email, setEmail] = useState("");
  const [missing, setMissing] = useState(false);
  const check = useMutation({
    mutationFn: validateSingle,
    onSuccess: (result) => {
      toast.success("Email validated successfully!");
      onResult(result);
      refreshCredits();
    },
    onError: (error) => toast.error(messageOf(error, FALLBACK)),
  });
  const submit = () => {
    setMissing(email.trim() === "");
    if (email.trim() !== "") check.mutate(email);
  };
  return (
    <form
      className="card stack-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Single address" error={missing ? "Enter the address to check" : undefined}>
        {(control) => (
          <div className="input-row">
            <input
              {...control}
              className="input"
              type="text"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="name@company.com"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
            <Button kind="primary" type="submit" busy={check.isPending}>
              Validate
            </Button>
          </div>
        )}
      </Field>
      {check.isError ? <Failure message={messageOf(check.error, FALLBACK)} error={check.error} /> : null}
    </form>
  );
}
