import { Suspense, useState, type ReactNode } from "react";

import type { Result, ResultRow } from "../../../api/types";
import { deleteResult } from "../calls";
import { Address } from "../../../ui/address";
import { Button } from "../../../ui/button";
import { lazyPart } from "../../../ui/lazy-part";
import { mayDo } from "../../../lib/rights";

const QuestionDialog = lazyPart(async () => (await import("../batches/question-dialog")).QuestionDialog);

interface DeleteResultProps {
  row: ResultRow | Result;
  onDeleted: () => void;
}

/** Deletes a single validation, after asking. Rows of a list go with their list. */
export function DeleteResult({ row, onDeleted }: DeleteResultProps): ReactNode {
  const [asked, setAsked] = useState(false);
  if (row.row > 0 || !mayDo("change_lists")) return null;
  return (
    <>
      <Button kind="quiet" onClick={() => setAsked(true)}>
        Delete
      </Button>
      <Suspense>
        {asked ? (
          <QuestionDialog
            title="Delete this validation?"
            action="Delete validation"
            cancel="Keep it"
            kind="danger"
            fallback="The validation could not be deleted"
            act={() => deleteResult(row.id)}
            onDone={onDeleted}
            onClose={() => setAsked(false)}
          >
            <p>
              The verdict on <Address email={row.email_checked} /> and its evidence are removed and cannot be
              brought back.
            </p>
            <p className="muted">Your totals and the credits used stay as they are.</p>
          </QuestionDialog>
        ) : null}
      </Suspense>
    </>
  );
}
