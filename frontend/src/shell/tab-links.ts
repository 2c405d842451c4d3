import { isPlainPress, showAddress, watchAddress } from "../lib/address-bar";

/**
 * Links of the frame with `data-tab` lead to tabs of this very page: they mark the one that is shown, whoever chose it, and
 * change it without a load.
 */
export function installTabLinks(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("a[data-tab]")];
  const [first] = links;
  if (!first) return;
  const markCurrent = () => {
    const shown = new URLSearchParams(location.search).get("tab") ?? first.dataset.tab;
    for (const link of links) {
      if (link.dataset.tab === shown) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  };
  watchAddress(markCurrent);
  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (!isPlainPress(event)) return;
      event.preventDefault();
      link.closest("dialog")?.close();
      showAddress(link.pathname + link.search, "push");
      scrollTo(0, 0);
    });
  }
}
