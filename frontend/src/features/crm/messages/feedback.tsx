import Star from "lucide-react/icons/star";
import type { ReactNode } from "react";

import type { FeedbackPage } from "../../../api/types";
import { useAdminRows } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatCount } from "../../../lib/format";
import { Badge } from "../../../ui/badge";
import { timeColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { BY_TIME, CursorPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { Section } from "../../../ui/section";

const ABOUT = [
  ["", "Everything"],
  ["bat_", "Finished lists"],
  ["docs/", "Documentation"],
  ["help/", "Help pages"],
] as const;
const FILTERS = { about: { label: "About", options: ABOUT } };

type FeedbackItem = FeedbackPage["feedback"][number];

const COLUMNS: readonly Column<FeedbackItem>[] = [
  textColumn("rating", "Rating", ({ rating }) => <Badge look={[`${rating} of 5`, "plain", Star]} />),
  {
    key: "about",
    title: "About",
    className: "break",
    cell: ({ context, text }) => (
      <>
        <span className="mono small">{context}</span>
        {text ? <div className="break">{text}</div> : null}
      </>
    ),
  },
  timeColumn("when", "When", ({ time }) => time),
];

/** What people said about finished lists and pages, newest first. */
export function Feedback(): ReactNode {
  const view = useTableView(FILTERS);
  const query = { context: view.values.about, cursor: view.cursor };
  const feedback = useAdminRows<FeedbackPage>(["feedback", query], () =>
    readData(api.GET("/api/admin/feedback", { params: { query } })),
  );
  return (
    <Section id="feedback-heading" title="Feedback" aside={<FilterBar view={view} />}>
      <QueryTable
        label="Feedback"
        query={feedback}
        fallback="Failed to load feedback"
        skeleton={3}
        view={view}
        columns={COLUMNS}
        pick={(found) => found.feedback}
        getKey={({ context, time }) => `${context} ${time}`}
        above={({ mean, count }) =>
          mean === null ? null : (
            <p className="muted">
              {mean.toFixed(1)} out of 5 on average, {formatCount(count, "rating")} of all time
            </p>
          )
        }
        empty={{
          title: "No ratings yet",
          text: "Customers are asked once after each finished list, readers below each section of the documentation.",
        }}
        noMatch={{ title: "No feedback about this", text: "Nobody has rated anything of this kind." }}
        foot={({ next }) => <CursorPager view={view} next={next} words={BY_TIME} />}
      />
    </Section>
  );
}
