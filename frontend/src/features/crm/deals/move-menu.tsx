import Check from "lucide-react/icons/check";
import EllipsisVertical from "lucide-react/icons/ellipsis-vertical";
import type { ReactNode } from "react";

import type { Deal, DealStage } from "../../../api/types";
import { Item, ItemIndicator, Label, Menu, RadioGroup, RadioItem, Separator } from "../../../ui/menu";
import { STAGES } from "../labels";

export type Step = "up" | "down";

interface MoveMenuProps {
  deal: Deal;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The steps that are possible within the stage. */
  steps: readonly Step[];
  onStep: (step: Step) => void;
  onStage: (stage: DealStage) => void;
}

/** Where a deal can go without being dragged. */
export function MoveMenu({ deal, open, onOpenChange, steps, onStep, onStage }: MoveMenuProps): ReactNode {
  return (
    <Menu
      label={`Move ${deal.companyName}`}
      icon={EllipsisVertical}
      className="button-quiet deal-menu"
      open={open}
      onOpenChange={onOpenChange}
      keepsFocus
    >
      <Label className="menu-label">Move to</Label>
      <RadioGroup value={deal.stage} onValueChange={(stage) => onStage(stage as DealStage)}>
        {STAGES.map(([stage, word]) => (
          <RadioItem key={stage} value={stage} className="menu-item">
            {word}
            <ItemIndicator>
              <Check size={16} aria-hidden />
            </ItemIndicator>
          </RadioItem>
        ))}
      </RadioGroup>
      <Separator className="menu-line" />
      {(["up", "down"] as const).map((step) => (
        <Item key={step} className="menu-item" disabled={!steps.includes(step)} onSelect={() => onStep(step)}>
          {step === "up" ? "Move up" : "Move down"}
        </Item>
      ))}
    </Menu>
  );
}
