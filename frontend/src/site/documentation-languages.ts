import { loadPage } from "./pages";

const YEAR_S = 31_536_000;
const PANELS = "[data-panel]";

/** Stores the choice where the server reads it, so that the next visit begins with it. */
function storeLanguage(language: string): void {
  document.cookie = `docs_language=${language}; path=/documentation; max-age=${YEAR_S}; samesite=lax`;
}

/** Puts other code in place, and keeps what the reader looks at where it is. */
function swapPanels(root: HTMLElement, panels: ArrayLike<Element>, fresh: ArrayLike<Element>): void {
  const topics = [...root.querySelectorAll("[data-topic]")];
  const topOf = (topic: Element) => topic.getBoundingClientRect().top;
  const read = topics.find((topic) => topic.getBoundingClientRect().bottom > 0);
  const before = read ? topOf(read) : 0;
  Array.from(panels, (panel, at) => panel.replaceChildren(...(fresh[at]?.childNodes ?? [])));
  if (read) scrollBy({ top: topOf(read) - before, behavior: "instant" });
}

async function changeLanguage(root: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  const fresh = (await loadPage(link.href))?.querySelectorAll(PANELS);
  const panels = root.querySelectorAll(PANELS);
  if (fresh?.length !== panels.length) {
    location.assign(link.href);
    return;
  }
  swapPanels(root, panels, fresh);
  root.querySelector("a[data-language][aria-current]")?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
}

/** The links of the languages change the code without another page. */
export function installLanguages(root: HTMLElement, changed: () => void): void {
  const chosen = root.querySelector<HTMLElement>("a[data-language][aria-current]")?.dataset.language;
  if (chosen && new URLSearchParams(location.search).has("lang")) storeLanguage(chosen);
  root.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-language]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    storeLanguage(link.dataset.language ?? "");
    void changeLanguage(root, link).then(changed);
  });
}
