import { useMutation } from "@tanstack/react-query";
import { History as HistoryIcon, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Batch, ResultRow } from "../api/types";
import { BatchCard } from "../features/history/batch-card";
import { Breakdown } from "../features/history/breakdown";
import { IndividualCard } from "../features/history/individual-card";
import { loadAll, useHistory, type HistoryFilter } from "../features/history/use-history";
import { messageOf } from "../lib/errors";
import { allRows, exportHistory, exportIndividuals } from "../lib/exports";
import { useUrlState } from "../lib/url-state";
import { Button, ButtonLink } from "../ui/button";
import { categoryOf, CategoryFilter, SearchField } from "../ui/filters";
import { PageHead } from "../ui/page-head";
import { Empty, ErrorState, SkeletonCards } from "../ui/states";

async function everything(): Promise<void> {
  const { batches, individuals } = await loadAll();
  const rows = [...individuals];
  for (const batch of batches) rows.push(...(await allRows(batch.id)));
  exportHistory(rows);
}

async function allIndividuals(): Promise<void> {
  exportIndividuals((await loadAll()).individuals);
}

/** An export that reads all pages first. */
function useExport(run: () => Promise<void>) {
  return useMutation({
    mutationFn: run,
    onError: (error) => toast.error(messageOf(error, "Failed to export bulk validation")),
  });
}

interface SectionProps {
  title: string;
  action?: ReactNode;
  children: ReactNode[];
}

function Section({ title, action, children }: SectionProps): ReactNode {
  if (children.length === 0) return null;
  return (
    <section className="stack-4">
      <div className="row row-between">
        <h2>{title}</h2>
        {action}
      </div>
      <div className="cards">{children}</div>
    </section>
  );
}

function Lists({ batches, individuals }: { batches: Batch[]; individuals: ResultRow[] }): ReactNode {
  const exporting = useExport(allIndividuals);
  const cards = (type: Batch["batch_type"]) =>
    batches
      .filter(({ batch_type }) => batch_type === type)
      .map((batch) => <BatchCard key={batch.id} batch={batch} />);
  const action = (
    <Button busy={exporting.isPending} onClick={() => exporting.mutate()}>
      Export All Individual
    </Button>
  );
  return (
    <>
      <Section title="Files">{cards("file_upload")}</Section>
      <Section title="Pasted lists">{cards("bulk_textarea")}</Section>
      <Section title="Single validations" action={action}>
        {individuals.map((row) => (
          <IndividualCard key={row.id} row={row} />
        ))}
      </Section>
    </>
  );
}

interface NothingProps {
  filter: HistoryFilter;
  onClear: () => void;
}

function Nothing({ filter, onClear }: NothingProps): ReactNode {
  if (filter.search || filter.category) {
    const action = <Button onClick={onClear}>Clear filters</Button>;
    return (
      <Empty icon={SearchX} title="Nothing matches" action={action}>
        No list and no single validation matches this search.
      </Empty>
    );
  }
  const action = (
    <ButtonLink kind="primary" href="/dashboard?tab=validate">
      Start Validating
    </ButtonLink>
  );
  return (
    <Empty icon={HistoryIcon} title="No Validation History" action={action}>
      Every address and list that you validate is kept here with its verdicts and their evidence.
    </Empty>
  );
}

interface BodyProps extends NothingProps {
  history: ReturnType<typeof useHistory>;
}

function Body({ history, ...nothing }: BodyProps): ReactNode {
  const { pages, batches, individuals } = history;
  if (pages.isPending) return <SkeletonCards count={6} />;
  if (pages.isError) return <ErrorState query={pages} fallback="Failed to load dashboard data" />;
  if (batches.length === 0 && individuals.length === 0) return <Nothing {...nothing} />;
  return (
    <div className="stack" aria-busy={pages.isPlaceholderData}>
      <Breakdown batches={batches} individuals={individuals} partial={pages.hasNextPage} />
      <Lists batches={batches} individuals={individuals} />
      {pages.hasNextPage ? (
        <div className="row">
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** The tab History: lists and single validations with their exports. */
export default function History(): ReactNode {
  const [url, setUrl] = useUrlState();
  const filter = { search: url.get("search") ?? "", category: categoryOf(url) };
  const history = useHistory(filter);
  const exporting = useExport(everything);
  const clear = () => setUrl({ search: null, category: null });
  const empty = history.pages.isSuccess && history.batches.length + history.individuals.length === 0;
  const action = (
    <Button kind={empty ? "plain" : "primary"} busy={exporting.isPending} onClick={() => exporting.mutate()}>
      Export history
    </Button>
  );
  return (
    <>
      <PageHead title="History" lead="Every list and address you validated, newest first." action={action} />
      <div className="stack">
        <div className="toolbar">
          <SearchField
            label="Search history"
            value={filter.search}
            onSearch={(search) => setUrl({ search }, "replace")}
          />
          <CategoryFilter value={filter.category} onChange={(category) => setUrl({ category })} />
        </div>
        <Body history={history} filter={filter} onClear={clear} />
      </div>
    </>
  );
}
