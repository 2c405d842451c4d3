import * as Radix from "@radix-ui/react-dropdown-menu";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export { Item, ItemIndicator, Label, RadioGroup, RadioItem, Separator } from "@radix-ui/react-dropdown-menu";

interface MenuProps {
  /** What the button that opens it is called. */
  label: string;
  icon: LucideIcon;
  className?: string;
  busy?: boolean;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Says that what was chosen takes the focus elsewhere. */
  keepsFocus?: boolean;
  children: ReactNode;
}

/** What was chosen may have opened a dialog, which has the focus then. */
function leaveToDialog(event: Event): void {
  if (document.querySelector('[role="dialog"]')) event.preventDefault();
}

function keepFocus(event: Event): void {
  event.preventDefault();
}

/** A button that opens a menu, which stays in the landmark around it. */
export function Menu(props: MenuProps): ReactNode {
  const { label, icon: Icon, className = "", busy = false, keepsFocus = false, children } = props;
  const { open, onOpenChange } = props;
  const controlled = open === undefined || onOpenChange === undefined ? {} : { open, onOpenChange };
  return (
    <Radix.Root {...controlled} modal={false}>
      <Radix.Trigger
        className={`button button-icon ${className} ${busy ? "button-busy" : ""}`.trim()}
        aria-label={label}
        aria-busy={busy}
        title={label}
      >
        <Icon size={16} aria-hidden />
      </Radix.Trigger>
      <Radix.Content
        className="menu"
        align="end"
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={keepsFocus ? keepFocus : leaveToDialog}
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
