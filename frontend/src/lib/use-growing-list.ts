import { useInfiniteQuery, type InfiniteData } from "@tanstack/react-query";

interface PagesOptions<Page> {
  key: readonly unknown[];
  /** @param cursor where the list goes on; empty for its first page. */
  load: (cursor: string) => Promise<Page>;
  /** Milliseconds until it is loaded once more, or false, by what was loaded last. */
  again?: (found: InfiniteData<Page, string> | undefined) => number | false;
  staleTime?: number;
}

/** A list that grows page by page. */
export function useGrowingList<Page extends { next: string | null }>(options: PagesOptions<Page>) {
  const { key, load, again, ...rest } = options;
  return useInfiniteQuery({
    ...rest,
    queryKey: key,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: "",
    getNextPageParam: ({ next }: Page) => next,
    refetchInterval: ({ state }) => again?.(state.data) ?? false,
  });
}
