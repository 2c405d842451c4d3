import CalendarX from "lucide-react/icons/calendar-x";
import { useState, type KeyboardEvent, type ReactNode } from "react";

import type { Deal } from "../../../api/types";
import { formatDate, formatDay, formatUsd } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { isOpenStage } from "../labels";
import { ContactLink } from "./contact-link";
import { MoveMenu, type Step } from "./move-menu";
import { useDraggableCard } from "./use-dragging";

/** What can be done with a card. */
export interface CardActions {
  onOpen: (deal: Deal) => void;
  onEdit: (deal: Deal) => void;
  onQuote: (deal: Deal) => void;
  /** Moves it to the neighbouring stage, or a place up or down. */
  onStep: (deal: Deal, step: Direction) => void;
  onStage: (deal: Deal, stage: Deal["stage"]) => void;
  /** Goes to the neighbouring card. */
  onWalk: (deal: Deal, step: Direction) => void;
}

export type Direction = Step | "left" | "right";

const DIRECTIONS: Partial<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

interface CardProps extends CardActions {
  deal: Deal;
  steps: readonly Step[];
  /** Classes for while something is dragged. */
  look: string;
}

function Dates({ deal }: { deal: Deal }): ReactNode {
  const { expectedCloseDate, stage } = deal;
  const overdue = isOpenStage(stage) && expectedCloseDate < formatDay();
  return (
    <p className={overdue ? "deal-date tone-text tone-problem" : "deal-date muted"}>
      {overdue ? <CalendarX size={14} aria-hidden /> : null}
      {overdue ? "Overdue since " : "Closes "}
      {formatDate(expectedCloseDate)}
    </p>
  );
}

/** A deal on the board. Its name opens it, takes the focus, and the keys that move it. */
export function DealCard({ deal, steps, look, ...actions }: CardProps): ReactNode {
  const [menu, setMenu] = useState(false);
  const card = useDraggableCard(deal.id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = DIRECTIONS[event.key];
    if (event.key.toLowerCase() === "m") setMenu(true);
    else if (direction && event.shiftKey) actions.onStep(deal, direction);
    else if (direction) actions.onWalk(deal, direction);
    else return;
    event.preventDefault();
  };
  return (
    <li ref={card} className={`deal ${look}`} data-deal={deal.id} aria-label={deal.companyName}>
      <div className="deal-head">
        <button
          type="button"
          className="row-open deal-open"
          data-record={deal.id}
          aria-describedby="board-keys"
          aria-keyshortcuts="Shift+ArrowUp Shift+ArrowDown Shift+ArrowLeft Shift+ArrowRight M"
          onClick={() => actions.onOpen(deal)}
          onKeyDown={onKeyDown}
        >
          {deal.companyName}
        </button>
        <MoveMenu
          deal={deal}
          open={menu}
          onOpenChange={setMenu}
          steps={steps}
          onStep={(step) => actions.onStep(deal, step)}
          onStage={(stage) => actions.onStage(deal, stage)}
        />
      </div>
      <p className="muted small break">{deal.contactName}</p>
      <p className="deal-value">{formatUsd(deal.dealValue)}</p>
      <Dates deal={deal} />
      <div className="deal-actions">
        <Button kind="quiet" aria-label={`Edit ${deal.companyName}`} onClick={() => actions.onEdit(deal)}>
          Edit
        </Button>
        <Button kind="quiet" aria-label={`Quote ${deal.companyName}`} onClick={() => actions.onQuote(deal)}>
          Quote
        </Button>
        <ContactLink deal={deal} kind="quiet" />
      </div>
    </li>
  );
}
