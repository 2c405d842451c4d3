import Clock from "lucide-react/icons/clock";
import type { ReactNode } from "react";

import type { Category } from "../../../api/types";
import { Badge, type Look } from "../../../ui/badge";
import { CategoryBadge } from "../../../ui/status-badge";
import { saveCsv } from "../../../lib/download";
import { Button } from "../../../ui/button";
import { isViewing, VIEW_ONLY } from "../../../ui/viewing";
import { SAMPLE } from "../batches/address-list";

interface Example {
  address: string;
  /** The verdict to expect; null where the server first asks to come back later. */
  verdict: Category | null;
}

/** One address for each kind of answer of the simulated world. */
const EXAMPLES: readonly Example[] = [
  { address: "anna.keller@gmail.com", verdict: "valid" },
  { address: "gone.keller@gmail.com", verdict: "invalid" },
  { address: "tom.reed@velvetcircuit.com", verdict: "catch_all" },
  { address: "anything@mailinator.com", verdict: "disposable" },
  { address: "ida.holm@patientpine.org", verdict: null },
  { address: "someone@not-in-this-world.com", verdict: "unknown" },
];

const LATER: Look = ["Come back later", "unknown", Clock];

interface ExamplesProps {
  busy: boolean;
  onChoose: (address: string) => void;
  /** Puts a list into the field. */
  onSample: (list: string) => void;
}

/** Addresses that show what there is to see, in the sandbox only. */
export function Examples({ busy, onChoose, onSample }: ExamplesProps): ReactNode {
  const refused = isViewing();
  const inert = busy || refused;
  return (
    <div className="examples">
      <p className="hint" id="examples-title">
        <span className="badge badge-sandbox">Sandbox</span> Press an example to validate it, or choose from{" "}
        <a href="/sandbox">all simulated addresses</a>.
      </p>
      <div role="group" aria-labelledby="examples-title">
        <ul className="example-list">
          {EXAMPLES.map(({ address, verdict }) => (
            <li key={address}>
              <button
                type="button"
                className="example"
                aria-disabled={inert || undefined}
                title={refused ? VIEW_ONLY : undefined}
                onClick={() => (inert ? undefined : onChoose(address))}
              >
                {verdict ? <CategoryBadge category={verdict} /> : <Badge look={LATER} />}{" "}
                <span className="break">{address}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div className="row">
        <Button disabled={busy} onClick={() => onSample(SAMPLE)}>
          Use a sample list
        </Button>
        <Button kind="quiet" onClick={() => saveCsv(`email\n${SAMPLE}\n`, "sample.csv")}>
          Download a sample file
        </Button>
      </div>
    </div>
  );
}
