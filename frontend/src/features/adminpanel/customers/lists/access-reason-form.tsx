import { useEffect, useRef, type ReactNode } from "react";

import { useForm } from "../../../../lib/use-form";
import { EntryField } from "../../../../ui/form";
import { PageForm } from "../../../../ui/form-foot";

const MOST_LETTERS = 120;
const MOST_OF_ADDRESS = 320;

interface Values {
  address: string;
  reason: string;
}

interface AccessReasonFormProps {
  action: string;
  fallback: string;
  /** Asks for the address to look for too. */
  withAddress?: boolean;
  send: (values: Values) => Promise<void>;
  onCancel: () => void;
}

function checkValues({ address, reason }: Values, withAddress: boolean): Partial<Values> {
  const wrong: Partial<Values> = {};
  if (withAddress && address.trim() === "") wrong.address = "Enter an address";
  if (reason.trim() === "") wrong.reason = "Enter a reason";
  return wrong;
}

/** Asks why staff want to see what a customer uploaded; the customer reads the reason. */
export function AccessReasonForm({
  action,
  fallback,
  withAddress = false,
  send,
  onCancel,
}: AccessReasonFormProps): ReactNode {
  const form = useForm<Values>({
    defaults: { address: "", reason: "" },
    check: (values) => checkValues(values, withAddress),
    send: ({ address, reason }) => send({ address: address.trim(), reason: reason.trim() }),
    fallback,
  });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector("input")?.focus();
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={box}>
      <PageForm form={form} action={action} onCancel={onCancel}>
        {withAddress ? (
          <EntryField
            form={form}
            name="address"
            label="Address to look for"
            inputMode="email"
            maxLength={MOST_OF_ADDRESS}
            spellCheck={false}
          />
        ) : null}
        <EntryField
          form={form}
          name="reason"
          label="Why do you need it?"
          hint="The customer reads it in the activity of the account. Name nobody."
          maxLength={MOST_LETTERS}
        />
      </PageForm>
    </div>
  );
}
