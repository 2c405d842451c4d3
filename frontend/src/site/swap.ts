import { loadPage } from "./pages";

/** What has the focus afterwards: the first of what was added, or the link that was followed. */
function findNextFocus(
  root: HTMLElement,
  link: HTMLAnchorElement,
  seen: number,
): HTMLElement | null | undefined {
  if (link.dataset.swap !== "more")
    return root.querySelector<HTMLElement>(`[data-swap][href="${link.getAttribute("href") ?? ""}"]`);
  return root.querySelectorAll("[data-item]")[seen]?.querySelector<HTMLElement>("a");
}

const followed = new WeakMap<HTMLElement, HTMLAnchorElement>();

/** Shows what a link inside leads to in place of this element, unless another was pressed since; when that fails, the
 * link is followed as any other. */
async function followLink(root: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  followed.set(root, link);
  link.setAttribute("aria-busy", "true");
  const fresh = (await loadPage(link.href))?.getElementById(root.id);
  if (followed.get(root) !== link) {
    link.removeAttribute("aria-busy");
    return;
  }
  if (!fresh) {
    location.assign(link.href);
    return;
  }
  const seen = root.querySelectorAll("[data-item]").length;
  history.replaceState(null, "", link.href);
  root.replaceChildren(...fresh.childNodes);
  findNextFocus(root, link, seen)?.focus();
}

/** Links with `data-swap` change this element alone: filters, and `more` of a list. */
export function enhance(root: HTMLElement): void {
  root.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-swap]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void followLink(root, link);
  });
}
