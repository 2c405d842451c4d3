import type { ReactNode } from "react";

import { SectionNav } from "../../../ui/section-nav";
import { DeleteAccount } from "./delete-account";
import { Preferences } from "./preferences";
import { Retention } from "./retention";
import { YourData } from "./your-data";

const SECTIONS = [
  ["data", "Your data"],
  ["preferences", "Preferences"],
  ["retention", "Retention and providers"],
  ["delete", "Delete account"],
] as const;

/** The tab Privacy. */
export function PrivacyTab(): ReactNode {
  return (
    <div className="stack">
      <SectionNav sections={SECTIONS} />
      <YourData />
      <Preferences />
      <Retention />
      <DeleteAccount />
    </div>
  );
}
