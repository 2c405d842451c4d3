import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { mayDo } from "../../../lib/rights";
import type { OwnUse, Recommendation } from "./recommendation";

interface OwnUseNoteProps {
  use: UseQueryResult<OwnUse>;
  recommendation: Recommendation | null;
}

function formatNote({ use, recommendation }: OwnUseNoteProps): string {
  if (recommendation) return recommendation.words;
  return use.isError
    ? "No recommendation: what you checked could not be loaded."
    : "Reading what you checked…";
}

/** What is recommended, and from what it was worked out. */
export function OwnUseNote(props: OwnUseNoteProps): ReactNode {
  if (!mayDo("read")) return null;
  return (
    <p className="own-use nums" role="status">
      {formatNote(props)}
    </p>
  );
}
