import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { AnswerView } from "../features/public/reference/answer-view";
import { CallFields } from "../features/public/reference/call-fields";
import { KeyBox } from "../features/public/reference/key-box";
import { useCtrlEnter } from "../features/public/reference/use-ctrl-enter";
import {
  storeIds,
  storeKey,
  readIds,
  readKey,
  getKeyRefusal,
} from "../features/public/reference/stored-values";
import { formatCurl, sendCall, type Call, type CallInput } from "../features/public/reference/api-call";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { Dialog } from "../ui/dialog";
import { Failure } from "../ui/form";
import { Toaster } from "../ui/toaster";

interface TryItProps {
  calls: Call[];
  signedIn: boolean;
  /** The id of the call that is tried. */
  call?: string;
}

function findMissing(call: Call, { values, file }: CallInput): string | null {
  const missing = call.fields.find(
    ({ name, required, file: isFile }) => required && (isFile ? file === null : (values[name] ?? "") === ""),
  );
  return missing ? `Fill in ${missing.name}.` : null;
}

interface ConsoleProps {
  call: Call;
  signedIn: boolean;
}

function Console({ call, signedIn }: ConsoleProps): ReactNode {
  const [key, setKey] = useState(readKey);
  const [entered, setEntered] = useState<CallInput>({ values: readIds(), file: null, body: call.body ?? "" });
  const [wrong, setWrong] = useState<string | null>(null);
  const sending = useMutation({ mutationFn: () => sendCall(call, entered, key), onSuccess: storeIds });
  const choose = (text: string) => {
    setKey(text);
    storeKey(text);
  };
  const submitCall = () => {
    const reason = key === "" ? "Enter a test key." : (getKeyRefusal(key) ?? findMissing(call, entered));
    setWrong(reason);
    if (reason === null && !sending.isPending) sending.mutate();
  };
  useCtrlEnter(submitCall);
  const command = formatCurl(call, entered, getKeyRefusal(key) === null ? key : "");
  return (
    <form
      className="stack-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submitCall();
      }}
    >
      <KeyBox value={key} signedIn={signedIn} onChange={choose} />
      <CallFields
        call={call}
        entered={entered}
        onChange={(change) => setEntered((before) => ({ ...before, ...change }))}
      />
      <pre className="ref-code ref-whole" role="group" aria-label="As a command">
        {command}
      </pre>
      <Failure>
        {wrong ?? (sending.isError ? "No answer came. Check your connection and send again." : null)}
      </Failure>
      <div className="row">
        <Button kind="primary" type="submit" busy={sending.isPending}>
          Send
        </Button>
        <CopyButton text={command} label="Copy command" />
        <span className="hint fine-pointer">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends
        </span>
      </div>
      {sending.data ? <AnswerView answer={sending.data} /> : null}
    </form>
  );
}

/** A console for one call of the API, with test keys alone. */
export default function TryIt({ calls, signedIn, call: id }: TryItProps): ReactNode {
  const [open, setOpen] = useState(true);
  const call = calls.find((one) => one.id === id);
  if (!open || !call) return null;
  return (
    <>
      <Toaster />
      <Dialog
        title={call.title}
        description={
          <code>
            {call.method} {call.path}
          </code>
        }
        onClose={() => setOpen(false)}
        wide
      >
        <Console call={call} signedIn={signedIn} />
      </Dialog>
    </>
  );
}
