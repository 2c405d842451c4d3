import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { AnswerView } from "../features/public/reference/answer";
import { Fields } from "../features/public/reference/fields";
import { KeyBox } from "../features/public/reference/key-box";
import { useCtrlEnter } from "../features/public/reference/keys";
import { keepIds, keepKey, keptIds, keptKey, refusalOf } from "../features/public/reference/kept";
import { curlOf, send, type Call, type Entered } from "../features/public/reference/request";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Failure } from "../ui/form";
import { Toaster } from "../ui/toaster";

interface TryItProps {
  calls: Call[];
  signedIn: boolean;
  /** The id of the call that is tried. */
  call?: string;
}

function missingOf(call: Call, { values, file }: Entered): string | null {
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
  const [key, setKey] = useState(keptKey);
  const [entered, setEntered] = useState<Entered>({ values: keptIds(), file: null, body: call.body ?? "" });
  const [wrong, setWrong] = useState<string | null>(null);
  const sending = useMutation({ mutationFn: () => send(call, entered, key), onSuccess: keepIds });
  const choose = (text: string) => {
    setKey(text);
    keepKey(text);
  };
  const go = () => {
    const reason = key === "" ? "Enter a test key." : (refusalOf(key) ?? missingOf(call, entered));
    setWrong(reason);
    if (reason === null && !sending.isPending) sending.mutate();
  };
  useCtrlEnter(go);
  const command = curlOf(call, entered, refusalOf(key) === null ? key : "");
  return (
    <form
      className="stack-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <KeyBox value={key} signedIn={signedIn} onChange={choose} />
      <Fields
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
