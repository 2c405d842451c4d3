import { ScrollText, SearchX } from "lucide-react";
import type { ReactNode } from "react";

import type { LogLine } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { EmptyState, Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { Select, findOption } from "../select";
import { PageButtons, usePages } from "../pagination";
import { LevelBadge, LEVELS } from "./level-badge";
import { ShortenedList } from "../shortened-list";

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

interface LogResultsProps {
  lines: readonly LogLine[];
  filtered: boolean;
  onClear: () => void;
}

function LogResults({ lines, filtered, onClear }: LogResultsProps): ReactNode {
  if (lines.length > 0) {
    return (
      <ul className="table-frame">
        {lines.map((line, index) => (
          <LogEntry key={index} line={line} />
        ))}
      </ul>
    );
  }
  return filtered ? (
    <EmptyState
      icon={SearchX}
      title="No log record matches"
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState icon={ScrollText} title="No log records yet">
      What the system says from level INFO on appears here.
    </EmptyState>
  );
}

/** The log records that the machine keeps, by level and text. */
export function LogRecords(): ReactNode {
  const [url, setUrl] = useUrlState();
  const search = url.get("log") ?? "";
  const level = findOption(LEVELS, url.get("level"), "");
  const [cursors, setCursors] = usePages([search, level].join("\n"));
  const query = { search, level, cursor: cursors.at(-1) ?? "" };
  const logs = useAdminQuery(["system", "logs", query], () =>
    readData(api.GET("/api/admin/system/logs", { params: { query } })),
  );
  return (
    <section className="stack-4" aria-labelledby="logs-heading">
      <div className="system-head">
        <h2 id="logs-heading">System logs</h2>
        <Button busy={logs.isFetching} onClick={() => void logs.refetch()}>
          Refresh
        </Button>
      </div>
      <div className="toolbar">
        <SearchField
          label="Search logs"
          hint="Text or request id"
          value={search}
          onSearch={(value) => setUrl({ log: value }, "replace")}
        />
        <Select label="Level" value={level} options={LEVELS} onChange={(value) => setUrl({ level: value })} />
      </div>
      <Loaded query={logs} fallback="Failed to load logs" rows={6}>
        {(found) => (
          <ShortenedList
            rows={found.logs}
            pages={<PageButtons next={found.next} cursors={cursors} onChange={setCursors} />}
          >
            {(lines) => (
              <LogResults
                lines={lines}
                filtered={search + level !== ""}
                onClear={() => setUrl({ log: null, level: null })}
              />
            )}
          </ShortenedList>
        )}
      </Loaded>
    </section>
  );
}
