import { useEffect, useRef, useState, type ReactNode } from "react";

import type { Deal, Deals, StageSum } from "../../../api/types";
import { formatNumber, formatUsd, formatCount } from "../../../lib/format";
import { STAGES, formatStage } from "../labels";
import { getCards, findPlace, type BoardPlace } from "./board-data";
import { DealCard, type CardActions, type Direction } from "./deal-card";
import type { Step } from "./move-menu";
import { useMoves, type Filters } from "./use-board";
import { useDropColumn, useDragging, type Dragging } from "./use-dragging";
import { WinDialog } from "./win-dialog";

interface ColumnProps extends CardActions {
  sum: StageSum;
  cards: Deal[];
  partial: boolean;
  dragging: Dragging | null;
}

function listSteps(index: number, count: number): Step[] {
  const steps: Step[] = index > 0 ? ["up"] : [];
  return index < count - 1 ? [...steps, "down"] : steps;
}

/** Before which card of the stage a line shows where the dragged one would fall; null: nowhere here. */
function findDropTarget(cards: Deal[], { stage }: StageSum, dragging: Dragging | null): Deal | "end" | null {
  if (dragging?.over?.stage !== stage) return null;
  return cards.filter(({ id }) => id !== dragging.id)[dragging.over.index] ?? "end";
}

function Column({ sum, cards, partial, dragging, ...actions }: ColumnProps): ReactNode {
  const column = useDropColumn(sum.stage);
  const mark = findDropTarget(cards, sum, dragging);
  const heading = `stage-${sum.stage}`;
  const looks = ["deal-column", mark ? "deal-column-over" : "", mark === "end" ? "deal-column-end" : ""];
  return (
    <section ref={column} className={looks.join(" ")} aria-labelledby={heading}>
      <header className="deal-column-head">
        <h3 id={heading}>{formatStage(sum.stage)}</h3>
        <span className="badge nums" aria-label={formatCount(sum.count, "deal")}>
          {formatNumber(sum.count)}
        </span>
        <strong className="nums">{formatUsd(sum.value)}</strong>
      </header>
      <ol className="deal-list">
        {cards.map((deal, index) => (
          <DealCard
            key={deal.id}
            deal={deal}
            steps={partial ? [] : listSteps(index, cards.length)}
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
function getNextPlace(board: Deals, from: BoardPlace, step: Direction): BoardPlace | null {
  const within = WITHIN[step];
  if (within !== undefined) {
    const index = from.index + within;
    return getCards(board, from.stage)[index] ? { ...from, index } : null;
  }
  const at = STAGES.findIndex(([stage]) => stage === from.stage) + (step === "left" ? -1 : 1);
  const stage = STAGES[at]?.[0];
  return stage ? { stage, index: Math.min(from.index, getCards(board, stage).length) } : null;
}

/** The card a step leads to; empty columns are passed over. */
function findNeighbour(board: Deals, from: BoardPlace, step: Direction): Deal | null {
  for (let place = getNextPlace(board, from, step); place; place = getNextPlace(board, place, step)) {
    const cards = getCards(board, place.stage);
    const card = cards[Math.min(place.index, cards.length - 1)];
    if (card) return card;
  }
  return null;
}

function focusCard(id: number): void {
  document.querySelector<HTMLElement>(`[data-deal="${id}"] .deal-open`)?.focus();
}

/** The focus goes with a card that the keyboard has moved. */
function useFollowFocus(board: Deals): (id: number) => void {
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

interface MoveOptions {
  board: Deals;
  partial: boolean;
  /** @param onMoved told when it goes there, which may take a question first. */
  put: (deal: Deal, to: BoardPlace, onMoved?: () => void) => void;
}

/** What the keyboard does with a card. */
function useCardKeys({
  board,
  partial,
  put,
}: MoveOptions): Pick<CardActions, "onStep" | "onStage" | "onWalk"> {
  const follow = useFollowFocus(board);
  return {
    onStep: (deal, direction) => {
      const from = findPlace(board, deal.id);
      const to = from && getNextPlace(board, from, direction);
      if (!to || (partial && to.stage === deal.stage)) return;
      put(deal, to, () => follow(deal.id));
    },
    onStage: (deal, stage) => {
      if (stage === deal.stage) return;
      put(deal, { stage, index: getCards(board, stage).length }, () => follow(deal.id));
    },
    onWalk: (deal, direction) => {
      const from = findPlace(board, deal.id);
      const card = from && findNeighbour(board, from, direction);
      if (card) focusCard(card.id);
    },
  };
}

/** Puts the card that was dropped where it fell, unless it lay there. */
function useCardDrops({ board, partial, put }: MoveOptions): Dragging | null {
  return useDragging((id, to) => {
    const from = findPlace(board, id);
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
  const put: MoveOptions["put"] = (deal, wanted, onMoved) => {
    const to = partial ? { ...wanted, index: getCards(board, wanted.stage).length } : wanted;
    const moveCard = () => {
      onMoved?.();
      move(deal, to);
    };
    if (to.stage === "closed_won" && deal.stage !== "closed_won") setWinning({ deal, win: moveCard });
    else moveCard();
  };
  const keys = useCardKeys({ board, partial, put });
  const dragging = useCardDrops({ board, partial, put });
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
            cards={getCards(board, sum.stage)}
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
