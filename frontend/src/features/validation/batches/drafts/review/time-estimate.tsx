import type { ReactNode } from "react";

import type { Estimate } from "../../../../../api/types";
import { formatAbout, formatNumber, formatCount, calculateShare } from "../../../../../lib/format";
import { Checkbox } from "../../../../../ui/checkbox";
import { numberColumn, textColumn, type Column } from "../../../../../ui/data-table/columns";
import { DataTable } from "../../../../../ui/data-table/data-table";

/** Who is quicker than this takes no time worth telling. */
const LEAST_S = 10;

interface EstimateProps {
  estimate: Estimate | null;
  /** Whether it was said that the list shall start although it takes more than a day. */
  agreed: boolean;
  onAgree: (agreed: boolean) => void;
}

type Operator = Estimate["operators"][number];

function formatOperator(estimate: Estimate, { name, rows, per_minute }: Operator): string {
  const many = estimate.operators.length > 1;
  const addresses = `${formatCount(rows, "address", "addresses")} at ${formatNumber(per_minute)} a minute`;
  return `About ${formatAbout(estimate.seconds)}: ${name} takes ${many ? "longest" : "its time"}, ${addresses}.`;
}

interface OperatorTime extends Operator {
  longest: number;
}

const COLUMNS: readonly Column<OperatorTime>[] = [
  {
    key: "operator",
    title: "Operator",
    cell: ({ name, seconds, longest }) => (
      <>
        {name}
        <div className="bar bar-thin" aria-hidden>
          <span style={{ width: `${(calculateShare(seconds, longest) * 100).toFixed(1)}%` }} />
        </div>
      </>
    ),
  },
  numberColumn("rows", "Addresses", ({ rows }) => rows),
  numberColumn("rate", "A minute", ({ per_minute }) => per_minute),
  textColumn("time", "Time", ({ seconds }) => formatAbout(seconds), { align: "number" }),
];

/** Said before anything is spent: what can be done about a list that takes more than a day. */
function LongListNotice({
  seconds,
  agreed,
  onAgree,
}: { seconds: number } & Omit<EstimateProps, "estimate">): ReactNode {
  return (
    <div className="notice notice-danger">
      <div className="stack-2">
        <p>
          <strong>This list takes more than a day: {formatAbout(seconds)} at least.</strong>
        </p>
        <ul className="estimate-ways">
          <li>Start it anyway: it goes on by itself, and what is done can be downloaded at any time.</li>
          <li>
            Split it, and upload what you need first. The whole takes as long, because mail operators limit
            how much we may ask them.
          </li>
          <li>
            <a href="/contact?subject=A+list+that+takes+more+than+a+day">Ask us</a> to ask from more addresses
            of ours, which is quicker.
          </li>
        </ul>
        <Checkbox
          label={`Start it although it takes ${formatAbout(seconds)}`}
          checked={agreed}
          onChange={onAgree}
        />
      </div>
    </div>
  );
}

/** How long a list takes at least, by operator; nothing where that is not known, or is soon over. */
export function TimeNeeded({ estimate, ...consent }: EstimateProps): ReactNode {
  const slowest = estimate?.operators[0];
  if (!estimate || !slowest || estimate.seconds < LEAST_S) return null;
  return (
    <div className="stack-2">
      <h3>Time</h3>
      <p className="nums">
        <strong>{formatOperator(estimate, slowest)}</strong>
      </p>
      <DataTable
        label="Time by mail operator"
        className="estimate"
        columns={COLUMNS}
        rows={estimate.operators.map((one) => ({ ...one, longest: slowest.seconds }))}
        getKey={({ operator }) => operator}
      />
      <p className="hint">
        Mail operators limit how much anybody may ask them, and we keep to it. Other addresses are finished
        first, and you can download partial results meanwhile.
      </p>
      {estimate.over_a_day ? <LongListNotice seconds={estimate.seconds} {...consent} /> : null}
    </div>
  );
}
