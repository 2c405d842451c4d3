const KEY = "recent-choices";
const KEPT = 5;

/** Something that was gone to from the palette. */
export interface Choice {
  kind: string;
  label: string;
  address: string;
}

function isChoice(value: unknown): value is Choice {
  const { kind, label, address } = (value ?? {}) as Partial<Record<keyof Choice, unknown>>;
  return [kind, label, address].every((part) => typeof part === "string");
}

/** The newest first; nothing where what is stored cannot be read. */
export function readRecentChoices(): Choice[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isChoice) : [];
  } catch {
    return [];
  }
}

export function storeRecentChoice({ kind, label, address }: Choice): void {
  const others = readRecentChoices().filter((choice) => choice.address !== address);
  localStorage.setItem(KEY, JSON.stringify([{ kind, label, address }, ...others].slice(0, KEPT)));
}

/** They name lists and addresses: none outlives the session. */
export function clearRecentChoices(): void {
  localStorage.removeItem(KEY);
}
