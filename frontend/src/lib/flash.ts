const KEY = "flash";

/** Keeps a message for the next page, which shows it as a toast. */
export function storeFlash(message: string): void {
  sessionStorage.setItem(KEY, message);
}

export function takeFlash(): string | null {
  const message = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return message;
}
