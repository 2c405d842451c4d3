// What the words of verdicts mean, for somebody who never heard of SMTP: the source of every explanation.
import type terms from "./terms.json";

/** A word that is explained where it stands. */
export type TermName = keyof typeof terms;
