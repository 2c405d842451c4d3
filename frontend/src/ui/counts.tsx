import { Fragment, useState, type ComponentProps, type ReactNode } from "react";

import type { Category, Counts } from "../api/types";
import { formatNumber, formatPercent, calculateShare } from "../lib/format";
import {
  CATEGORIES,
  CATEGORY_WORDS,
  DECISIONS,
  DECISION_WORDS,
  getCategoryCount,
  getDecisionCount,
  type Decision,
} from "../lib/labels";
import { GLYPH_SHAPES } from "./glyph";
import { SendLabel } from "./status-badge";
import { formatWidth } from "./progress";
import { Term } from "./term";
import { UrlLink } from "./url-link";
import { ShortNumber } from "./values";

/** The rows that a summary counts: they are narrowed to what is pressed. */
export interface CountedRows {
  /** The page that shows them, where it is another one. */
  page?: string;
  /** What they are narrowed to by now. */
  current?: { category?: string; decision?: string };
}

type Kind = { name: "category"; value: Category } | { name: "decision"; value: Decision };

interface NarrowingLinkProps extends Omit<ComponentProps<"a">, "href" | "onClick"> {
  rows: CountedRows;
  kind: Kind;
}

function isCurrent({ current }: CountedRows, { name, value }: Kind): boolean {
  return current?.[name] === value;
}

/** A link to the rows of one kind; where they are shown by now, to all of them again. */
function NarrowingLink({ rows, kind, children, ...link }: NarrowingLinkProps): ReactNode {
  const { name, value } = kind;
  if (rows.page !== undefined) {
    return (
      <a {...link} href={`${rows.page}?${name}=${value}`}>
        {children}
      </a>
    );
  }
  const current = isCurrent(rows, kind);
  const nothing = { category: null, decision: null, cursor: null, page: null };
  const change = { ...nothing, [name]: current ? null : value };
  return (
    <UrlLink {...link} change={change} aria-current={current ? "true" : undefined}>
      {children}
    </UrlLink>
  );
}

type Highlight = Pick<ComponentProps<"a">, "onPointerEnter" | "onPointerLeave" | "onFocus" | "onBlur"> & {
  "data-lit": boolean | undefined;
};

/** Says of which category the pointer or the focus is, so that its segment and its count light up together. */
function useHighlight(): (category: Category) => Highlight {
  const [lit, setLit] = useState<Category | null>(null);
  return (category) => {
    const on = () => setLit(category);
    const off = () => setLit(null);
    const shown = lit === category || undefined;
    return { "data-lit": shown, onPointerEnter: on, onPointerLeave: off, onFocus: on, onBlur: off };
  };
}

interface TallyProps extends NarrowingLinkProps {
  count: number;
  total: number;
}

/** A count with its share; without any row it leads nowhere. */
function Tally({ count, total, children, ...link }: TallyProps): ReactNode {
  const content = (
    <>
      <span className="tally-name">{children}</span>
      <strong>
        <ShortNumber value={count} />
      </strong>
      <small className="nums">{formatPercent(calculateShare(count, total))}</small>
    </>
  );
  if (count === 0 && !isCurrent(link.rows, link.kind)) return <span className="tally">{content}</span>;
  return (
    <NarrowingLink {...link} className="tally">
      {content}
    </NarrowingLink>
  );
}

function CategoryName({ category }: { category: Category }): ReactNode {
  const Icon = GLYPH_SHAPES[category];
  return (
    <>
      <Icon size={16} aria-hidden />
      {CATEGORY_WORDS[category]}
    </>
  );
}

export type CategoryCounts = Omit<Counts, "safe_to_send_count" | "risky_count">;

/** The categories whose names are not everyday words. */
const EXPLAINED: readonly Category[] = ["catch_all", "unknown", "disposable", "spam_trap"];

interface CategorySummaryProps {
  counts: CategoryCounts;
  rows: CountedRows;
}

/** How many of each category, as bar and figures; each leads to its rows. */
export function CategorySummary({ counts, rows }: CategorySummaryProps): ReactNode {
  const highlight = useHighlight();
  const total = counts.total_emails;
  const parts = CATEGORIES.map((category) => [category, getCategoryCount(counts, category)] as const);
  return (
    <div className="summary">
      {/* The same links as below, for the pointer: whoever hears or types needs each once. */}
      <div className="bar bar-links" aria-hidden>
        {parts.map(([category, count]) =>
          count === 0 ? null : (
            <NarrowingLink
              key={category}
              rows={rows}
              kind={{ name: "category", value: category }}
              className={`tone-${category}`}
              style={{ width: formatWidth(count, total) }}
              title={`${CATEGORY_WORDS[category]} ${formatNumber(count)}`}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              {...highlight(category)}
            />
          ),
        )}
      </div>
      <ul className="tallies">
        {parts.map(([category, count]) => (
          <li key={category} className={`tone-${category}`}>
            <Tally
              rows={rows}
              kind={{ name: "category", value: category }}
              count={count}
              total={total}
              {...highlight(category)}
            >
              <CategoryName category={category} />
            </Tally>
          </li>
        ))}
      </ul>
      <p className="muted small">
        What the words mean:{" "}
        {EXPLAINED.map((category, index) => (
          <Fragment key={category}>
            {index > 0 ? ", " : null}
            <Term name={category}>{CATEGORY_WORDS[category]}</Term>
          </Fragment>
        ))}
      </p>
    </div>
  );
}

interface DecisionSummaryProps {
  counts: Counts;
  rows: CountedRows;
  /** Beside a count that is not nothing: what can be done with those addresses. */
  action?: (decision: Decision) => ReactNode;
}

/** How many are safe, risky, or not to be sent to; each leads to its rows. */
export function DecisionSummary({ counts, rows, action }: DecisionSummaryProps): ReactNode {
  return (
    <ul className="tallies decisions">
      {DECISIONS.map((decision) => {
        const count = getDecisionCount(counts, decision);
        return (
          <li key={decision}>
            <Tally
              rows={rows}
              kind={{ name: "decision", value: decision }}
              count={count}
              total={counts.total_emails}
            >
              <SendLabel label={DECISION_WORDS[decision]} />
            </Tally>
            {count === 0 ? null : action?.(decision)}
          </li>
        );
      })}
    </ul>
  );
}
