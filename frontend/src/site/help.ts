import { sendVote } from "./pages";

interface Entry {
  element: HTMLDetailsElement;
  category: string;
  text: string;
}

interface Finder {
  root: HTMLElement;
  entries: Entry[];
  field: HTMLInputElement;
  category: string;
}

/** Lower case, without accents. */
function normaliseText(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "");
}

/** What people call a thing that the answers call otherwise. */
const SYNONYMS: Partial<Record<string, string>> = {
  "2fa": "second factor",
  mfa: "second factor",
  totp: "second factor",
  otp: "second factor",
  authenticator: "second factor",
};

/** The question and the answer, without what can be pressed beside them. */
function readEntry(element: HTMLElement): string {
  const parts = Array.from(element.querySelectorAll("summary h3, .prose"), ({ textContent }) => textContent);
  return normaliseText(parts.join(" "));
}

function findFinder(root: HTMLElement): Finder | null {
  const field = root.querySelector<HTMLInputElement>("[data-search]");
  if (!field) return null;
  const entries = Array.from(root.querySelectorAll<HTMLDetailsElement>("details[data-entry]"), (element) => ({
    element,
    category: element.dataset.entry ?? "",
    text: readEntry(element),
  }));
  const asked = new URLSearchParams(location.search);
  field.value ||= asked.get("q") ?? ""; // somebody may have typed before this was loaded
  return { root, entries, field, category: asked.get("category") ?? "" };
}

/** What is looked for lives in the address, so that reload and links keep it. */
function storeSearch(chosen: Record<string, string>): void {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(chosen)) {
    if (value === "") address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  history.replaceState(null, "", address);
}

function matchesEntry(entry: Entry, category: string, words: string[]): boolean {
  if (category !== "" && entry.category !== category) return false;
  return words.every((word) => entry.text.includes(word) || entry.text.includes(SYNONYMS[word] ?? word));
}

function announceText(root: HTMLElement, text: string): void {
  const count = root.querySelector("[data-count]");
  if (count) count.textContent = text;
}

/** Shows the entries of the category that hold every word of the search. */
function showEntries({ root, entries, field, category }: Finder): void {
  const words = normaliseText(field.value).split(/\s+/).filter(Boolean);
  const found = new Set(entries.filter((entry) => matchesEntry(entry, category, words)));
  for (const entry of entries) entry.element.hidden = !found.has(entry);
  const groups = new Set(Array.from(found, (entry) => entry.category));
  for (const group of root.querySelectorAll<HTMLElement>("[data-group]"))
    group.hidden = !groups.has(group.dataset.group ?? "");
  for (const link of root.querySelectorAll<HTMLElement>("[data-category]"))
    link.setAttribute("aria-current", String(link.dataset.category === category));
  root.querySelector("[data-nothing]")?.toggleAttribute("hidden", found.size > 0);
  const isWhole = words.length === 0 && category === "";
  announceText(root, isWhole ? "" : `${found.size} of ${entries.length} answers`);
}

function chooseCategory(finder: Finder, category: string): void {
  finder.category = category;
  showEntries(finder);
  storeSearch({ q: finder.field.value.trim(), category });
}

function clearSearch(finder: Finder): void {
  finder.field.value = "";
  chooseCategory(finder, "");
}

/** What the address names; nothing, where it cannot be read. */
function readTarget(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/** Opens the answer that the address names, whatever was looked for before. */
function openTarget(finder: Finder): void {
  const id = readTarget();
  if (id === "") return;
  const entry = finder.entries.find(({ element }) => element.querySelector(`#${CSS.escape(id)}`));
  if (!entry) return;
  if (entry.element.hidden) clearSearch(finder);
  entry.element.open = true;
  entry.element.scrollIntoView();
}

function handlePress(finder: Finder, target: Element, event: Event): void {
  const link = target.closest<HTMLElement>("[data-category]");
  const button = target.closest<HTMLButtonElement>("[data-vote] button");
  if (link) {
    event.preventDefault();
    chooseCategory(finder, link.dataset.category ?? "");
  }
  if (target.closest("[data-clear]")) {
    clearSearch(finder);
    finder.field.focus();
  }
  if (button) void sendVote(button, "/api/feedback", (context, thumb) => ({ context, thumb }));
}

/** Search, categories, links to an answer, and votes; without it the page is a list of all answers. */
export function enhance(root: HTMLElement): void {
  const finder = findFinder(root);
  if (!finder) return;
  chooseCategory(finder, finder.category);
  openTarget(finder);
  finder.field.addEventListener("input", () => chooseCategory(finder, finder.category));
  root.addEventListener("click", (event) => {
    if (event.target instanceof Element) handlePress(finder, event.target, event);
  });
  addEventListener("hashchange", () => openTarget(finder));
}
