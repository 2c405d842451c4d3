import { useMutation } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { StuckPiece } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { formatDuration, formatNumber, NO_VALUE } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { useUrlState } from "../../../lib/url-state";
import { toSentenceCase } from "../../../lib/labels";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { LiveView } from "../../../ui/live-view";
import { EmptyState, SkeletonBlock } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Select, findOption } from "../select";

const KEY = ["system", "work"] as const;
const AGAIN_MS = 30_000;
const KINDS = [
  ["", "All kinds"],
  ["batch", "Batches"],
  ["chunk", "Chunks"],
  ["task", "Tasks"],
  ["webhook", "Webhooks"],
] as const;

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
  const doing = useMutation({
    mutationFn: () => callAction(work, verb),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(getErrorMessage(error, `Failed to ${verb} this work`)),
    onSettled: () => {
      onClose();
      return queryClient.invalidateQueries({ queryKey: ["admin", ...KEY] });
    },
  });
  const retries = verb === "retry";
  return (
    <ConfirmDialog
      title={`${retries ? "Retry" : "Cancel"} this ${work.kind}?`}
      action={retries ? "Retry" : `Cancel ${work.kind}`}
      kind={retries ? "primary" : "danger"}
      busy={doing.isPending}
      onConfirm={() => doing.mutate()}
      onClose={onClose}
    >
      <p className="break">
        <code>{work.id}</code>:{" "}
        {retries ? "it is queued again. Doing so twice changes nothing." : CANCELLING[work.kind]}
      </p>
    </ConfirmDialog>
  );
}

function StuckRow({ work }: { work: StuckPiece }): ReactNode {
  const [verb, setVerb] = useState<StuckAction | null>(null);
  const { kind, id, age_seconds, attempts, error, state } = work;
  return (
    <tr>
      <td data-label="Kind">
        {toSentenceCase(kind)}
        <div className="mono small muted break">{id}</div>
      </td>
      <td className="system-cell-wide" data-label="State">
        {toSentenceCase(state)}
        <div className="muted small break">{error ?? NO_VALUE}</div>
      </td>
      <td className="number" data-label="Age">
        {formatDuration(age_seconds)}
      </td>
      <td className="number" data-label="Attempts">
        {formatNumber(attempts)}
      </td>
      <td className="system-cell-actions">
        <div className="system-actions">
          <Button aria-label={`Retry ${kind} ${id}`} onClick={() => setVerb("retry")}>
            Retry
          </Button>
          <Button kind="quiet" aria-label={`Cancel ${kind} ${id}`} onClick={() => setVerb("cancel")}>
            Cancel
          </Button>
        </div>
        {verb ? <StuckQuestion work={work} verb={verb} onClose={() => setVerb(null)} /> : null}
      </td>
    </tr>
  );
}

const COLUMNS = [
  ["Kind", ""],
  ["State", ""],
  ["Age", "number"],
  ["Attempts", "number"],
  ["Actions", "number"],
] as const;

function StuckTable({ work }: { work: readonly StuckPiece[] }): ReactNode {
  return (
    <div className="table-frame">
      <table className="table table-cards system-table">
        <TableHead columns={COLUMNS} />
        <tbody>
          {work.map((one) => (
            <StuckRow key={`${one.kind} ${one.id}`} work={one} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Work past its deadline, to be tried again or given up. */
export function StuckWork(): ReactNode {
  const [url, setUrl] = useUrlState();
  const kind = findOption(KINDS, url.get("stuck"), "");
  const work = useAdminQuery(
    [...KEY, kind],
    () => readData(api.GET("/api/admin/work", { params: { query: { kind } } })),
    () => AGAIN_MS,
  );
  return (
    <section className="stack-4" aria-labelledby="stuck-heading">
      <div className="system-head">
        <h2 id="stuck-heading">Stuck work</h2>
        <Select
          label="Kind of work"
          value={kind}
          options={KINDS}
          onChange={(value) => setUrl({ stuck: value })}
        />
      </div>
      <LiveView
        query={work}
        fallback="Failed to load stuck work"
        rows={<SkeletonBlock className="skeleton-system-list" />}
      >
        {(found) =>
          found.work.length === 0 ? (
            <EmptyState icon={CircleCheck} title="Nothing is stuck">
              Batches, chunks, tasks and webhooks past their deadline appear here.
            </EmptyState>
          ) : (
            <StuckTable work={found.work} />
          )
        }
      </LiveView>
    </section>
  );
}
