import type { ReactNode } from "react";

import type { Result } from "../../../api/types";
import { formatMilliseconds } from "../../../lib/format";
import { getCategory } from "../../../lib/labels";
import { Quotation } from "../../../ui/quotation";
import { Trace } from "../../../ui/trace";
import { findDecidingReply, findHost, listStops } from "./replies";

type TestimonyResult = Pick<
  Result,
  "evidence" | "category" | "transcript" | "mx_records" | "valid" | "disposable"
> &
  Partial<Pick<Result, "validated_at">>;

interface TestimonyProps {
  result: TestimonyResult;
  /** Says that the answers came just now. */
  fresh?: boolean;
}

/** How far the question got, and the answer that decided in the server's own words. */
export function Testimony({ result, fresh = false }: TestimonyProps): ReactNode {
  const tone = getCategory(result);
  const reply = findDecidingReply(result);
  const at = result.validated_at?.replace("T", " ").slice(0, 19);
  const byline = [findHost(result), reply?.ms ? formatMilliseconds(reply.ms) : "", at ? `${at} UTC` : ""];
  return (
    <div className="testimony">
      <Trace stops={listStops(result)} tone={tone} fresh={fresh} />
      {reply ? (
        <Quotation
          words={reply.words}
          tone={tone}
          byline={byline.filter(Boolean).join(" · ")}
          fresh={fresh}
        />
      ) : null}
    </div>
  );
}
