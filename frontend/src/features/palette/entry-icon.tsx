import type { LucideIcon } from "lucide-react";
import BookOpen from "lucide-react/icons/book-open";
import CornerDownLeft from "lucide-react/icons/corner-down-left";
import List from "lucide-react/icons/list";
import Mail from "lucide-react/icons/mail";
import PanelLeft from "lucide-react/icons/panel-left";
import ReceiptText from "lucide-react/icons/receipt-text";
import Settings from "lucide-react/icons/settings";
import User from "lucide-react/icons/user";
import type { ReactNode } from "react";

import type { Kind } from "./entries";

const ICONS: Record<Kind, LucideIcon> = {
  page: PanelLeft,
  setting: Settings,
  action: CornerDownLeft,
  list: List,
  address: Mail,
  document: BookOpen,
  user: User,
  quote: ReceiptText,
};

/** What kind of thing an entry is, at a glance; its group says it in words. */
export function EntryIcon({ kind }: { kind: Kind }): ReactNode {
  const Icon = ICONS[kind];
  return <Icon size={16} strokeWidth={1.5} aria-hidden />;
}
