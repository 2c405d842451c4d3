import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { vi } from "vitest";

import { queryClient } from "../src/lib/query";
import { Toaster } from "../src/ui/toaster";

function mount(page: ReactNode) {
  const user = userEvent.setup();
  render(<QueryClientProvider client={queryClient}>{page}</QueryClientProvider>);
  return user;
}

/** Shows an island as the page does, with a place for toasts. */
export function show(island: ReactNode) {
  return mount(
    <>
      <Toaster />
      {island}
    </>,
  );
}

/** Shows an island that brings its own place for toasts. */
export function showAlone(island: ReactNode) {
  return mount(island);
}

function catchUp(milliseconds: number): Promise<void> {
  return act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await vi.dynamicImportSettled();
  });
}

/** Lets faked time pass, what loads on demand arrive, and the page catch up. */
export async function pass(milliseconds: number): Promise<void> {
  await catchUp(milliseconds);
  await catchUp(1);
}

/** Chooses from the menu of a row. */
export async function choose(user: UserEvent, row: string, entry: string): Promise<void> {
  await user.click(await screen.findByRole("button", { name: `More actions for ${row}` }));
  await user.click(await screen.findByRole("menuitem", { name: entry }));
}
