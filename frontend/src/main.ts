import { islands } from "./islands.gen";
import { storeInvitation } from "./lib/store-referral";
import { installConsent } from "./shell/consent";
import { installKeys } from "./shell/keys";
import { installMenu } from "./shell/menu";
import { installPrint } from "./shell/print";
import { installThemeSwitch } from "./shell/theme";

type Name = keyof typeof islands;
const islandsByName = islands as Record<string, (typeof islands)[Name] | undefined>;
let islandStyles: Promise<void> | undefined;

/** Adds what only islands need to the styles of a public page, and waits for it; other pages have it. */
function loadIslandStyles(): Promise<void> {
  const href = document.querySelector<HTMLElement>("link[data-islands]")?.dataset.islands;
  if (href === undefined) return Promise.resolve();
  islandStyles ??= new Promise((resolve) => {
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    sheet.onload = sheet.onerror = () => resolve();
    document.head.append(sheet);
  });
  return islandStyles;
}

/** Mounts the island of this element; `extra` are the data attributes of what was pressed to open it. */
async function mountIsland(element: HTMLElement, extra: DOMStringMap = {}): Promise<void> {
  const load = islandsByName[element.dataset.island ?? ""];
  if (load === undefined) return;
  const props = document.getElementById(element.dataset.props ?? "")?.textContent ?? "{}";
  const [{ renderIsland }, island] = await Promise.all([import("./render"), load(), loadIslandStyles()]);
  renderIsland(element, island.default, Object.assign(JSON.parse(props) as object, extra));
}

async function openIsland(name: string, extra: DOMStringMap): Promise<void> {
  const element = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
  if (element) await mountIsland(element, extra);
}

/** What pages do with a script of their own and without React. */
type Enhance = (root: HTMLElement, opens: typeof openIsland) => void;
const enhancements: Record<string, () => Promise<{ enhance: Enhance }>> = {
  contact: () => import("./site/contact"),
  documentation: () => import("./site/documentation"),
  help: () => import("./site/help"),
  landing: () => import("./site/landing"),
  newsletter: () => import("./site/newsletter"),
  refresh: () => import("./site/refresh"),
  swap: () => import("./site/swap"),
};

function enhanceAll(): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-enhance]")) {
    void enhancements[element.dataset.enhance ?? ""]?.().then(({ enhance }) => enhance(element, openIsland));
  }
}
// The page can be read without them: they are fetched when it has been painted, not in its way.
requestAnimationFrame(() => setTimeout(enhanceAll));

const whenVisible = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting || !(target instanceof HTMLElement)) continue;
    whenVisible.unobserve(target);
    void mountIsland(target);
  }
});

for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) {
  if (element.dataset.when === "load") void mountIsland(element);
  if (element.dataset.when === "visible") whenVisible.observe(element);
}

function findOpener(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>("[data-opens]") : null;
}

document.addEventListener("click", (event) => {
  const pressed = findOpener(event);
  if (pressed) void openIsland(pressed.dataset.opens ?? "", pressed.dataset);
});
// What is about to be pressed is fetched while the pointer is still on its way.
for (const hint of ["pointerover", "focusin"]) {
  document.addEventListener(hint, (event) => {
    const load = islandsByName[findOpener(event)?.dataset.opens ?? ""];
    if (load) void Promise.all([load(), import("./render"), loadIslandStyles()]);
  });
}

// A return from Google: the one-time code leaves the address before anything else.
const session = new URLSearchParams(location.hash.slice(1)).get("session_id");
if (session !== null) {
  history.replaceState(null, "", location.pathname + location.search);
  void openIsland("auth", { session });
}

storeInvitation(location.search);
installThemeSwitch();
installPrint();
installKeys((name, props) => void openIsland(name, props));
installMenu();
installConsent();
if (document.querySelector("[data-shell]")) {
  void import("./shell/signed-in").then(({ installSignedIn }) => installSignedIn(openIsland, mountIsland));
}
if (localStorage.getItem("token") && !document.documentElement.dataset.person) {
  void import("./shell/stale-token").then(({ checkStaleToken }) => checkStaleToken());
}
if (localStorage.getItem("perf_warnings") === "1") void import("./perf-warnings");
