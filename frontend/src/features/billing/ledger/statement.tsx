import type { ReactNode } from "react";

import type { Statement as Page } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { downloadFile } from "../../../lib/download-file";
import { formatDateTime, formatNumber, NO_VALUE } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { toSentenceCase } from "../../../lib/labels";
import { Button, ButtonLink } from "../../../ui/button";
import { numberColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { Section } from "../../../ui/section";
import { EmptyState, Loaded, ShowMore } from "../../../ui/states";
import { useAction } from "../../../lib/use-action";
import { useGrowingList } from "../../../lib/use-growing-list";

type Line = Page["entries"][number];

function useStatement(month: string) {
  return useGrowingList({
    key: ["statement", month],
    load: (cursor) => readData(api.GET("/api/credits/statement", { params: { query: { month, cursor } } })),
  });
}

function downloadStatement(month: string): Promise<void> {
  const path = `/api/credits/statement/export?month=${encodeURIComponent(month)}`;
  return downloadFile(path, `credits-${month || "all"}.csv`);
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

function StatementReason({ line: { reason, paid_at } }: { line: Line }): ReactNode {
  if (!paid_at) return reason;
  return (
    <>
      {reason}
      <span className="muted small">
        {" · paid "}
        <time dateTime={paid_at}>{formatDateTime(paid_at)}</time>
      </span>
    </>
  );
}

const COLUMNS: readonly Column<Line>[] = [
  textColumn("time", "Time", ({ time }) => <time dateTime={time}>{formatDateTime(time)}</time>, {
    className: "muted",
    labelled: false,
  }),
  textColumn("reason", "Reason", (line) => <StatementReason line={line} />, {
    className: "break",
    labelled: false,
  }),
  textColumn("reference", "Reference", ({ reference }) => <Reference reference={reference} />, {
    hideBelow: "narrow",
  }),
  textColumn("lot", "Lot", (line) => <span title={formatExpiry(line)}>{toSentenceCase(line.lot)}</span>, {
    hideBelow: "narrow",
  }),
  textColumn("credits", "Credits", ({ amount }) => formatSigned(amount), {
    align: "number",
    labelled: false,
  }),
  numberColumn("balance", "Balance", ({ balance }) => balance),
];

/** What the balance was before the first line, or, in bold, after the last one. */
function BalanceRow({ balance, ends = false }: { balance: number; ends?: boolean }): ReactNode {
  const Weight = ends ? "strong" : "span";
  return (
    <tr className={ends ? undefined : "muted"}>
      <td colSpan={2}>
        <Weight>{ends ? "Balance after" : "Balance before"}</Weight>
      </td>
      <td className="only-wide" colSpan={2} />
      <td />
      <td className="number">
        <Weight>{formatNumber(balance)}</Weight>
      </td>
    </tr>
  );
}

function StatementTable({ pages }: { pages: Page[] }): ReactNode {
  const [first] = pages;
  const last = pages.at(-1);
  if (!first || !last) return null;
  const lines = pages.flatMap(({ entries }) => entries);
  if (lines.length === 0) {
    return (
      <EmptyState
        title="No movements in this month"
        action={<ButtonLink href="/dashboard?tab=validate">Start Validating</ButtonLink>}
      >
        The balance was {formatNumber(first.closing_balance)} credits throughout. Each check and each purchase
        is a line here.
      </EmptyState>
    );
  }
  return (
    <DataTable
      label="Credit statement"
      phone="lines"
      className="statement"
      columns={COLUMNS}
      rows={lines}
      getKey={(_, index) => index}
      before={<BalanceRow balance={first.opening_balance} />}
      after={last.next === null ? <BalanceRow balance={last.closing_balance} ends /> : null}
    />
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
  const saved = useAction(() => downloadStatement(month), "Failed to download the statement");
  return (
    <Section
      id="statement-heading"
      title="Credit statement"
      card
      anchor="statement"
      aside={
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
      }
    >
      <Loaded query={pages} fallback="Failed to load the statement" rows={4}>
        {({ pages: found }) => <StatementTable pages={found} />}
      </Loaded>
      <ShowMore pages={pages} />
    </Section>
  );
}
