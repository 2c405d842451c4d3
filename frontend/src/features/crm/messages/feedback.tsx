import { MessageSquareHeart, SearchX, Star } from "lucide-react";
import type { ReactNode } from "react";

import type { FeedbackPage } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatCount } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { LiveView } from "../../../ui/live-view";
import { EmptyState } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Time } from "../../../ui/values";
import { Select, findOption } from "../../adminpanel/select";
import { PageButtons, usePages } from "../../adminpanel/pagination";

const ABOUT = [
  ["", "Everything"],
  ["bat_", "Finished lists"],
  ["docs/", "Documentation"],
  ["help/", "Help pages"],
] as const;

type FeedbackItem = FeedbackPage["feedback"][number];

function Rating({ value }: { value: number }): ReactNode {
  return (
    <span className="badge tone-accent">
      <Star size={14} aria-hidden />
      {value} of 5
    </span>
  );
}

function FeedbackRow({ row }: { row: FeedbackItem }): ReactNode {
  return (
    <tr>
      <td>
        <Rating value={row.rating} />
      </td>
      <td className="break">
        <span className="mono small">{row.context}</span>
        {row.text ? <div className="break">{row.text}</div> : null}
      </td>
      <td className="muted">
        <Time at={row.time} />
      </td>
    </tr>
  );
}

interface FeedbackTableProps {
  found: FeedbackPage;
  filtered: boolean;
  onClear: () => void;
}

function FeedbackTable({ found, filtered, onClear }: FeedbackTableProps): ReactNode {
  if (found.feedback.length === 0) {
    return filtered ? (
      <EmptyState
        icon={SearchX}
        title="No feedback about this"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Nobody has rated anything of this kind.
      </EmptyState>
    ) : (
      <EmptyState icon={MessageSquareHeart} title="No ratings yet">
        Customers are asked once after each finished list, readers below each section of the documentation.
      </EmptyState>
    );
  }
  return (
    <div className="table-frame">
      <table className="table">
        <TableHead columns={["Rating", "About", "When"]} />
        <tbody>
          {found.feedback.map((row) => (
            <FeedbackRow key={`${row.context} ${row.time}`} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What people said about finished lists and pages, newest first. */
export function Feedback(): ReactNode {
  const [url, setUrl] = useUrlState();
  const about = findOption(ABOUT, url.get("about"), "");
  const [cursors, setCursors] = usePages(about);
  const query = { context: about, cursor: cursors.at(-1) ?? "" };
  const feedback = useAdminQuery(["feedback", query], () =>
    readData(api.GET("/api/admin/feedback", { params: { query } })),
  );
  return (
    <section className="stack-4" aria-labelledby="feedback-heading">
      <div className="report-head">
        <h2 id="feedback-heading">Feedback</h2>
        <Select label="About" value={about} options={ABOUT} onChange={(next) => setUrl({ about: next })} />
      </div>
      <LiveView query={feedback} fallback="Failed to load feedback" rows={3}>
        {(found) => (
          <>
            {found.mean === null ? null : (
              <p className="muted">
                {found.mean.toFixed(1)} out of 5 on average, {formatCount(found.count, "rating")} of all time
              </p>
            )}
            <FeedbackTable found={found} filtered={about !== ""} onClear={() => setUrl({ about: null })} />
            <PageButtons next={found.next} cursors={cursors} onChange={setCursors} />
          </>
        )}
      </LiveView>
    </section>
  );
}
