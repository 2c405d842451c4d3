import Plus from "lucide-react/icons/plus";
import { useState, type ReactNode } from "react";

import type { Deal, Deals } from "../../../api/types";
import { formatUsd, formatCount } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { useRecord } from "../../../lib/use-record";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { Section } from "../../../ui/section";
import { EmptyState, ErrorState, SkeletonBlock } from "../../../ui/states";
import { Select } from "../../../ui/select";
import { isOpenStage } from "../labels";
import { Board } from "./board";
import { getCards } from "./board-data";
import { DealDrawer } from "./deal-drawer";
import { DealForm } from "./deal-form";
import { CLOSINGS, useBoard, useBoardFilters, type Filters } from "./use-board";

function Tools({ filters }: { filters: Filters }): ReactNode {
  return (
    <div className="toolbar">
      <SearchField
        label="Search deals"
        hint="Search by company or contact"
        value={filters.search}
        onSearch={filters.setSearch}
      />
      <Select
        label="Expected close"
        value={filters.closing}
        options={CLOSINGS}
        onChange={filters.setClosing}
      />
    </div>
  );
}

function Summary({ board, partial }: { board: Deals; partial: boolean }): ReactNode {
  const open = board.stages.filter(({ stage }) => isOpenStage(stage));
  const count = open.reduce((sum, one) => sum + one.count, 0);
  const value = open.reduce((sum, one) => sum + one.value, 0);
  return (
    <div className="row row-between">
      <p className="nums">
        <strong>{formatUsd(value)}</strong> in {formatCount(count, "open deal")}
        {partial ? (
          <span className="muted"> that match; what is moved goes to the end of its stage</span>
        ) : null}
      </p>
      <p className="muted small fine-pointer" id="board-keys">
        Drag a card. With the keyboard: arrows to walk, <kbd>Shift</kbd> and an arrow to move, <kbd>M</kbd>{" "}
        for the menu.
      </p>
    </div>
  );
}

interface BoardOrEmptyProps {
  board: Deals;
  filters: Filters;
  onNew: () => void;
  children: ReactNode;
}

function BoardOrEmpty({ board, filters, onNew, children }: BoardOrEmptyProps): ReactNode {
  if (board.stages.some(({ count }) => count > 0)) return children;
  if (filters.partial) {
    return (
      <EmptyState
        plain
        title="No deal matches"
        action={<Button onClick={filters.clear}>Clear filters</Button>}
      />
    );
  }
  return (
    <EmptyState title="No deals yet" action={<Button onClick={onNew}>New Deal</Button>}>
      A deal is a sale that you expect. Add one here, or make one from a message.
    </EmptyState>
  );
}

/** As they stand on the board: stage by stage, from the top down. */
function listDealIds(board: Deals | undefined): string[] {
  if (!board) return [];
  return board.stages.flatMap(({ stage }) => getCards(board, stage)).map(({ id }) => String(id));
}

/** The view Deal Pipeline. */
export function Pipeline(): ReactNode {
  const [, setUrl] = useUrlState();
  const [form, setForm] = useState<{ deal?: Deal } | null>(null);
  const filters = useBoardFilters();
  const board = useBoard(filters);
  const record = useRecord("deal");
  const onNew = () => setForm({});
  const onEdit = (deal: Deal) => setForm({ deal });
  const onQuote = ({ id }: Deal) => setUrl({ tab: "quotes", quote_deal: String(id), deal: null });
  return (
    <Section
      id="pipeline-heading"
      title="Deal Pipeline"
      aside={
        <Button kind="primary" onClick={onNew}>
          <Plus size={16} aria-hidden />
          New Deal
        </Button>
      }
    >
      <Tools filters={filters} />
      {board.data ? (
        <BoardOrEmpty board={board.data} filters={filters} onNew={onNew}>
          <Summary board={board.data} partial={filters.partial} />
          <Board
            board={board.data}
            filters={filters}
            onOpen={({ id }) => record.open(id)}
            onEdit={onEdit}
            onQuote={onQuote}
          />
        </BoardOrEmpty>
      ) : board.error ? (
        <ErrorState query={board} fallback="Failed to load deals" />
      ) : (
        <SkeletonBlock className="deal-board-loading" />
      )}
      {record.id === null ? null : (
        <DealDrawer
          place={{ id: record.id, ids: listDealIds(board.data), record }}
          onEdit={onEdit}
          onQuote={onQuote}
        />
      )}
      {form ? <DealForm {...form} onClose={() => setForm(null)} /> : null}
    </Section>
  );
}
