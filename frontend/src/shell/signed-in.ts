import { installArrowGroups } from "./arrow-groups";
import { installDrawer } from "./drawer";
import { installLeftPlace } from "./left-place";
import { awaitNewCheck, installSignedInKeys } from "./signed-in-keys";
import { installOrganisations } from "./organisation";
import { installTabLinks } from "./tab-links";

/** On a Mac, what is Ctrl elsewhere is the command key. */
function nameCommandKey(): void {
  if (!/mac|iphone|ipad/i.test(navigator.userAgent)) return;
  for (const key of document.querySelectorAll("[data-command-key]")) key.textContent = "⌘";
}

function installSignOut(): void {
  for (const button of document.querySelectorAll("[data-sign-out]")) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-busy", "true");
      void import("../features/accounts/signin/sessions/sign-out")
        .then(({ signOut }) => signOut())
        .finally(() => button.removeAttribute("aria-busy"));
    });
  }
}

type Open = (island: string, props: DOMStringMap) => Promise<void>;
type Mount = (element: HTMLElement) => Promise<void>;

/** What only pages behind the sign-in have. */
export function installSignedIn(open: Open, mount: Mount): void {
  installDrawer((island) => void mount(island));
  installTabLinks();
  installArrowGroups();
  installSignedInKeys(() => void open("palette", { mode: "keys" }));
  installSignOut();
  installOrganisations();
  installLeftPlace();
  nameCommandKey();
  awaitNewCheck();
}
