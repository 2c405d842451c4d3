import type { ReactNode } from "react";

import { isLong } from "../decisions";
import { Contents } from "./contents";
import { CreditCost } from "./cost";
import { KnownAddresses } from "./known";
import { PrivacyFields } from "./privacy";
import { Repairs, type ReviewPartProps } from "./repairs";
import { Sample, SampleButton, useSample } from "./sample";
import { Suggestions } from "./suggestions";
import { TimeNeeded } from "./time-estimate";

interface ReviewProps extends ReviewPartProps {
  busy: boolean;
  agreed: boolean;
  onAgree: (agreed: boolean) => void;
  /** Who may see the list. */
  children: ReactNode;
}

/** The last step: the most a list can cost, what was made of its texts, what it holds, how long it takes, and how it is kept. */
export function ReviewStep({ busy, agreed, onAgree, children, ...part }: ReviewProps): ReactNode {
  const sample = useSample(part.draft);
  return (
    <div className="draft-review" aria-busy={busy}>
      <CreditCost {...part} sample={<SampleButton use={sample} words="Free sample" />}>
        <KnownAddresses {...part} />
      </CreditCost>
      <Sample use={sample} long={isLong(part.draft)} />
      <Repairs {...part} />
      <Suggestions {...part} />
      <Contents {...part} />
      <TimeNeeded estimate={part.draft.estimate} agreed={agreed} onAgree={onAgree} />
      <PrivacyFields {...part} />
      {children}
    </div>
  );
}
