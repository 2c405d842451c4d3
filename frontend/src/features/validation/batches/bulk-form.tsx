import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { ListAnswer } from "../../../api/types";
import { getErrorMessage } from "../../../lib/errors";
import { formatCount } from "../../../lib/format";
import { validateBulk } from "../calls";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { readLines, SAMPLE } from "./address-list";
import { TypedListNotice } from "./basic-checks-notice";
import { ValidationFailure, toastFailure } from "../validation-failure";
import { InHouseChoice } from "./in-house-choice";

const FALLBACK = "Bulk validation failed";

function formatCost(text: string): string {
  const { lines, unique } = readLines(text);
  if (lines.length === 0) return "One address per line. Duplicates are checked and charged once.";
  return `${formatCount(lines.length, "address", "addresses")}, ${formatCount(unique, "credit")} at most`;
}

interface BulkFormProps {
  sandbox: boolean;
  /** The outside providers that are asked about open addresses, unless the list stays in-house. */
  providers?: readonly string[];
  onAnswer: (answer: ListAnswer) => void;
}

/** The list as it is typed, and its start. */
function useTypedList(onAnswer: (answer: ListAnswer) => void) {
  const [text, setText] = useState("");
  const [inHouse, setInHouse] = useState(false);
  const [missing, setMissing] = useState(false);
  const check = useMutation({
    mutationFn: validateBulk,
    onSuccess: onAnswer,
    onError: (error) => toastFailure(getErrorMessage(error, FALLBACK), error),
  });
  const list = readLines(text);
  const submit = (maxCredits?: number) => {
    setMissing(list.lines.length === 0);
    if (list.lines.length > 0) check.mutate({ emails: list.lines, inHouse, maxCredits });
  };
  return { text, setText, inHouse, setInHouse, missing, check, list, submit };
}

export function BulkForm({ sandbox, providers = [], onAnswer }: BulkFormProps): ReactNode {
  const { text, setText, inHouse, setInHouse, missing, check, list, submit } = useTypedList(onAnswer);
  return (
    <form
      className="card stack-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="Paste a list"
        hint={formatCost(text)}
        error={missing ? "Please enter at least one email" : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            className="input"
            spellCheck={false}
            autoCapitalize="none"
            placeholder={"anna@company.com\nben@company.com"}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {providers.length > 0 ? (
        <InHouseChoice providers={providers} checked={inHouse} onChange={setInHouse} />
      ) : null}
      <TypedListNotice list={list} busy={check.isPending} onFirst={submit} />
      {check.isError ? (
        <ValidationFailure message={getErrorMessage(check.error, FALLBACK)} error={check.error} />
      ) : null}
      <div className="row">
        <Button type="submit" busy={check.isPending}>
          Validate list
        </Button>
        {sandbox && text === "" ? (
          <Button kind="quiet" onClick={() => setText(SAMPLE)}>
            Use a sample list
          </Button>
        ) : null}
      </div>
    </form>
  );
}
