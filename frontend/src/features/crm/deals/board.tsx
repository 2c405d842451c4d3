import { useEffect, useRef, useState, type ReactNode } from "react";

import type { Deal, Deals, StageSum } from "../../../api/types";
import { formatNumber, formatUsd, plural } from "../../../lib/format";
import { STAGES, stageWord } from "../words";
import { cardsOf, placeOf, type Place } from "./board-data";
import { DealCard, type CardActions, type Direction } from "./deal-card";
import type { Step } from "./move-menu";
import { useMoves, type Filters } from "./use-board";
import { useColumn, useDragging, type Dragging } from "./use-dragging";
import { WinDialog } from "./win-dialog";

interface ColumnProps extends CardActions {
  sum: StageSum;
  cards: Deal[];
  partial: boolean;
  dragging: Dragging | null;
}

function stepsAt(index: number, count: number): Step[] {
  const steps: Step[] = index > 0 ? ["up"] : [];
  return index < count - 1 ? [...steps, "down"] : steps;
}

/** Before which card of the stage a line shows where the dragged one would fall; null: nowhere here. */
function fallsBefore(cards: Deal[], { stage }: StageSum, dragging: Dragging | null): Deal | "end" | null {
  if (dragging?.over?.stage !== stage) return null;
  return cards.filter(({ id }) => id !== dragging.id)[dragging.over.index] ?? "end";
}

function Column({ sum, cards, partial, dragging, ...actions }: ColumnProps): ReactNode {
  const column = useColumn(sum.stage);
  const mark = fallsBefore(cards, sum, dragging);
  const heading = `stage-${sum.stage}`;
  const looks = ["deal-column", mark ? "deal-column-over" : "", mark === "end" ? "deal-column-end" : ""];
  return (
    <section ref={column} className={looks.join(" ")} aria-labelledby={heading}>
      <header className="deal-column-head">
        <h3 id={heading}>{stageWord(sum.stage)}</h3>
        <span className="badge nums" aria-label={plural(sum.count, "deal")}>
          {formatNumber(sum.count)}
        </span>
        <strong className="nums">{formatUsd(sum.value)}</strong>
      </header>
      <ol className="deal-list">
        {cards.map((deal, index) => (
          <DealCard
            key={deal.id}
            deal={deal}
            steps={partial ? [] : stepsAt(index, cards.length)}
            look={`${mark === deal ? "deal-mark" : ""} ${dragging?.id === deal.id ? "deal-dragged" : ""}`}
            {...actions}
          />
        ))}
      </ol>
      {sum.count === 0 ? <p className="deal-none muted small">No deals in this stage</p> : null}
      {sum.count > cards.length ? (
        <p className="muted small">
          The first {formatNumber(cards.length)} of {formatNumber(sum.count)}; the search finds the others.
        </p>
      ) : null}
    </section>
  );
}

const WITHIN: Partial<Record<Direction, number>> = { up: -1, down: 1 };

/** The place a step leads to, or null at the edge of the board. */
function placeAfter(board: Deals, from: Place, step: Direction): Place | null {
  const within = WITHIN[step];
  if (within !== undefined) {
    const index = from.index + within;
    return cardsOf(board, from.stage)[index] ? { ...from, index } : null;
  }
  const at = STAGES.findIndex(([stage]) => stage === from.stage) + (step === "left" ? -1 : 1);
  const stage = STAGES[at]?.[0];
  return stage ? { stage, index: Math.min(from.index, cardsOf(board, stage).length) } : null;
}

/** The card a step leads to; empty columns are passed over. */
function neighbour(board: Deals, from: Place, step: Direction): Deal | null {
  for (let place = placeAfter(board, from, step); place; place = placeAfter(board, place, step)) {
    const cards = cardsOf(board, place.stage);
    const card = cards[Math.min(place.index, cards.length - 1)];
    if (card) return card;
  }
  return null;
}

function focusCard(id: number): void {
  document.querySelector<HTMLElement>(`[data-deal="${id}"] .deal-open`)?.focus();
}

/** The focus goes with a card that the keyboard has moved. */
function useFollow(board: Deals): (id: number) => void {
  const followed = useRef<number | null>(null);
  useEffect(() => {
    if (followed.current === null) return;
    focusCard(followed.current);
    followed.current = null;
  }, [board]);
  return (id) => {
    followed.current = id;
  };
}

interface Moving {
  board: Deals;
  partial: boolean;
  /** @param onMoved told when it goes there, which may take a question first. */
  put: (deal: Deal, to: Place, onMoved?: () => void) => void;
}

/** What the keyboard does with a card. */
function useKeys({ board, partial, put }: Moving): Pick<CardActions, "onStep" | "onStage" | "onWalk"> {
  const follow = useFollow(board);
  return {
    onStep: (deal, direction) => {
      const from = placeOf(board, deal.id);
      const to = from && placeAfter(board, from, direction);
      if (!to || (partial && to.stage === deal.stage)) return;
      put(deal, to, () => follow(deal.id));
    },
    onStage: (deal, stage) => {
      if (stage === deal.stage) return;
      put(deal, { stage, index: cardsOf(board, stage).length }, () => follow(deal.id));
    },
    onWalk: (deal, direction) => {
      const from = placeOf(board, deal.id);
      const card = from && neighbour(board, from, direction);
      if (card) focusCard(card.id);
    },
  };
}

/** Puts the card that was dropped where it fell, unless it lay there. */
function useDrops({ board, partial, put }: Moving): Dragging | null {
  return useDragging((id, to) => {
    const from = placeOf(board, id);
    const deal = board.deals.find((one) => one.id === id);
    const same = from?.stage === to.stage && (partial || from.index === to.index);
    if (deal && !same) put(deal, to);
  });
}

interface BoardProps {
  board: Deals;
  filters: Filters;
  onOpen: (deal: Deal) => void;
  onEdit: (deal: Deal) => void;
  onQuote: (deal: Deal) => void;
}

/** The six stages side by side, with the sums of each. */
export function Board({ board, filters, ...opens }: BoardProps): ReactNode {
  const { partial } = filters;
  const { move, said } = useMoves(filters);
  const [winning, setWinning] = useState<{ deal: Deal; win: () => void } | null>(null);
  const put: Moving["put"] = (deal, wanted, onMoved) => {
    const to = partial ? { ...wanted, index: cardsOf(board, wanted.stage).length } : wanted;
    const go = () => {
      onMoved?.();
      move(deal, to);
    };
    if (to.stage === "closed_won" && deal.stage !== "closed_won") setWinning({ deal, win: go });
    else go();
  };
  const keys = useKeys({ board, partial, put });
  const dragging = useDrops({ board, partial, put });
  return (
    <>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <div className="deal-board" role="group" aria-label="Deals by stage">
        {board.stages.map((sum) => (
          <Column
            key={sum.stage}
            sum={sum}
            cards={cardsOf(board, sum.stage)}
            partial={partial}
            dragging={dragging}
            {...opens}
            {...keys}
          />
        ))}
      </div>
      {winning ? (
        <WinDialog deal={winning.deal} onWin={winning.win} onClose={() => setWinning(null)} />
      ) : null}
    </>
  );
}
