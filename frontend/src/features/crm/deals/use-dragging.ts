import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import type { DealStage } from "../../../api/types";
import type { BoardPlace } from "./board-data";

/** Before which card of a column something at this height belongs; the dragged card itself does not count. */
function findIndex(column: Element, y: number, dragged: number): number {
  const cards = [...column.querySelectorAll<HTMLElement>("[data-deal]")];
  return cards.filter((card) => {
    const { top, height } = card.getBoundingClientRect();
    return card.dataset.deal !== String(dragged) && top + height / 2 < y;
  }).length;
}

interface Target {
  element: Element;
  data: Record<string | symbol, unknown>;
}

function findPlaceAt(target: Target | undefined, y: number, dragged: number): BoardPlace | null {
  if (!target) return null;
  return { stage: target.data.stage as DealStage, index: findIndex(target.element, y, dragged) };
}

function isSamePlace(one: BoardPlace | null, other: BoardPlace | null): boolean {
  return one?.stage === other?.stage && one?.index === other?.index;
}

export interface Dragging {
  id: number;
  over: BoardPlace | null;
}

/** What is being dragged, and where it would fall. */
export function useDragging(onDrop: (id: number, to: BoardPlace) => void): Dragging | null {
  const [dragging, setDragging] = useState<Dragging | null>(null);
  const drop = useEffectEvent(onDrop);
  useEffect(
    () =>
      monitorForElements({
        onDrag: ({ source, location }) => {
          const id = Number(source.data.id);
          const over = findPlaceAt(location.current.dropTargets[0], location.current.input.clientY, id);
          setDragging((before) =>
            before?.id === id && isSamePlace(before.over, over) ? before : { id, over },
          );
        },
        onDrop: ({ source, location }) => {
          setDragging(null);
          const id = Number(source.data.id);
          const to = findPlaceAt(location.current.dropTargets[0], location.current.input.clientY, id);
          if (to) drop(id, to);
        },
      }),
    [],
  );
  return dragging;
}

/** Makes the element a card that can be dragged. */
export function useDraggableCard(id: number) {
  const card = useRef<HTMLLIElement>(null);
  useEffect(
    () => (card.current ? draggable({ element: card.current, getInitialData: () => ({ id }) }) : undefined),
    [id],
  );
  return card;
}

/** Makes the element a column that takes cards. */
export function useDropColumn(stage: DealStage) {
  const column = useRef<HTMLElement>(null);
  useEffect(
    () =>
      column.current
        ? dropTargetForElements({ element: column.current, getData: () => ({ stage }) })
        : undefined,
    [stage],
  );
  return column;
}
