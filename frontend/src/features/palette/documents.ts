// The sections of the documentation, read from its page.
import type { Entry } from "./entries";

interface Topic {
  title: string;
  chapter: string;
  anchor: string;
  text: string;
}

/** Every section of the page, with its text in small letters. */
export function readTopics(page: Document): Topic[] {
  return [...page.querySelectorAll<HTMLElement>("[data-topic]")].map((topic) => ({
    title: topic.querySelector("h3")?.textContent.trim() ?? topic.id,
    chapter: topic.closest<HTMLElement>("[data-chapter]")?.dataset.chapter ?? "",
    anchor: topic.id,
    text: topic.textContent.toLowerCase(),
  }));
}

export async function loadTopics(): Promise<Topic[]> {
  const answer = await fetch("/documentation");
  if (!answer.ok) throw new Error(`The documentation answers ${answer.status}`);
  return readTopics(new DOMParser().parseFromString(await answer.text(), "text/html"));
}

/** Sections with every word in their text; those with all of them in the title first. */
export function matchTopics(topics: readonly Topic[], query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text: string) => words.every((word) => text.includes(word));
  const found = topics.filter(({ text, chapter }) => holds(`${chapter.toLowerCase()} ${text}`));
  const isTitled = ({ title }: Topic) => Number(holds(title.toLowerCase()));
  return found
    .sort((one, other) => isTitled(other) - isTitled(one))
    .map(({ title, chapter, anchor }) => ({
      kind: "document",
      label: title,
      detail: chapter,
      address: `/documentation#${anchor}`,
    }));
}
