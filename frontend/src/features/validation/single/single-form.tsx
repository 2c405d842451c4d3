import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { Result } from "../../../api/types";
import { getErrorMessage } from "../../../lib/errors";
import { validateSingle } from "../calls";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { isNotAsked } from "../results/check-again";
import { Examples } from "./examples";
import { ValidationFailure, toastFailure } from "../validation-failure";
import { toastVerdict } from "../verdict-toast";

const FALLBACK = "Validation failed";

/** The address that a link to this page brings along, such as one of `/sandbox`. */
function readLinkedAddress(): string {
  return new URLSearchParams(location.search).get("address") ?? "";
}

interface SingleFormProps {
  sandbox: boolean;
  onResult: (result: Result) => void;
}

export function SingleForm({ sandbox, onResult }: SingleFormProps): ReactNode {
  const [email, setEmail] = useState(readLinkedAddress);
  const [missing, setMissing] = useState(false);
  const check = useMutation({
    mutationFn: validateSingle,
    onSuccess: (result) => {
      if (!isNotAsked(result)) toastVerdict("Email validated successfully!", result);
      onResult(result);
    },
    onError: (error) => toastFailure(getErrorMessage(error, FALLBACK), error),
  });
  const submit = (address: string) => {
    setEmail(address);
    setMissing(address.trim() === "");
    if (address.trim() !== "") check.mutate(address);
  };
  return (
    <form
      className="card stack-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(email);
      }}
    >
      <Field label="Single address" error={missing ? "Enter the address to check" : undefined}>
        {(control) => (
          <div className="input-row">
            <input
              {...control}
              data-key="n"
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
      {check.isError ? (
        <ValidationFailure message={getErrorMessage(check.error, FALLBACK)} error={check.error} />
      ) : null}
      {sandbox ? <Examples busy={check.isPending} onChoose={submit} /> : null}
    </form>
  );
}
