import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Receipt } from "lucide-react";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Statement as Page } from "../../../api/types";
import { api, fetchAuthorised, readData } from "../../../lib/client";
import { saveBlob } from "../../../lib/download";
import { getErrorMessage } from "../../../lib/errors";
import { formatDateTime, formatNumber, NO_VALUE } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { toSentenceCase } from "../../../lib/labels";
import { Button } from "../../../ui/button";
import { EmptyState, Loaded, ShowMore } from "../../../ui/states";
import { TableHead } from "../../../ui/table";

type Line = Page["entries"][number];

function useStatement(month: string) {
  return useInfiniteQuery({
    queryKey: ["statement", month],
    queryFn: ({ pageParam }) =>
      readData(api.GET("/api/credits/statement", { params: { query: { month, cursor: pageParam } } })),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

async function downloadStatement(month: string): Promise<void> {
  const path = `/api/credits/statement/export?month=${encodeURIComponent(month)}`;
  const answer = await fetchAuthorised(new Request(new URL(path, location.origin)));
  saveBlob(await answer.blob(), `credits-${month || "all"}.csv`);
}

function formatSigned(amount: number): string {
  if (amount === 0) return "0";
  return `${amount > 0 ? "+" : "−"}${formatNumber(Math.abs(amount))}`;
}

function Reference({ reference }: { reference: string | null }): ReactNode {
  if (reference === null) return NO_VALUE;
  if (!reference.startsWith("bat_")) return <span className="mono">{reference}</span>;
  return (
    <a className="mono" href={`/dashboard/batch/${reference}`}>
      {reference}
    </a>
  );
}

/** When the credits end; a payment that brought none has none. */
function formatExpiry({ state, lot_expires_at }: Line): string | undefined {
  if (state !== "moved") return undefined;
  return lot_expires_at ? `until ${formatDateTime(lot_expires_at)}` : "never expires";
}

function StatementRow({ line }: { line: Line }): ReactNode {
  return (
    <tr>
      <td className="muted">
        <time dateTime={line.time}>{formatDateTime(line.time)}</time>
      </td>
      <td className="break">
        {line.reason}
        {line.paid_at ? (
          <span className="muted small">
            {" · paid "}
            <time dateTime={line.paid_at}>{formatDateTime(line.paid_at)}</time>
          </span>
        ) : null}
      </td>
      <td className="only-wide">
        <Reference reference={line.reference} />
      </td>
      <td className="only-wide" title={formatExpiry(line)}>
        {toSentenceCase(line.lot)}
      </td>
      <td className="number">{formatSigned(line.amount)}</td>
      <td className="number" data-label="Balance">
        {formatNumber(line.balance)}
      </td>
    </tr>
  );
}

const COLUMNS = [
  ["Time", ""],
  ["Reason", ""],
  ["Reference", "only-wide"],
  ["Lot", "only-wide"],
  ["Credits", "number"],
  ["Balance", "number"],
] as const;

function StatementTable({ pages }: { pages: Page[] }): ReactNode {
  const [first] = pages;
  const last = pages.at(-1);
  if (!first || !last) return null;
  const lines = pages.flatMap(({ entries }) => entries);
  if (lines.length === 0) {
    return (
      <EmptyState icon={Receipt} title="No movements in this month">
        The balance was {formatNumber(first.closing_balance)} credits throughout.
      </EmptyState>
    );
  }
  return (
    <div className="table-frame">
      <table className="table statement two-line">
        <TableHead columns={COLUMNS} />
        <tbody>
          <tr className="muted">
            <td colSpan={2}>Balance before</td>
            <td className="only-wide" colSpan={2} />
            <td />
            <td className="number">{formatNumber(first.opening_balance)}</td>
          </tr>
          {lines.map((line, index) => (
            <StatementRow key={index} line={line} />
          ))}
          {last.next === null ? (
            <tr>
              <td colSpan={2}>
                <strong>Balance after</strong>
              </td>
              <td className="only-wide" colSpan={2} />
              <td />
              <td className="number">
                <strong>{formatNumber(last.closing_balance)}</strong>
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </div>
  );
}

function getThisMonth(): string {
  return new Date().toISOString().slice(0, 7);
}

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
/** In the address: every month. */
const ALL = "all";

/** The month in the address, "" for all of them; this month is not named there. */
function useMonth(): [string, (month: string) => void] {
  const [url, setUrl] = useUrlState();
  const named = url.get("month") ?? "";
  const month = named === ALL ? "" : MONTH.test(named) ? named : getThisMonth();
  return [month, (chosen) => setUrl({ month: chosen === getThisMonth() ? null : chosen || ALL })];
}

/** Every movement of credits with its reason and the balance after it, by month (UTC). */
export function Statement(): ReactNode {
  const [month, setMonth] = useMonth();
  const pages = useStatement(month);
  const saved = useMutation({
    mutationFn: () => downloadStatement(month),
    onError: (error) => toast.error(getErrorMessage(error, "Failed to download the statement")),
  });
  return (
    <section className="card stack-4 anchor" id="statement" aria-labelledby="statement-heading">
      <div className="row row-between">
        <h2 id="statement-heading">Credit statement</h2>
        <div className="row">
          <input
            className="input month"
            type="month"
            aria-label="Month (UTC)"
            value={month}
            max={getThisMonth()}
            onChange={(event) => setMonth(event.target.value)}
          />
          <Button
            busy={saved.isPending}
            changes={false}
            disabled={pages.isError}
            onClick={() => saved.mutate()}
          >
            Download CSV
          </Button>
        </div>
      </div>
      <Loaded query={pages} fallback="Failed to load the statement" rows={4}>
        {({ pages: found }) => <StatementTable pages={found} />}
      </Loaded>
      <ShowMore pages={pages} />
    </section>
  );
}
