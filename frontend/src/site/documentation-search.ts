function matchesWords(chapter: HTMLElement, topic: HTMLElement, words: string[]): boolean {
  const text = `${chapter.dataset.chapter ?? ""} ${topic.textContent}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function showEntry(root: HTMLElement, section: HTMLElement, shown: boolean): void {
  section.hidden = !shown;
  const entry = root.querySelector<HTMLElement>(`[data-for="${section.id}"]`);
  if (entry) entry.hidden = !shown;
}

/** Shows the topics that hold every word, in the text and in the sidebar; answers how many there are. */
function showMatches(root: HTMLElement, query: string): number {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const chapter of root.querySelectorAll<HTMLElement>("[data-chapter]")) {
    const topics = [...chapter.querySelectorAll<HTMLElement>("[data-topic]")];
    const fitting = topics.filter((topic) => matchesWords(chapter, topic, words));
    for (const topic of topics) showEntry(root, topic, fitting.includes(topic));
    showEntry(root, chapter, fitting.length > 0);
    found += fitting.length;
  }
  root.toggleAttribute("data-searching", words.length > 0);
  root.querySelector("[data-nothing]")?.toggleAttribute("hidden", found > 0);
  return found;
}

/** What is looked for lives in the address, so that reload and links keep it. */
function storeQuery(query: string): void {
  const address = new URL(location.href);
  if (query === "") address.searchParams.delete("q");
  else address.searchParams.set("q", query);
  history.replaceState(null, "", address);
}

/** The search box filters while one types. Answers what filters again after the texts have changed. */
export function installSearch(root: HTMLElement): () => void {
  const field = root.querySelector<HTMLInputElement>("[data-search]");
  const says = root.querySelector("[data-says]");
  if (!field) return () => undefined;
  const search = () => {
    const query = field.value.trim();
    const found = showMatches(root, query);
    if (says) says.textContent = query === "" ? "" : found === 0 ? "No results" : `${found} found`;
    storeQuery(query);
  };
  const clear = () => {
    field.value = "";
    search();
  };
  field.addEventListener("input", search);
  field.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    root.querySelector<HTMLElement>("[data-topic]:not([hidden]) h3 a")?.focus();
  });
  root.querySelector("[data-clear]")?.addEventListener("click", (event) => {
    event.preventDefault();
    clear();
    field.focus();
  });
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.closest("[hidden]")) return;
    clear();
    target.scrollIntoView();
  });
  return () => showMatches(root, field.value.trim());
}
