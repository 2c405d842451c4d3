const PLACEHOLDER = "ec_test_YOUR_KEY";
const SHOWN_LETTERS = 16;

/** Kept for this tab alone, and for this account. */
function getStorageKey(account: string): string {
  return `docs_test_key:${account}`;
}

function showKey(root: HTMLElement, key: string | null): void {
  for (const place of root.querySelectorAll("[data-key]")) place.textContent = key ?? PLACEHOLDER;
  for (const [selector, shown] of [
    ["[data-key-none], [data-make-key]", key === null],
    ["[data-key-there], [data-forget-key]", key !== null],
  ] as const) {
    for (const part of root.querySelectorAll<HTMLElement>(selector)) part.hidden = !shown;
  }
  const name = root.querySelector("[data-key-shown]");
  if (name) name.textContent = key === null ? "" : `${key.slice(0, SHOWN_LETTERS)}…`;
}

/** Makes a test key for whoever is signed in, and fills it into the code. Answers what fills new code. */
export function installKey(root: HTMLElement, account: string): () => void {
  const place = getStorageKey(account);
  const fill = () => showKey(root, sessionStorage.getItem(place));
  const button = root.querySelector<HTMLButtonElement>("[data-make-key]");
  const failed = root.querySelector<HTMLElement>("[data-key-error]");
  const make = async () => {
    const { getErrorMessage } = await import("../lib/errors");
    button?.setAttribute("aria-disabled", "true");
    try {
      const { createDocumentationKey } = await import("../features/accounts/keys/documentation-key");
      sessionStorage.setItem(place, await createDocumentationKey());
      if (failed) failed.hidden = true;
      fill();
    } catch (error) {
      if (failed) {
        failed.textContent = getErrorMessage(error, "The key could not be made. Please try again.");
        failed.hidden = false;
      }
    }
    button?.removeAttribute("aria-disabled");
  };
  button?.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") void make();
  });
  root.querySelector("[data-forget-key]")?.addEventListener("click", () => {
    sessionStorage.removeItem(place);
    fill();
    button?.focus();
  });
  fill();
  if (button) button.disabled = false; // pressed before, it would do nothing
  return fill;
}
