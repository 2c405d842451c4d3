import { loadPage } from "./pages";

const YEAR_S = 31_536_000;
const PANELS = "[data-panel]";

/** Stores the choice where the server reads it, so that the next visit begins with it. */
function remember(language: string): void {
  document.cookie = `docs_language=${language}; path=/documentation; max-age=${YEAR_S}; samesite=lax`;
}

/** Puts the code of another language in place, and keeps the reader's eye where it is. */
async function change(root: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  const fresh = (await loadPage(link.href))?.querySelectorAll(PANELS);
  const panels = root.querySelectorAll<HTMLElement>(PANELS);
  if (fresh?.length !== panels.length) {
    location.assign(link.href);
    return;
  }
  const anchor = [...root.querySelectorAll("[data-topic]")].find((one) => one.getBoundingClientRect().bottom > 0);
  const before = anchor?.getBoundingClientRect().top ?? 0;
  panels.forEach((panel, at) => panel.replaceChildren(...(fresh[at]?.childNodes ?? [])));
  scrollBy({ top: (anchor?.getBoundingClientRect().top ?? before) - before, behavior: "instant" });
  for (const one of root.querySelectorAll("a[data-language]")) {
    if (one === link) one.setAttribute("aria-current", "true");
    else one.removeAttribute("aria-current");
  }
}

/** The links of the languages change the code without another page. */
export function installLanguages(root: HTMLElement, changed: () => void): void {
  const chosen = root.querySelector<HTMLElement>("a[data-language][aria-current]")?.dataset.language;
  if (chosen && new URLSearchParams(location.search).has("lang")) remember(chosen);
  root.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-language]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    remember(link.dataset.language ?? "");
    void change(root, link).then(changed);
  });
}
