import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import FileText from "lucide-react/icons/file-text";
import { useState, type ReactNode } from "react";

import type { StaffQuote } from "../../../api/types";
import { useAdminRows } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatMoney, NO_VALUE, formatCount } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { numberColumn, timeColumn, type Column, type Sorting } from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { CursorPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { QuoteBadge } from "../quote-badge";
import { ArchiveQuoteDialog, CleanUpQuotesDialog, DeleteQuoteDialog } from "./quote-dialogs";
import { useRecentView } from "./use-recent-quotes";
import { isArchivable, QUOTES } from "./quote-data";

interface ViewHandler {
  onView: (quote: StaffQuote) => void;
}

function QuoteActions({ quote, onView }: { quote: StaffQuote } & ViewHandler): ReactNode {
  const [ending, setEnding] = useState(false);
  const archivable = isArchivable(quote);
  const Ending = archivable ? ArchiveQuoteDialog : DeleteQuoteDialog;
  const word = archivable ? "Archive" : "Delete";
  return (
    <>
      <div className="quote-row-actions">
        <Button aria-label={`View ${quote.quote_id}`} onClick={() => onView(quote)}>
          View
        </Button>
        <Button kind="quiet" aria-label={`${word} ${quote.quote_id}`} onClick={() => setEnding(true)}>
          {word}
        </Button>
      </div>
      {ending ? <Ending quote={quote} onClose={() => setEnding(false)} /> : null}
    </>
  );
}

const COLUMNS: readonly Column<StaffQuote>[] = [
  {
    key: "id",
    title: "Quote ID",
    className: "quote-cell-id",
    labelled: false,
    cell: (quote) => (
      <>
        <span className="mono">{quote.quote_id}</span>
        <QuoteBadge quote={quote} />
      </>
    ),
  },
  {
    key: "customer",
    title: "Customer",
    className: "break quote-cell-customer",
    labelled: false,
    cell: (quote) => quote.customer_name,
    note: (quote) => quote.customer_email,
  },
  {
    key: "company",
    title: "Company",
    className: "break quote-cell-company",
    cell: (quote) => quote.customer_company ?? NO_VALUE,
  },
  numberColumn("credits", "Credits", (quote) => quote.credits_needed, { sort: "down" }),
  { key: "monthly", title: "Monthly", align: "number", cell: (quote) => formatMoney(quote.monthly_price) },
  {
    key: "price",
    title: "Annual",
    sort: "down",
    align: "number",
    cell: (quote) => formatMoney(quote.annual_price),
  },
  timeColumn("date", "Created", (quote) => quote.created_at, {
    sort: "down",
    className: "muted quote-cell-created",
  }),
];

function buildColumns(onView: ViewHandler["onView"]): readonly Column<StaffQuote>[] {
  const cell = (quote: StaffQuote) => <QuoteActions quote={quote} onView={onView} />;
  return [
    ...COLUMNS,
    { key: "actions", title: "Actions", className: "quote-cell-actions", labelled: false, cell },
  ];
}

/** The other way round: beside the choice of what the table is sorted by. */
function OrderButton({ sorting }: { sorting: Sorting }): ReactNode {
  const { descending, onSort, key } = sorting;
  const Glyph = descending ? ArrowDown : ArrowUp;
  return (
    <Button onClick={() => onSort(key, !descending)}>
      <Glyph size={16} aria-hidden />
      {descending ? "Descending" : "Ascending"}
    </Button>
  );
}

function QuoteResults({ onView }: ViewHandler): ReactNode {
  const { view, query, sorting } = useRecentView();
  const quotes = useAdminRows([...QUOTES, query], () =>
    readData(api.GET("/api/admin/quotes", { params: { query } })),
  );
  return (
    <>
      {quotes.data?.total === 0 && !view.filtered ? null : (
        <FilterBar view={view}>
          <OrderButton sorting={sorting} />
        </FilterBar>
      )}
      <QueryTable
        label="Recent quotes"
        className="quote-table"
        query={quotes}
        fallback="Failed to fetch quotes"
        skeleton={6}
        view={view}
        columns={buildColumns(onView)}
        pick={(found) => found.quotes}
        getKey={({ id }) => id}
        sorting={sorting}
        empty={{
          icon: FileText,
          title: "No quotes generated yet",
          text: "Fill in the form above; what you generate is listed here.",
        }}
        noMatch={{ title: "No quote matches" }}
        foot={({ next, total }) => (
          <CursorPager view={view} next={next}>
            {formatCount(total, "quote")}
          </CursorPager>
        )}
      />
    </>
  );
}

/** Every quote that is not archived: found, looked at, ended. */
export function RecentQuotes({ onView }: ViewHandler): ReactNode {
  const [cleaning, setCleaning] = useState(false);
  return (
    <section className="stack-4" aria-labelledby="recent-quotes-heading">
      <div className="row row-between">
        <h2 id="recent-quotes-heading">Recent Quotes</h2>
        <Button onClick={() => setCleaning(true)}>Cleanup Expired</Button>
      </div>
      <QuoteResults onView={onView} />
      {cleaning ? <CleanUpQuotesDialog onClose={() => setCleaning(false)} /> : null}
    </section>
  );
}
