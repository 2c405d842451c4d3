import { useState, type ReactNode } from "react";

import type { StuckPiece } from "../../../api/types";
import { reloadAdmin, useAdminRows } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatCount, formatDuration, NO_VALUE } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { numberColumn, actionsColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { QueryTable } from "../../../ui/data-table/query-table";
import { BulkBar, useSelection } from "../../../ui/data-table/selection";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { DialogButton } from "../../../ui/dialog-button";
import { Section } from "../../../ui/section";
import { SkeletonBlock } from "../../../ui/states";

const KEY = ["system", "work"] as const;
const AGAIN_MS = 30_000;
const KINDS = [
  ["", "All kinds"],
  ["batch", "Batches"],
  ["chunk", "Chunks"],
  ["task", "Tasks"],
  ["webhook", "Webhooks"],
] as const;

const FILTERS = { stuck: { label: "Kind of work", options: KINDS } };

function reloadStuckWork(): Promise<void> {
  return reloadAdmin(...KEY);
}

type StuckAction = "retry" | "cancel";

const CANCELLING: Record<StuckPiece["kind"], string> = {
  batch: "What is done is kept and charged, the rest is given back to the customer.",
  chunk: "Its rows end as not checked, for which nobody is charged; the rest of the list goes on.",
  task: "It leaves the queue. What it was for is taken up again by the next sweep, if there is one.",
  webhook: "It is never acted upon, even when it is sent again.",
};

function callAction({ kind, id }: StuckPiece, verb: StuckAction): Promise<{ message: string }> {
  const params = { path: { kind, work_id: id } };
  return verb === "retry"
    ? readData(api.POST("/api/admin/work/{kind}/{work_id}/retry", { params }))
    : readData(api.POST("/api/admin/work/{kind}/{work_id}/cancel", { params }));
}

interface StuckQuestionProps {
  work: StuckPiece;
  verb: StuckAction;
  onClose: () => void;
}

function StuckQuestion({ work, verb, onClose }: StuckQuestionProps): ReactNode {
  const retries = verb === "retry";
  return (
    <ConfirmDialog
      title={`${retries ? "Retry" : "Cancel"} this ${work.kind}?`}
      action={retries ? "Retry" : `Cancel ${work.kind}`}
      kind={retries ? "primary" : "danger"}
      act={() => callAction(work, verb)}
      failed={`Failed to ${verb} this work`}
      onEnd={reloadStuckWork}
      onClose={onClose}
    >
      <p className="break">
        <code>{work.id}</code>:{" "}
        {retries ? "it is queued again. Doing so twice changes nothing." : CANCELLING[work.kind]}
      </p>
    </ConfirmDialog>
  );
}

function StuckActions({ work }: { work: StuckPiece }): ReactNode {
  const [verb, setVerb] = useState<StuckAction | null>(null);
  const { kind, id } = work;
  return (
    <>
      <div className="system-actions">
        <Button aria-label={`Retry ${kind} ${id}`} onClick={() => setVerb("retry")}>
          Retry
        </Button>
        <Button kind="quiet" aria-label={`Cancel ${kind} ${id}`} onClick={() => setVerb("cancel")}>
          Cancel
        </Button>
      </div>
      {verb ? <StuckQuestion work={work} verb={verb} onClose={() => setVerb(null)} /> : null}
    </>
  );
}

function getName({ kind, id }: StuckPiece): string {
  return `${kind} ${id}`;
}

/** Asks, then queues several pieces again, one after the other. */
function RetryAll({ work }: { work: readonly StuckPiece[] }): ReactNode {
  const pieces = formatCount(work.length, "piece");
  const retryAll = async () => {
    for (const one of work) await callAction(one, "retry");
  };
  return (
    <DialogButton
      dialog={(close) => (
        <ConfirmDialog
          title={`Retry ${pieces} of work?`}
          action="Retry"
          kind="primary"
          act={retryAll}
          done={() => `Queued again: ${pieces} of work`}
          failed="Failed to retry this work"
          onEnd={reloadStuckWork}
          onClose={close}
        >
          <p>Each is queued again. Doing so twice changes nothing.</p>
        </ConfirmDialog>
      )}
    >
      Retry selected
    </DialogButton>
  );
}

const COLUMNS: readonly Column<StuckPiece>[] = [
  textColumn("kind", "Kind", ({ kind }) => toSentenceCase(kind), {
    note: ({ id }) => <span className="mono">{id}</span>,
  }),
  textColumn("state", "State", ({ state }) => toSentenceCase(state), {
    className: "system-cell-wide",
    note: ({ error }) => error ?? NO_VALUE,
  }),
  textColumn("age", "Age", ({ age_seconds }) => formatDuration(age_seconds), { align: "number" }),
  numberColumn("attempts", "Attempts", ({ attempts }) => attempts),
  actionsColumn((work) => <StuckActions work={work} />),
];

/** Work past its deadline, to be tried again or given up. */
export function StuckWork(): ReactNode {
  const view = useTableView(FILTERS);
  const kind = view.values.stuck;
  const work = useAdminRows(
    [...KEY, kind],
    () => readData(api.GET("/api/admin/work", { params: { query: { kind } } })),
    () => AGAIN_MS,
  );
  const selection = useSelection({
    rows: work.data?.work ?? [],
    getKey: getName,
    getLabel: (one) => `Select ${getName(one)}`,
  });
  return (
    <Section id="stuck-heading" title="Stuck work" aside={<FilterBar view={view} />}>
      <QueryTable
        label="Stuck work"
        phone="pairs"
        query={work}
        fallback="Failed to load stuck work"
        skeleton={<SkeletonBlock className="skeleton-system-list" />}
        columns={[selection.column, ...COLUMNS]}
        pick={(found) => found.work}
        getKey={getName}
        bar={
          <BulkBar selection={selection}>
            <RetryAll work={selection.rows} />
          </BulkBar>
        }
        empty={{
          title: "Nothing is stuck",
          plain: true,
          text: "Batches, chunks, tasks and webhooks past their deadline appear here.",
        }}
      />
    </Section>
  );
}
