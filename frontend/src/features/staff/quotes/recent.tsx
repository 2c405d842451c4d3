import { ArrowDown, ArrowUp, FileText, SearchX } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { StaffQuote } from "../../../api/types";
import { useAdminQuery } from "../../../lib/admin";
import { api, dataOf } from "../../../lib/client";
import { formatMoney, formatNumber, NO_VALUE, plural } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { Empty, Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { QuoteBadge } from "../../quotes/quote-badge";
import { ArchiveDialog, CleanupDialog, DeleteDialog } from "./end-dialogs";
import { arranged, SORTS, useView, type Sort, type View } from "./use-recent";
import { isArchivable, QUOTES } from "./words";

const PAGE = 50;
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

interface RowProps {
  quote: StaffQuote;
  onView: (quote: StaffQuote) => void;
}

function Row({ quote, onView }: RowProps): ReactNode {
  const [ending, setEnding] = useState(false);
  const archivable = isArchivable(quote);
  const Ending = archivable ? ArchiveDialog : DeleteDialog;
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

function Header({ view }: { view: View }): ReactNode {
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

function Table({
  found,
  view,
  onView,
}: { found: StaffQuote[]; view: View } & Pick<RowProps, "onView">): ReactNode {
  const [pages, setPages] = useState(1);
  const shown = found.slice(0, pages * PAGE);
  return (
    <>
      <div className="table-frame quote-table-frame">
        <table className="table quote-table">
          <Header view={view} />
          <tbody>
            {shown.map((quote) => (
              <Row key={quote.id} quote={quote} onView={onView} />
            ))}
          </tbody>
        </table>
      </div>
      <div className="row row-between">
        <p className="muted small nums">
          {shown.length < found.length ? `${formatNumber(shown.length)} of ` : ""}
          {plural(found.length, "quote")}
        </p>
        {shown.length < found.length ? <Button onClick={() => setPages(pages + 1)}>Show more</Button> : null}
      </div>
    </>
  );
}

function Found({ quotes, onView }: { quotes: StaffQuote[] } & Pick<RowProps, "onView">): ReactNode {
  const view = useView();
  if (quotes.length === 0) {
    return (
      <Empty icon={FileText} title="No quotes generated yet">
        Fill in the form above; what you generate is listed here.
      </Empty>
    );
  }
  const found = arranged(quotes, view);
  return (
    <>
      <Tools view={view} />
      {found.length > 0 ? (
        <Table found={found} view={view} onView={onView} />
      ) : (
        <Empty
          icon={SearchX}
          title="No quote matches"
          action={<Button onClick={() => view.setSearch(null)}>Clear filters</Button>}
        />
      )}
    </>
  );
}

/** Every quote that is not archived: found, looked at, ended. */
export function Recent({ onView }: Pick<RowProps, "onView">): ReactNode {
  const [cleaning, setCleaning] = useState(false);
  const quotes = useAdminQuery(QUOTES, async () => (await dataOf(api.GET("/api/admin/quotes"))).quotes);
  return (
    <section className="stack-4" aria-labelledby="recent-quotes-heading">
      <div className="row row-between">
        <h2 id="recent-quotes-heading">Recent Quotes</h2>
        <Button onClick={() => setCleaning(true)}>Cleanup Expired</Button>
      </div>
      <Loaded query={quotes} fallback="Failed to fetch quotes" rows={6}>
        {(found) => <Found quotes={found} onView={onView} />}
      </Loaded>
      {cleaning ? <CleanupDialog onClose={() => setCleaning(false)} /> : null}
    </section>
  );
}
