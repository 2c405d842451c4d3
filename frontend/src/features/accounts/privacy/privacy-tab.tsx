import type { ReactNode } from "react";

import { DeleteAccount } from "./delete-account";
import { Preferences } from "./preferences";
import { Retention } from "./retention";
import { YourData } from "./your-data";

/** The tab Privacy. */
export function PrivacyTab(): ReactNode {
  return (
    <div className="stack">
      <YourData />
      <Preferences />
      <Retention />
      <DeleteAccount />
    </div>
  );
}
