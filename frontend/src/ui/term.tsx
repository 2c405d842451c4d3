import { Suspense, type ReactNode } from "react";

import type { TermName } from "../lib/terms";
import { lazyPart } from "./lazy-part";

const ExplainedTerm = lazyPart(async () => (await import("./explained-term")).ExplainedTerm);

/** A word with its explanation, which comes after the page: until then it is the word alone. */
export function Term(props: { name: TermName; children: ReactNode }): ReactNode {
  return (
    <Suspense fallback={props.children}>
      <ExplainedTerm {...props} />
    </Suspense>
  );
}
