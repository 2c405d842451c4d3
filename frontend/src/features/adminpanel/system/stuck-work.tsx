import type { ReactNode } from "react";

import type { StuckPiece } from "../../../api/types";
import { useAdminRows } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatCount, formatDuration, NO_VALUE } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import { useRecord } from "../../../lib/use-record";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { numberColumn, actionsColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { QueryTable } from "../../../ui/data-table/query-table";
import { BulkBar, useSelection } from "../../../ui/data-table/selection";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { DialogButton } from "../../../ui/dialog-button";
import { Section } from "../../../ui/section";
import { SkeletonBlock } from "../../../ui/states";
import { callAction, formatTitle, getName, reloadStuckWork, StuckActions, STUCK_WORK } from "./stuck-actions";
import { StuckDrawer } from "./stuck-drawer";

const AGAIN_MS = 30_000;
const KINDS = [
  ["", "All kinds"],
  ["batch", "Batches"],
  ["chunk", "Chunks"],
  ["file", "Files"],
  ["task", "Tasks"],
  ["webhook", "Webhooks"],
] as const;

const FILTERS = { stuck: { label: "Kind of work", options: KINDS } };

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

function buildColumns(onOpen: (work: StuckPiece) => void): readonly Column<StuckPiece>[] {
  return [
    textColumn(
      "kind",
      "Kind",
      (work) => (
        <button
          type="button"
          className="link-plain"
          data-record={getName(work)}
          aria-label={formatTitle(work)}
          onClick={() => onOpen(work)}
        >
          {toSentenceCase(work.kind)}
        </button>
      ),
      { note: ({ id }) => <span className="mono">{id}</span> },
    ),
    textColumn("state", "State", ({ state }) => toSentenceCase(state), {
      className: "system-cell-wide",
      note: ({ error }) => error ?? NO_VALUE,
    }),
    textColumn("age", "Age", ({ age_seconds }) => formatDuration(age_seconds), { align: "number" }),
    numberColumn("attempts", "Attempts", ({ attempts }) => attempts),
    actionsColumn((work) => <StuckActions work={work} />),
  ];
}

/** Work past its deadline, to be tried again or given up. */
export function StuckWork(): ReactNode {
  const view = useTableView(FILTERS);
  const kind = view.values.stuck;
  const work = useAdminRows(
    [...STUCK_WORK, kind],
    () => readData(api.GET("/api/admin/work", { params: { query: { kind } } })),
    () => AGAIN_MS,
  );
  const record = useRecord("work");
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
        columns={[selection.column, ...buildColumns((one) => record.open(getName(one)))]}
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
      <StuckDrawer record={record} query={work} />
    </Section>
  );
}
