import { useEffect, useEffectEvent, useRef, useState } from "react";

import { setWorkSaving } from "../session";
import type * as store from "./store";

type Store = typeof store;

/**
 * Keeps the values of a form in this tab until they are sent or as they were, and fills them in again, once, when the
 * form is opened anew and nothing has been typed. Never for passwords, keys or cards.
 * @param form name of the form in this tab; none is kept without one.
 * @param value what the form holds: another object only when something changed.
 * @param untouched what it holds before anything is typed.
 * @returns what forgets it: it was sent.
 */
export function useUnsent<T>(
  form: string | undefined,
  value: T,
  untouched: T,
  fill: (value: T) => void,
): () => void {
  const [loadedStore, setLoadedStore] = useState<Store>();
  const first = useRef(value);
  const open = useEffectEvent((loaded: Store, found: T | null) => {
    if (found !== null && value === first.current) fill(found);
    setLoadedStore(loaded);
    setWorkSaving(loaded.storeUnsent);
  });
  const keep = useEffectEvent((name: string) => loadedStore?.keepUnsent(name, value, untouched));
  const read = useEffectEvent((loaded: Store, name: string) => loaded.readUnsent(name, untouched));
  useEffect(() => {
    if (form === undefined) return;
    void import("./store").then(async (loaded) => open(loaded, await read(loaded, form)));
  }, [form]);
  useEffect(() => {
    if (form !== undefined) keep(form);
  }, [form, loadedStore, value]);
  return () => {
    if (form !== undefined) loadedStore?.keepUnsent(form, null, null);
  };
}
