import { useUrlState } from "./url-state";

/** On the entry of the history that opening a record added: leaving the record goes back from it. */
const OPENED = { opened: "record" };

function isOpened(state: unknown): boolean {
  return (state as Partial<typeof OPENED> | null)?.opened === OPENED.opened;
}

export interface OpenRecord {
  /** Of the record that is open; null while none is. */
  id: string | null;
  open: (id: string | number) => void;
  /** Shows another one in its place. */
  move: (id: string) => void;
  close: () => void;
}

/**
 * The record of a list that is open, in the address: a reload opens it again, and Back closes it.
 * @param name what the address calls it.
 */
export function useRecord(name = "record"): OpenRecord {
  const [url, setUrl] = useUrlState();
  return {
    id: url.get(name),
    open: (id) => {
      setUrl({ [name]: String(id) });
      history.replaceState(OPENED, "");
    },
    move: (id) => {
      const opened = isOpened(history.state);
      setUrl({ [name]: id }, "replace");
      if (opened) history.replaceState(OPENED, "");
    },
    close: () => {
      if (isOpened(history.state)) history.back();
      else setUrl({ [name]: null }, "replace");
    },
  };
}
