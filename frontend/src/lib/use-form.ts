import { useState } from "react";

import { sayFailure, type Says } from "./use-action";
import { ApiError, getErrorMessage } from "./errors";
import { useUnsent } from "./unsent/use-unsent";

type Values<V> = Record<keyof V & string, string>;
type Errors<V> = Partial<Record<keyof V & string, string>>;

interface Options<V extends Values<V>> {
  defaults: V;
  /** What is wrong, by field; nothing is sent then. */
  check?: (values: V) => Errors<V>;
  /** Answers true when the page is being left: the button stays busy. */
  send: (values: V) => Promise<unknown>;
  /** What to say when the server gives no reason. */
  fallback: string;
  /** Where a failure is said that is about no one field. */
  says?: Says;
  /** Under this name the tab keeps what was typed and not sent. Never for passwords, keys or cards. */
  unsent?: string;
}

export interface Form<V extends Values<V>> {
  values: V;
  errors: Errors<V>;
  /** Why the last try failed, when it is about no one field and the form is to say it. */
  failure: string | null;
  error: unknown;
  busy: boolean;
  set: (name: keyof V & string, value: string) => void;
  submit: (event: { preventDefault: () => void }) => void;
  /** How often fields were found wrong: each time the first of them gets the focus. */
  refusals: number;
}

function findField<V extends Values<V>>(error: unknown, values: V): (keyof V & string) | null {
  const field = error instanceof ApiError ? error.body.details?.field : null;
  return field && field in values ? (field as keyof V & string) : null;
}

/** The values that hold nothing unsent: the first ones, and after each sending those that the form then shows. */
function useUntouched<V>(values: V, sendings: number): V {
  const [untouched, setUntouched] = useState({ values, sendings });
  if (untouched.sendings !== sendings) setUntouched({ values, sendings });
  return untouched.values;
}

/** A form of text fields: checks them, sends them once at a time, and puts each error where it belongs. */
export function useForm<V extends Values<V>>(options: Options<V>): Form<V> {
  const { defaults, check, send, fallback, says = "here", unsent } = options;
  const [values, setValues] = useState(defaults);
  const [errors, setErrors] = useState<Errors<V>>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const [sendings, setSendings] = useState(0);
  const untouched = useUntouched(values, sendings);
  const forget = useUnsent(unsent, values, untouched, (found) => setValues({ ...values, ...found }));

  const refuse = (wrong: Errors<V>) => {
    setErrors(wrong);
    setRefusals((count) => count + 1);
  };
  const fail = (reason: unknown) => {
    const field = findField(reason, values);
    if (field) refuse({ [field]: getErrorMessage(reason, fallback) } as Errors<V>);
    else {
      sayFailure(reason, fallback, says);
      setError(reason);
    }
    setBusy(false);
  };
  const submit: Form<V>["submit"] = (event) => {
    event.preventDefault();
    if (busy) return;
    const wrong = check?.(values) ?? {};
    setErrors({});
    setError(null);
    if (Object.keys(wrong).length > 0) {
      refuse(wrong);
      return;
    }
    setBusy(true);
    send(values).then((leaving) => {
      forget();
      setSendings((count) => count + 1);
      setBusy(leaving === true);
    }, fail);
  };
  const set = (name: keyof V & string, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => (name in before ? { ...before, [name]: undefined } : before));
  };
  const failure =
    error === null || (says !== "here" && says !== "both") ? null : getErrorMessage(error, fallback);
  return { values, errors, failure, error, busy, set, submit, refusals };
}
