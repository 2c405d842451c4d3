import type { ReactNode } from "react";

import type { LogLine } from "../../../api/types";
import { useAdminRows } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { BY_TIME, CursorPager } from "../../../ui/data-table/pager";
import { QueryRows } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { RefetchButton } from "../../../ui/refetch-button";
import { Section } from "../../../ui/section";
import { Time } from "../../../ui/values";
import { LevelBadge, LEVELS } from "./level-badge";

function LogEntry({ line }: { line: LogLine }): ReactNode {
  const [first = "", ...rest] = line.message.split("\n");
  return (
    <li className="system-log">
      <LevelBadge level={line.level} />
      <span className="muted small">
        <Time at={line.timestamp} />
      </span>
      <div className="mono small break">
        {rest.length === 0 ? (
          first
        ) : (
          <details>
            <summary>{first}</summary>
            <pre className="system-trace">{rest.join("\n")}</pre>
          </details>
        )}
      </div>
    </li>
  );
}

const FILTERS = {
  log: { label: "Search logs", hint: "Text or request id" },
  level: { label: "Level", options: LEVELS },
};

const GRAVITY = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"];

/** Why nothing of a level is there: the machine is set to keep graver records alone, or none matches. */
function explainNoMatch(level: string, storedFrom = "DEBUG"): { title: string; text?: string } {
  const asked = GRAVITY.indexOf(level);
  if (asked === -1 || asked >= GRAVITY.indexOf(storedFrom)) return { title: "No log record matches" };
  return {
    title: `${level} records are not kept`,
    text: `LOG_STORE_LEVEL is ${storedFrom}: what is below it is not stored.`,
  };
}

/** The log records that the machine keeps, by level and text. */
export function LogRecords(): ReactNode {
  const view = useTableView(FILTERS);
  const query = { search: view.values.log, level: view.values.level, cursor: view.cursor };
  const logs = useAdminRows(["system", "logs", query], () =>
    readData(api.GET("/api/admin/system/logs", { params: { query } })),
  );
  return (
    <Section id="logs-heading" title="System logs" aside={<RefetchButton query={logs} words="Refresh" />}>
      <FilterBar view={view} />
      <QueryRows
        query={logs}
        fallback="Failed to load logs"
        skeleton={6}
        view={view}
        pick={(found) => found.logs}
        empty={{
          title: "No log records yet",
          text: `What the system says from level ${logs.data?.stored_from ?? "INFO"} on appears here.`,
        }}
        noMatch={explainNoMatch(view.values.level, logs.data?.stored_from)}
        foot={({ next }) => <CursorPager view={view} next={next} words={BY_TIME} />}
        shortened
      >
        {(lines, foot) => (
          <div className="table-frame">
            <ul>
              {lines.map((line, index) => (
                <LogEntry key={index} line={line} />
              ))}
            </ul>
            {foot}
          </div>
        )}
      </QueryRows>
    </Section>
  );
}
