import { useEffect, useRef, type ReactNode } from "react";

import { useCurrentSection } from "../lib/current-section";
import { queryClient } from "../lib/query";

const LEAVING = ["wheel", "touchmove", "keydown"] as const;

/** Goes to the section that the address names when everything has been loaded: until then it would be moved again. Who
 * has begun to read is left alone. */
function useArrival(): void {
  useEffect(() => {
    const id = location.hash.slice(1);
    if (id === "") return;
    history.scrollRestoration = "manual";
    const arrive = () => document.getElementById(id)?.scrollIntoView();
    const wait = () => {
      const loading = queryClient.isFetching() > 0 || document.querySelector(".skeleton") !== null;
      // In a frame of its own: what has just moved out of sight would move in sight otherwise.
      frame = requestAnimationFrame(loading ? wait : arrive);
    };
    let frame = requestAnimationFrame(wait);
    const leave = () => cancelAnimationFrame(frame);
    for (const event of LEAVING) addEventListener(event, leave, { once: true, passive: true });
    return () => {
      leave();
      for (const event of LEAVING) removeEventListener(event, leave);
    };
  }, []);
}

export type SectionName = readonly [id: string, words: string];

/** The sections of a long page, in a bar that stays; the one that is being read is marked. */
export function SectionNav({ sections }: { sections: readonly SectionName[] }): ReactNode {
  const bar = useRef<HTMLElement>(null);
  const current = useCurrentSection(
    bar,
    sections.map(([id]) => id),
  );
  useArrival();
  // On a phone the bar is longer than the screen.
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>("[aria-current]");
    if (bar.current && link) bar.current.scrollLeft = link.offsetLeft - (innerWidth - link.offsetWidth) / 2;
  }, [current]);
  return (
    <nav ref={bar} className="section-nav" aria-label="On this page">
      {sections.map(([id, words]) => (
        <a key={id} href={`#${id}`} aria-current={id === current ? "location" : undefined}>
          {words}
        </a>
      ))}
    </nav>
  );
}
