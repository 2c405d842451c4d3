// What a list is called while it goes on.
import { formatCount } from "../../../lib/format";

export interface Named {
  /** Null of a pasted list. */
  filename: string | null;
  total_emails: number;
}

/** The name of its file; of a pasted list how long it is: Pasted list, 1,200 addresses. */
export function formatListName({ filename, total_emails }: Named): string {
  return filename ?? `Pasted list, ${formatCount(total_emails, "address", "addresses")}`;
}

/** Validating newsletter.csv. */
export function formatRunning(list: Named): string {
  return list.filename === null ? formatListName(list) : `Validating ${list.filename}`;
}
