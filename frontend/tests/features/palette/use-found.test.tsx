import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";

import { useFound } from "../../../src/features/palette/use-found";
import { queryClient } from "../../../src/lib/query";
import { json, serve } from "../../server";

it("[look-07] what staff find among users opens the record itself", async () => {
  serve({
    "GET /api/admin/users/authenticated": () =>
      json({ users: [{ id: 7, name: "Bob Birch", email: "bob@birchworks.net" }], total: 1 }),
    "GET /api/admin/quotes": () => json({ quotes: [] }),
    "GET /api/validate/batches": () => json({ batches: [], individual_validations: [] }),
    "GET /documentation": () => new Response("<main></main>"),
  });
  const { result } = renderHook(() => useFound("bob", true), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  const pick = () => result.current.found.flatMap(({ entries }) => entries.map(({ address }) => address));
  await waitFor(() => expect(pick()).toEqual(["/admin?tab=users&record=7"]));
});
