import { MessageSquareHeart, SearchX, Star } from "lucide-react";
import type { ReactNode } from "react";

import type { FeedbackPage } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, dataOf } from "../../../lib/client";
import { plural } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { Fresh } from "../../../ui/fresh";
import { Empty } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Time } from "../../../ui/values";
import { Choice, chosen } from "../../adminpanel/choice";
import { Pages, usePages } from "../../adminpanel/pages";

const ABOUT = [
  ["", "Everything"],
  ["bat_", "Finished lists"],
  ["docs/", "Documentation"],
  ["help/", "Help pages"],
] as const;

type Row = FeedbackPage["feedback"][number];

function Rating({ value }: { value: number }): ReactNode {
  return (
    <span className="badge tone-accent">
      <Star size={14} aria-hidden />
      {value} of 5
    </span>
  );
}

function Line({ row }: { row: Row }): ReactNode {
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

interface TableProps {
  found: FeedbackPage;
  filtered: boolean;
  onClear: () => void;
}

function Table({ found, filtered, onClear }: TableProps): ReactNode {
  if (found.feedback.length === 0) {
    return filtered ? (
      <Empty
        icon={SearchX}
        title="No feedback about this"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Nobody has rated anything of this kind.
      </Empty>
    ) : (
      <Empty icon={MessageSquareHeart} title="No ratings yet">
        Customers are asked once after each finished list, readers below each section of the documentation.
      </Empty>
    );
  }
  return (
    <div className="table-frame">
      <table className="table">
        <TableHead columns={["Rating", "About", "When"]} />
        <tbody>
          {found.feedback.map((row) => (
            <Line key={`${row.context} ${row.time}`} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What people said about finished lists and pages, newest first. */
export function Feedback(): ReactNode {
  const [url, setUrl] = useUrlState();
  const about = chosen(ABOUT, url.get("about"), "");
  const [cursors, setCursors] = usePages(about);
  const query = { context: about, cursor: cursors.at(-1) ?? "" };
  const feedback = useAdminQuery(["feedback", query], () =>
    dataOf(api.GET("/api/admin/feedback", { params: { query } })),
  );
  return (
    <section className="stack-4" aria-labelledby="feedback-heading">
      <div className="report-head">
        <h2 id="feedback-heading">Feedback</h2>
        <Choice label="About" value={about} options={ABOUT} onChange={(next) => setUrl({ about: next })} />
      </div>
      <Fresh query={feedback} fallback="Failed to load feedback" rows={3}>
        {(found) => (
          <>
            {found.mean === null ? null : (
              <p className="muted">
                {found.mean.toFixed(1)} out of 5 on average, {plural(found.count, "rating")} of all time
              </p>
            )}
            <Table found={found} filtered={about !== ""} onClear={() => setUrl({ about: null })} />
            <Pages next={found.next} cursors={cursors} onChange={setCursors} />
          </>
        )}
      </Fresh>
    </section>
  );
}
