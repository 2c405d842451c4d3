import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Stage } from "../features/validation/batches/progress/list-stage";
import { StageTrace } from "../features/validation/batches/progress/stage-trace";
import { CATEGORIES } from "../lib/labels";
import { AddressTitle } from "../ui/address";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Checkbox } from "../ui/checkbox";
import { CopyButton } from "../ui/copy-button";
import { textColumn, type Column } from "../ui/data-table/columns";
import { DataTable } from "../ui/data-table/data-table";
import { Dialog } from "../ui/dialog";
import { DialogButton } from "../ui/dialog-button";
import { Dialogue } from "../ui/dialogue";
import { Facts } from "../ui/facts";
import { InputField } from "../ui/field";
import { Glyph, type GlyphName } from "../ui/glyph";
import { Meter, ResultBar, ResultProgress } from "../ui/progress";
import { Quotation } from "../ui/quotation";
import { SegmentedControl } from "../ui/segmented-control";
import { EmptyState, ErrorState, SkeletonCards, SkeletonRows } from "../ui/states";
import { BatchBadge, CategoryBadge, SendLabel } from "../ui/status-badge";
import {
  STOP_NAMES,
  Trace,
  TraceEmpty,
  TraceSkeleton,
  TraceSpark,
  type Stop,
  type StopState,
} from "../ui/trace";

const GLYPH_NAMES: readonly GlyphName[] = [...CATEGORIES, "risky"];
const COLOURS = [
  "desk",
  "paper",
  "well",
  "line",
  "line-strong",
  "ink",
  "ink-2",
  "ink-3",
  "accent",
  "accent-soft",
  "danger",
];
const STAGE_NAMES: readonly Stage[] = [
  "queued",
  "running",
  "waiting",
  "settling",
  "finished",
  "paused",
  "cancelled",
  "failed",
];
const SIZES = [12, 13, 14, 16, 20, 28, 40, 56];
const COUNTS = {
  valid_count: 612,
  catch_all_count: 140,
  unknown_count: 90,
  disposable_count: 38,
  spam_trap_count: 12,
  invalid_count: 108,
};
const REPLY = "550 5.1.1 The email account that you tried to reach does not exist";
const TRANSCRIPT = [
  "S: 220 mx.example.com ESMTP",
  "C: EHLO verifier.emailcheck.app",
  "S: 250 mx.example.com at your service",
  "C: RCPT TO:<m.rossi@example.com>",
  `S: ${REPLY}`,
];
const STATUSES = ["queued", "processing", "completed", "paused", "failed", "cancelled"];

/** Stops that were answered up to the one at which it ended. */
function endAt(last: number, state: StopState): Stop[] {
  return STOP_NAMES.map((name, index) => ({
    name,
    state: index < last ? "yes" : index === last ? state : "unasked",
    ms: index < last && index > 0 ? index * 4.2 : null,
  }));
}

const TRACES: readonly (readonly [tone: string, stops: Stop[]])[] = [
  ["valid", endAt(5, "yes")],
  ["catch_all", endAt(5, "all")],
  ["invalid", endAt(5, "refused")],
  ["unknown", endAt(5, "silent")],
  ["disposable", endAt(1, "yes")],
];

interface Row {
  email: string;
  category: (typeof CATEGORIES)[number];
}

const ROWS: Row[] = CATEGORIES.map((category) => ({
  email: `a-name@${category.replace("_", "-")}.example.com`,
  category,
}));
const COLUMNS: readonly Column<Row>[] = [
  textColumn("email", "Address", ({ email }) => email),
  textColumn("verdict", "Verdict", ({ category }) => <CategoryBadge category={category} />),
];

function Part({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className="stack-4">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Foundations(): ReactNode {
  return (
    <>
      <Part title="Colour">
        <ul className="swatches">
          {COLOURS.map((name) => (
            <li key={name}>
              <span className="swatch" style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Type">
        {SIZES.map((size) => (
          <p key={size} className="clipped" style={{ fontSize: `var(--t-${size})`, lineHeight: 1.2 }}>
            {size} We ask, <span style={{ fontFamily: "var(--mono)" }}>250 they answer</span>
          </p>
        ))}
      </Part>
      <Part title="Verdicts">
        <ul className="swatches">
          {GLYPH_NAMES.map((name) => (
            <li key={name} className={`tone-text tone-${name}`}>
              <Glyph name={name} /> <Glyph name={name} size={20} /> {name}
            </li>
          ))}
        </ul>
        <div className="row">
          {CATEGORIES.map((category) => (
            <CategoryBadge key={category} category={category} />
          ))}
        </div>
        <div className="row">
          {["Safe to send", "Risky to send", "Do not send"].map((label) => (
            <SendLabel key={label} label={label} />
          ))}
        </div>
      </Part>
      <Part title="How work stands">
        <div className="row">
          {STATUSES.map((status) => (
            <BatchBadge key={status} status={status} />
          ))}
          <Badge look={["Growth", "plain"]} />
        </div>
      </Part>
    </>
  );
}

function Testimony(): ReactNode {
  return (
    <>
      <Part title="Address as a title">
        <p className="verdict-address">
          <AddressTitle email="m.rossi@example.com" />
        </p>
      </Part>
      <Part title="Trace">
        {TRACES.map(([tone, stops]) => (
          <div key={tone} className="testimony">
            <Trace tone={tone} stops={stops} />
          </div>
        ))}
        <div className="row">
          {TRACES.map(([tone, stops]) => (
            <TraceSpark key={tone} tone={tone} stops={stops} />
          ))}
        </div>
        <TraceSkeleton />
        <TraceEmpty />
      </Part>
      <Part title="Stages of a list">
        {STAGE_NAMES.map((stage) => (
          <StageTrace key={stage} stage={stage} />
        ))}
      </Part>
      <Part title="Quotation and conversation">
        <Quotation words={REPLY} tone="invalid" byline="mx.example.com · 212 ms · 2026-11-26 12:41:45 UTC" />
        <Dialogue transcript={TRANSCRIPT} host="mx.example.com" deciding={REPLY} tone="invalid" />
      </Part>
    </>
  );
}

function Controls(): ReactNode {
  const [checked, setChecked] = useState(true);
  const [view, setView] = useState<"day" | "week">("day");
  return (
    <>
      <Part title="Buttons">
        <div className="row">
          <Button kind="primary">Primary</Button>
          <Button>Plain</Button>
          <Button kind="quiet">Quiet</Button>
          <Button kind="danger">Danger</Button>
          <Button kind="primary" busy>
            Busy
          </Button>
          <Button disabled>Disabled</Button>
          <CopyButton text={REPLY} />
        </div>
      </Part>
      <Part title="Fields">
        <InputField label="Name" hint="As it should appear on invoices." defaultValue="Alder & Ash" />
        <InputField label="E-mail" error="Enter an address such as name@company.com." defaultValue="name@" />
        <Checkbox label="Keep results for 30 days" checked={checked} onChange={setChecked} />
        <SegmentedControl
          label="View"
          options={{ day: "Day", week: "Week" }}
          value={view}
          onChange={setView}
        />
      </Part>
      <Part title="Floating layers">
        <div className="row">
          <DialogButton
            dialog={(close) => (
              <Dialog title="A dialog" description="It comes in 180 ms." onClose={close}>
                <p>Escape closes it, and the focus goes back.</p>
              </Dialog>
            )}
          >
            Open a dialog
          </DialogButton>
          <Button onClick={() => toast("Said once, where the result is out of sight")}>Show a toast</Button>
        </div>
      </Part>
    </>
  );
}

const FAILED = {
  error: new Error("The list could not be loaded"),
  isFetching: false,
  refetch: () => undefined,
};

function Data(): ReactNode {
  return (
    <>
      <Part title="Bars">
        <ResultBar label="Results" counts={COUNTS} total={1000} />
        <ResultProgress label="Progress" counts={COUNTS} total={2000} percent={50} done="1,000 of 2,000" />
        <Meter label="Confidence" value={0.63} tone="catch_all" />
      </Part>
      <Part title="Table">
        <DataTable label="Example" columns={COLUMNS} rows={ROWS} getKey={({ email }) => email} />
      </Part>
      <Part title="Facts">
        <Facts
          facts={[
            ["Reason", "No such mailbox"],
            ["Credits used", 1],
          ]}
        />
      </Part>
      <Part title="Empty, failed, loading">
        <EmptyState
          title="Nothing has been asked yet"
          action={<Button kind="primary">Check an address</Button>}
        >
          Results appear here after your first check.
        </EmptyState>
        <ErrorState query={FAILED} fallback="The list could not be loaded" />
        <SkeletonRows count={2} />
        <SkeletonCards count={2} />
      </Part>
    </>
  );
}

function Specimen({ theme }: { theme: "light" | "dark" }): ReactNode {
  return (
    <section className="specimen stack" style={{ colorScheme: theme }} aria-labelledby={`specimen-${theme}`}>
      <h2 id={`specimen-${theme}`}>{theme === "light" ? "Light" : "Dark"}</h2>
      <Foundations />
      <Testimony />
      <Controls />
      <Data />
    </section>
  );
}

/** Every part of the interface in all its states, in both themes. */
export default function Design(): ReactNode {
  return (
    <div className="specimens">
      <Specimen theme="light" />
      <Specimen theme="dark" />
    </div>
  );
}
