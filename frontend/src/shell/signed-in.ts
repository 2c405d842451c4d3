import { installArrowGroups } from "./arrow-groups";
import { awaitNewCheck } from "./key-commands";

/** On a Mac, what is Ctrl elsewhere is the command key. */
function nameCommandKey(): void {
  if (!/mac|iphone|ipad/i.test(navigator.userAgent)) return;
  for (const key of document.querySelectorAll("[data-command-key]")) key.textContent = "⌘";
}

/** What only pages behind the sign-in have. */
export function installSignedIn(): void {
  installArrowGroups();
  nameCommandKey();
  awaitNewCheck();
}
