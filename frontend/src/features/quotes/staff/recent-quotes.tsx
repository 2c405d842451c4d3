import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import type { ReactNode } from "react";

import type { StaffQuote } from "../../../api/types";
import { useAdminRows } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { NO_VALUE } from "../../../lib/format";
import type { OpenRecord } from "../../../lib/use-record";
import { Button } from "../../../ui/button";
import {
  numberColumn,
  timeColumn,
  moneyColumn,
  textColumn,
  type Column,
  type Sorting,
} from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { CursorPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { QuoteBadge } from "../quote-badge";
import { ArchiveQuoteDialog, CleanUpQuotesDialog, DeleteQuoteDialog } from "./quote-dialogs";
import { QuoteDrawer } from "./quote-drawer";
import { useRecentView } from "./use-recent-quotes";
import { isArchivable, QUOTES } from "./quote-data";
import { DialogButton } from "../../../ui/dialog-button";
import { Section } from "../../../ui/section";

interface ViewHandler {
  onView: (quote: StaffQuote) => void;
}

interface RecordProps {
  /** The quote that is open. */
  record: OpenRecord;
}

function QuoteActions({ quote, onView }: { quote: StaffQuote } & ViewHandler): ReactNode {
  const archivable = isArchivable(quote);
  const Ending = archivable ? ArchiveQuoteDialog : DeleteQuoteDialog;
  const word = archivable ? "Archive" : "Delete";
  return (
    <div className="quote-row-actions">
      <Button
        data-record={quote.quote_id}
        aria-label={`View ${quote.quote_id}`}
        onClick={() => onView(quote)}
      >
        View
      </Button>
      <DialogButton
        kind="quiet"
        aria-label={`${word} ${quote.quote_id}`}
        dialog={(close) => <Ending quote={quote} onClose={close} />}
      >
        {word}
      </DialogButton>
    </div>
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
  textColumn("customer", "Customer", (quote) => quote.customer_name, {
    className: "break quote-cell-customer",
    labelled: false,
    note: (quote) => quote.customer_email,
  }),
  textColumn("company", "Company", (quote) => quote.customer_company ?? NO_VALUE, {
    className: "break quote-cell-company",
  }),
  numberColumn("credits", "Credits", (quote) => quote.credits_needed, { sort: "down" }),
  moneyColumn("monthly", "Monthly", (quote) => quote.monthly_price),
  moneyColumn("price", "Annual", (quote) => quote.annual_price, { sort: "down" }),
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

function QuoteResults({ record }: RecordProps): ReactNode {
  const { view, query, sorting } = useRecentView();
  const quotes = useAdminRows([...QUOTES, query], () =>
    readData(api.GET("/api/admin/quotes", { params: { query } })),
  );
  const rows = quotes.data?.quotes ?? [];
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
        columns={buildColumns(({ quote_id }) => record.open(quote_id))}
        pick={(found) => found.quotes}
        getKey={({ id }) => id}
        sorting={sorting}
        empty={{
          title: "No quotes generated yet",
          text: "Fill in the form above; what you generate is listed here.",
        }}
        noMatch={{ title: "No quote matches" }}
        foot={(found) => <CursorPager {...found} view={view} thing="quote" />}
      />
      {record.id === null ? null : (
        <QuoteDrawer
          place={{ id: record.id, ids: rows.map(({ quote_id }) => quote_id), record }}
          rows={rows}
        />
      )}
    </>
  );
}

/** Every quote that is not archived: found, looked at, ended. */
export function RecentQuotes({ record }: RecordProps): ReactNode {
  return (
    <Section
      id="recent-quotes-heading"
      title="Recent Quotes"
      aside={
        <DialogButton dialog={(close) => <CleanUpQuotesDialog onClose={close} />}>
          Cleanup Expired
        </DialogButton>
      }
    >
      <QuoteResults record={record} />
    </Section>
  );
}
