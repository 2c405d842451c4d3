import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { Button } from "../../../ui/button";
import { InputField } from "../../../ui/field";
import { Failure } from "../../../ui/form";
import { getKeyRefusal } from "./stored-values";

const DAY_MS = 86_400_000;

interface KeyBoxProps {
  value: string;
  signedIn: boolean;
  onChange: (key: string) => void;
}

/** A key that ends by itself: what is tried here is over soon. */
async function createKey(): Promise<string> {
  const expires_at = new Date(Date.now() + DAY_MS).toISOString();
  const body = { name: "API reference", test: true, expires_at };
  return (await readData(api.POST("/api/user/api-keys", { body }))).key;
}

/** The test key that calls are made with. */
export function KeyBox({ value, signedIn, onChange }: KeyBoxProps): ReactNode {
  const creating = useMutation({ mutationFn: createKey, onSuccess: onChange });
  const failure = creating.isError ? getErrorMessage(creating.error, "The key could not be created") : null;
  return (
    <div className="stack-2">
      <InputField
        label="Test key"
        hint="Kept in this tab alone, until it is closed."
        error={getKeyRefusal(value) ?? undefined}
        value={value}
        placeholder="ec_test_…"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      {value !== "" ? null : signedIn ? (
        <div className="row">
          <Button busy={creating.isPending} onClick={() => creating.mutate()}>
            Create a test key
          </Button>
          <span className="hint">Free, and ends in a day.</span>
        </div>
      ) : (
        <p className="hint">
          <a href="/?login=true">Sign in</a> and make a test key here with one click, or paste one.
        </p>
      )}
      <Failure>{failure}</Failure>
    </div>
  );
}
