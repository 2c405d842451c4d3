import { act, renderHook } from "@testing-library/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { expect, it, vi } from "vitest";

import { queryClient } from "../../src/lib/query";
import { useOptimisticSave } from "../../src/lib/use-optimistic-save";

interface Wishes {
  news: boolean;
  offers: boolean;
}

const shown = () => queryClient.getQueryData<Wishes>(["wishes"]);

/** Two boxes are ticked before the first answer is there; `answers` ends each call in turn. */
function tickBoth() {
  const answers: { resolve: (wishes: Wishes) => void; reject: (error: Error) => void }[] = [];
  const sent: Partial<Wishes>[] = [];
  const send = (change: Partial<Wishes>) => {
    sent.push(change);
    return new Promise<Wishes>((resolve, reject) => answers.push({ resolve, reject }));
  };
  queryClient.setQueryData<Wishes>(["wishes"], { news: false, offers: false });
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: queryClient }, children);
  const { result } = renderHook(() => useOptimisticSave<Wishes>("wishes", send), { wrapper });
  act(() => {
    result.current.mutate({ news: true });
    result.current.mutate({ offers: true });
  });
  return { answers, sent };
}

it("[SET-051] what is ticked while another box is saved stays ticked", async () => {
  const { answers, sent } = tickBoth();
  await vi.waitFor(() => expect(shown()).toEqual({ news: true, offers: true }));
  expect(sent).toEqual([{ news: true }]);
  await act(async () => {
    answers[0]?.resolve({ news: true, offers: false }); // it does not know of the second one yet
    await Promise.resolve();
  });
  await vi.waitFor(() => expect(sent).toEqual([{ news: true }, { offers: true }]));
  expect(shown()).toEqual({ news: true, offers: true });
  act(() => answers[1]?.resolve({ news: true, offers: true }));
  await vi.waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(shown()).toEqual({ news: true, offers: true });
});

it("[SET-056] what was not kept is taken back, and nothing else", async () => {
  const { answers, sent } = tickBoth();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  act(() => answers[0]?.reject(new Error("no")));
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(shown()).toEqual({ news: false, offers: true });
});
