import { Suspense, type ReactNode } from "react";

import type { ActionMenuProps } from "./action-menu";
import { lazyPart } from "./lazy-part";

const ActionMenu = lazyPart(async () => (await import("./action-menu")).ActionMenu);

/** What can be done with a row beside the one action that has a button of its own. Its code comes after the page. */
export function RowMenu(props: ActionMenuProps): ReactNode {
  return (
    <Suspense fallback={<span className="button button-icon" aria-hidden />}>
      <ActionMenu {...props} />
    </Suspense>
  );
}
