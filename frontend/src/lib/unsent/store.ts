// What was typed and not sent, kept in the storage of this tab under the id of its person: a session that ends, or a
// page that is left, loses none of it. Loaded on demand, by `useUnsent`.
import { ADDRESS_FORM } from "./names";
import { packText, unpackText } from "./packing";

const PREFIX = "unsent:";
const KEPT_MS = 24 * 60 * 60 * 1000;
const MOST_BYTES = 10 * 1024 * 1024;
/** So long nothing is typed before it is stored; longer once that takes its time. */
const PAUSE_MS = 500;
const LONG_PAUSE_MS = 2_000;
/** Characters from which on a text is packed. */
const PACKED_FROM = 256 * 1024;

/** What is known of a stored text without reading it. */
interface Head {
  person: string;
  /** When it was stored, in milliseconds since 1970. */
  since: number;
  /** Of the text in UTF-8. */
  bytes: number;
  /** Bytes of the packed text; 0 for one that is stored as it is. */
  packed: number;
  /** The values before anything was typed, as JSON: those of another time are not typed over. */
  untouched: string;
}

interface Change {
  value: unknown;
  untouched: string;
}

/** What is not stored yet, by form. */
const changes = new Map<string, Change>();
let timer: ReturnType<typeof setTimeout> | undefined;
let pause = PAUSE_MS;
let storing = Promise.resolve();

/** Whose page this is; nobody while staff look at an account, which they cannot change. */
function readPerson(): string | null {
  const { person, viewing } = document.documentElement.dataset;
  return viewing === undefined ? (person ?? null) : null;
}

function readHead(key: string): Head | null {
  const [line = ""] = (sessionStorage.getItem(key) ?? "").split("\n", 1);
  try {
    return JSON.parse(line) as Head;
  } catch {
    return null;
  }
}

function listKeys(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
}

/** Removes what others typed in this tab, and what is too old. */
export function removeOthersUnsent(person: string | null = readPerson()): void {
  for (const key of listKeys()) {
    const head = readHead(key);
    if (head?.person !== person || Date.now() - head.since > KEPT_MS) sessionStorage.removeItem(key);
  }
}

/** Removes all of it, and what is about to be stored. */
export function removeUnsent(): void {
  clearTimeout(timer);
  changes.clear();
  for (const key of listKeys()) sessionStorage.removeItem(key);
}

function countOtherBytes(key: string): number {
  const others = listKeys().filter((other) => other !== key);
  return others.reduce((total, other) => total + (readHead(other)?.bytes ?? 0), 0);
}

/** Puts a text there; what is too much for the tab, or for its storage, is not kept. */
function storeText(
  form: string,
  head: Omit<Head, "person" | "since" | "bytes">,
  text: string,
  bytes: number,
): void {
  const [key, person] = [PREFIX + form, readPerson()];
  sessionStorage.removeItem(key);
  if (person === null || bytes + countOtherBytes(key) > MOST_BYTES) return;
  try {
    const full: Head = { ...head, person, bytes, since: Date.now() };
    sessionStorage.setItem(key, `${JSON.stringify(full)}\n${text}`);
  } catch {
    sessionStorage.removeItem(key);
  }
}

function measureBytes(text: string): number {
  return new Blob([text]).size;
}

async function storeChange(form: string, change: Change): Promise<void> {
  const { value, untouched } = change;
  const text = JSON.stringify(value);
  pause = text.length < PACKED_FROM ? PAUSE_MS : LONG_PAUSE_MS;
  if (text === untouched) sessionStorage.removeItem(PREFIX + form);
  else if (text.length < PACKED_FROM) storeText(form, { packed: 0, untouched }, text, measureBytes(text));
  else {
    const { characters, bytes } = await packText(text);
    if (changes.get(form) !== change) return; // changed or removed meanwhile
    storeText(form, { packed: bytes, untouched }, characters, measureBytes(text));
  }
  if (changes.get(form) === change) changes.delete(form);
}

/** Stores at once what is to be stored after a pause. */
export function storeUnsent(): Promise<void> {
  clearTimeout(timer);
  storing = storing.then(async () => {
    for (const [form, change] of [...changes]) await storeChange(form, change);
  });
  return storing;
}

/** The page is being left: nothing that takes time is done any more. */
function storeWhileLeaving(): void {
  for (const [form, { value, untouched }] of changes) {
    const text = JSON.stringify(value);
    if (text === untouched) sessionStorage.removeItem(PREFIX + form);
    else storeText(form, { packed: 0, untouched }, text, measureBytes(text));
  }
}

addEventListener("pagehide", storeWhileLeaving);

/** Keeps the values of a form, once typing has paused; values that are the untouched ones are forgotten. */
export function keepUnsent(form: string, value: unknown, untouched: unknown): void {
  if (readPerson() === null) return;
  changes.set(form, { value, untouched: JSON.stringify(untouched) });
  clearTimeout(timer);
  timer = setTimeout(() => void storeUnsent(), pause);
}

/** The values that a form was left with; null without any, or when what it began with has changed since. */
export async function readUnsent<T>(form: string, untouched: T): Promise<T | null> {
  await storeUnsent();
  removeOthersUnsent();
  const key = PREFIX + form;
  const head = readHead(key);
  if (head?.untouched !== JSON.stringify(untouched)) return null;
  const stored = sessionStorage.getItem(key) ?? "";
  const text = stored.slice(stored.indexOf("\n") + 1);
  return JSON.parse(head.packed > 0 ? await unpackText(text, head.packed) : text) as T;
}

/** Whether addresses of more than one line stand in the field and were not sent. */
export async function hasUnsentList(): Promise<boolean> {
  await storeUnsent();
  const key = PREFIX + ADDRESS_FORM;
  const head = readHead(key);
  return head !== null && (head.packed > 0 || /\\n[^"]/.test(sessionStorage.getItem(key) ?? ""));
}
