import { installLanguages } from "./documentation-languages";
import { installSearch } from "./documentation-search";
import { sendVote } from "./pages";

const COPIED_MS = 2000;

function selectAll(element: Element): void {
  const range = document.createRange();
  range.selectNodeContents(element);
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(range);
}

/** Copies the code; where the browser does not allow that, selects it. */
async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.closest("[data-panel]")?.querySelector("code");
  if (!code) return;
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), COPIED_MS);
  } catch {
    selectAll(code);
  }
}

const buildVote = (section: string, vote: string) => ({ section, helpful: vote === "yes" });

/** Marks in the sidebar where the reader is. */
function followReader(root: HTMLElement): void {
  const seen = new IntersectionObserver(
    (entries) => {
      const here = entries.find(({ isIntersecting }) => isIntersecting)?.target.id;
      if (here === undefined) return;
      for (const link of root.querySelectorAll(".docs-contents > ul > li > a")) {
        if (link.getAttribute("href") === `#${here}`) link.setAttribute("aria-current", "location");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-20% 0px -75%" },
  );
  for (const chapter of root.querySelectorAll("[data-chapter]")) seen.observe(chapter);
}

/** What fills the key of whoever is signed in into new code. */
async function loadKey(root: HTMLElement): Promise<() => void> {
  const { account } = root.dataset;
  if (account === undefined) return () => undefined;
  const { installKey } = await import("./documentation-key");
  return installKey(root, account);
}

/** Search, languages, the reader's own test key, copying and votes; without it the page reads the same. */
export function enhance(root: HTMLElement): void {
  const search = installSearch(root);
  const fill = loadKey(root);
  installLanguages(root, () => {
    search();
    void fill.then((again) => again());
  });
  followReader(root);
  root.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const copying = target.closest<HTMLElement>("[data-copy]");
    const voting = target.closest<HTMLButtonElement>("[data-vote] button");
    if (copying) void copyCode(copying);
    if (voting) void sendVote(voting, "/api/docs/feedback", buildVote);
  });
}
