import { useQuery } from "@tanstack/react-query";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import X from "lucide-react/icons/x";
import { useEffect, useRef, type ReactNode } from "react";

import type { Result, ResultRow } from "../../../../api/types";
import { CATEGORY_WORDS, getCategory, getSendLabel } from "../../../../lib/labels";
import { useMedia } from "../../../../lib/use-media";
import { AddressTitle } from "../../../../ui/address";
import { IconButton } from "../../../../ui/button";
import { ErrorState } from "../../../../ui/states";
import { TraceSkeleton } from "../../../../ui/trace";
import { DetailsDialog } from "../details-dialog";
import { ResultActions, ResultDetails, resultQuery } from "../result-details";
import type { Inspector } from "./use-inspector";

/** Wide enough for a table and a panel beside it. */
const BESIDE = "(width >= 1024px)";

/** The way to the rows above and below. */
function Steps({ inspector: { back, on } }: { inspector: Inspector }): ReactNode {
  return (
    <div className="row inspector-steps" data-steps>
      <IconButton label="Previous result (k)" aria-disabled={back === null} onClick={() => back?.()}>
        <ChevronUp size={18} aria-hidden />
      </IconButton>
      <IconButton label="Next result (j)" aria-disabled={on === null} onClick={() => on?.()}>
        <ChevronDown size={18} aria-hidden />
      </IconButton>
    </div>
  );
}

/** What screen readers hear as the rows go by. */
function RowNote({ row }: { row: ResultRow | Result }): ReactNode {
  return (
    <p className="visually-hidden" role="status">
      {row.email_checked}, {CATEGORY_WORDS[getCategory(row)]}, {getSendLabel(row)}
    </p>
  );
}

interface PanelProps {
  inspector: Inspector;
  row: ResultRow | Result | undefined;
  /** In place of a row that is not here. */
  instead: ReactNode;
}

function Panel({ inspector, row, instead }: PanelProps): ReactNode {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where a row was pressed, what it opened is read on; after a reload the focus is nobody's.
    if (document.activeElement?.classList.contains("row-open")) panel.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className="inspector" aria-labelledby="inspector-title" tabIndex={-1} ref={panel}>
      <div className="inspector-head">
        <div>
          <h2 id="inspector-title">Validation Details</h2>
          {row ? <AddressTitle email={row.email_checked} /> : null}
        </div>
        <Steps inspector={inspector} />
        <IconButton label="Close details" onClick={inspector.close}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <div className="inspector-body">
        {row ? (
          <>
            <RowNote row={row} />
            <ResultDetails row={row} />
          </>
        ) : (
          instead
        )}
      </div>
      {row ? (
        <div className="inspector-foot">
          <ResultActions row={row} onClose={inspector.close} />
        </div>
      ) : null}
    </section>
  );
}

interface InspectorProps {
  inspector: Inspector;
  rows: readonly ResultRow[];
}

/** The open row with its evidence: a panel beside the table, a sheet where there is no room for one. */
export function InspectorView({ inspector, rows }: InspectorProps): ReactNode {
  const beside = useMedia(BESIDE);
  const { id } = inspector;
  const listed = rows.find((row) => row.id === id);
  // One of another page, or none of this list any more.
  const loaded = useQuery({ ...resultQuery(id ?? ""), enabled: id !== null && !listed });
  const row = listed ?? loaded.data;
  if (!beside) {
    return row ? (
      <DetailsDialog row={row} onClose={inspector.close}>
        <Steps inspector={inspector} />
        <RowNote row={row} />
      </DetailsDialog>
    ) : null;
  }
  const instead =
    loaded.error && id !== null ? (
      <ErrorState query={loaded} fallback="The result could not be loaded" />
    ) : (
      <TraceSkeleton />
    );
  return <Panel inspector={inspector} row={row} instead={instead} />;
}
