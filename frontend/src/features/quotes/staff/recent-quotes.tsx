import { ArrowDown, ArrowUp, FileText, SearchX } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { StaffQuote } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatMoney, formatNumber, NO_VALUE, formatCount } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { EmptyState, Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { QuoteBadge } from "../quote-badge";
import { PageButtons, usePages } from "../../adminpanel/pagination";
import { ArchiveQuoteDialog, CleanUpQuotesDialog, DeleteQuoteDialog } from "./quote-dialogs";
import { buildQuery, SORTS, useRecentView, type Sort, type View } from "./use-recent-quotes";
import { isArchivable, QUOTES } from "./quote-data";

const COLUMNS: readonly (readonly [string, string, Sort | null])[] = [
  ["Quote ID", "", null],
  ["Customer", "", null],
  ["Company", "", null],
  ["Credits", "number", "credits"],
  ["Monthly", "number", null],
  ["Annual", "number", "price"],
  ["Created", "", "date"],
  ["Actions", "", null],
];

interface QuoteRowProps {
  quote: StaffQuote;
  onView: (quote: StaffQuote) => void;
}

function QuoteRow({ quote, onView }: QuoteRowProps): ReactNode {
  const [ending, setEnding] = useState(false);
  const archivable = isArchivable(quote);
  const Ending = archivable ? ArchiveQuoteDialog : DeleteQuoteDialog;
  const word = archivable ? "Archive" : "Delete";
  return (
    <tr>
      <td className="quote-cell-id">
        <span className="mono">{quote.quote_id}</span>
        <QuoteBadge quote={quote} />
      </td>
      <td className="break quote-cell-customer">
        {quote.customer_name}
        <div className="muted small">{quote.customer_email}</div>
      </td>
      <td className="break quote-cell-company">{quote.customer_company ?? NO_VALUE}</td>
      <td className="number" data-label="Credits">
        {formatNumber(quote.credits_needed)}
      </td>
      <td className="number" data-label="Monthly">
        {formatMoney(quote.monthly_price)}
      </td>
      <td className="number" data-label="Annual">
        {formatMoney(quote.annual_price)}
      </td>
      <td className="muted quote-cell-created" data-label="Created">
        <Time at={quote.created_at} />
      </td>
      <td className="quote-cell-actions">
        <div className="quote-row-actions">
          <Button aria-label={`View ${quote.quote_id}`} onClick={() => onView(quote)}>
            View
          </Button>
          <Button kind="quiet" aria-label={`${word} ${quote.quote_id}`} onClick={() => setEnding(true)}>
            {word}
          </Button>
        </div>
        {ending ? <Ending quote={quote} onClose={() => setEnding(false)} /> : null}
      </td>
    </tr>
  );
}

function TableHeader({ view }: { view: View }): ReactNode {
  const Glyph = view.ascending ? ArrowUp : ArrowDown;
  return (
    <thead>
      <tr>
        {COLUMNS.map(([name, className, sort]) => {
          const sorted = sort !== null && sort === view.sort;
          const order = view.ascending ? "ascending" : "descending";
          return (
            <th
              key={name}
              scope="col"
              className={name === "Company" ? "quote-cell-company" : className}
              aria-sort={sorted ? order : undefined}
            >
              {sort ? (
                <button type="button" onClick={() => view.setSort(sort, sorted && !view.ascending)}>
                  {name}
                  {sorted ? <Glyph size={14} aria-hidden /> : null}
                </button>
              ) : (
                <span>{name}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function Tools({ view }: { view: View }): ReactNode {
  const Glyph = view.ascending ? ArrowUp : ArrowDown;
  return (
    <div className="toolbar">
      <SearchField
        label="Search quotes"
        hint="Search by ID, customer, email or company"
        value={view.search}
        onSearch={view.setSearch}
      />
      <select
        className="input"
        aria-label="Sort by"
        value={view.sort}
        onChange={(event) => view.setSort(event.target.value as Sort, view.ascending)}
      >
        {SORTS.map(([key, word]) => (
          <option key={key} value={key}>
            {word}
          </option>
        ))}
      </select>
      <Button onClick={() => view.setSort(view.sort, !view.ascending)}>
        <Glyph size={16} aria-hidden />
        {view.ascending ? "Ascending" : "Descending"}
      </Button>
    </div>
  );
}

type ViewHandler = Pick<QuoteRowProps, "onView">;

function QuoteTable({ quotes, view, onView }: { quotes: StaffQuote[]; view: View } & ViewHandler): ReactNode {
  return (
    <div className="table-frame quote-table-frame">
      <table className="table quote-table">
        <TableHeader view={view} />
        <tbody>
          {quotes.map((quote) => (
            <QuoteRow key={quote.id} quote={quote} onView={onView} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NoQuotes({ view }: { view: View }): ReactNode {
  return view.search === "" ? (
    <EmptyState icon={FileText} title="No quotes generated yet">
      Fill in the form above; what you generate is listed here.
    </EmptyState>
  ) : (
    <EmptyState
      icon={SearchX}
      title="No quote matches"
      action={<Button onClick={() => view.setSearch(null)}>Clear filters</Button>}
    />
  );
}

function QuoteResults({ onView }: ViewHandler): ReactNode {
  const view = useRecentView();
  const [cursors, setCursors] = usePages([view.search, view.sort, view.ascending].join("\n"));
  const query = buildQuery(view, cursors.at(-1) ?? "");
  const quotes = useAdminQuery([...QUOTES, query], () =>
    readData(api.GET("/api/admin/quotes", { params: { query } })),
  );
  return (
    <>
      {quotes.data?.total === 0 && view.search === "" ? null : <Tools view={view} />}
      <Loaded query={quotes} fallback="Failed to fetch quotes" rows={6}>
        {(found) =>
          found.quotes.length === 0 ? (
            <NoQuotes view={view} />
          ) : (
            <>
              <QuoteTable quotes={found.quotes} view={view} onView={onView} />
              <div className="row row-between">
                <p className="muted small nums">{formatCount(found.total, "quote")}</p>
                <PageButtons
                  next={found.next}
                  cursors={cursors}
                  onChange={setCursors}
                  words={["Previous", "Next"]}
                />
              </div>
            </>
          )
        }
      </Loaded>
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
