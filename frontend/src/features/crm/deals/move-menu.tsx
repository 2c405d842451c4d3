import * as Menu from "@radix-ui/react-dropdown-menu";
import Check from "lucide-react/icons/check";
import EllipsisVertical from "lucide-react/icons/ellipsis-vertical";
import type { ReactNode } from "react";

import type { Deal, DealStage } from "../../../api/types";
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
    <Menu.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Menu.Trigger
        className="button button-quiet button-icon deal-menu"
        aria-label={`Move ${deal.companyName}`}
      >
        <EllipsisVertical size={16} aria-hidden />
      </Menu.Trigger>
      <Menu.Content
        className="menu"
        align="end"
        sideOffset={4}
        aria-label={`Move ${deal.companyName}`}
        onCloseAutoFocus={(event) => event.preventDefault()}
      >
        <Menu.Label className="menu-label">Move to</Menu.Label>
        <Menu.RadioGroup value={deal.stage} onValueChange={(stage) => onStage(stage as DealStage)}>
          {STAGES.map(([stage, word]) => (
            <Menu.RadioItem key={stage} value={stage} className="menu-item">
              {word}
              <Menu.ItemIndicator>
                <Check size={16} aria-hidden />
              </Menu.ItemIndicator>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Separator className="menu-line" />
        {(["up", "down"] as const).map((step) => (
          <Menu.Item
            key={step}
            className="menu-item"
            disabled={!steps.includes(step)}
            onSelect={() => onStep(step)}
          >
            {step === "up" ? "Move up" : "Move down"}
          </Menu.Item>
        ))}
      </Menu.Content>
    </Menu.Root>
  );
}
