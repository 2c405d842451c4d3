import { useEffect, useState, type RefObject } from "react";

/** Where a section begins, in pixels below the top of the screen. */
export interface SectionPlace {
  id: string;
  top: number;
}

interface Scrolled {
  /** What lies above is not being read any more. */
  line: number;
  /** How high the screen is. */
  height: number;
  /** Says that the page goes no further down. */
  atEnd: boolean;
  /** The section that was asked for. */
  asked: string;
}

/** The section that is being read: the last one that begins above the line. At the end of the page, where the last ones
 * cannot come up to it, the one that was asked for, else the last. */
export function findCurrentSection(places: readonly SectionPlace[], scrolled: Scrolled): string | null {
  const { line, height, atEnd, asked } = scrolled;
  const above = places.findLast(({ top }) => top <= line) ?? places[0];
  if (!atEnd || !above) return above?.id ?? null;
  const below = places.filter(({ top }) => top > line && top < height);
  return (below.find(({ id }) => id === asked) ?? below.at(-1) ?? above).id;
}

function measurePlaces(ids: readonly string[]): SectionPlace[] {
  return ids.flatMap((id) => {
    const section = document.getElementById(id);
    return section ? [{ id, top: section.getBoundingClientRect().top }] : [];
  });
}

/** Below the bar that stays, a section still begins. */
const ROOM_PX = 32;

function findSectionBelow(bar: HTMLElement, ids: readonly string[]): string | null {
  const { scrollHeight } = document.documentElement;
  return findCurrentSection(measurePlaces(ids), {
    line: bar.getBoundingClientRect().bottom + ROOM_PX,
    height: innerHeight,
    atEnd: scrollY > 0 && scrollY + innerHeight >= scrollHeight - 2,
    asked: location.hash.slice(1),
  });
}

/** The section that is being read, of those with these ids. */
export function useCurrentSection(bar: RefObject<HTMLElement | null>, ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  const listed = ids.join(" ");
  useEffect(() => {
    const update = () => {
      if (bar.current) setCurrent(findSectionBelow(bar.current, listed.split(" ")));
    };
    const events = ["scroll", "resize", "hashchange"] as const;
    for (const event of events) addEventListener(event, update, { passive: true });
    update();
    return () => {
      for (const event of events) removeEventListener(event, update);
    };
  }, [bar, listed]);
  return current;
}
