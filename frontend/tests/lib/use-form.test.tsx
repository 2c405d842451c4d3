import { renderHook, act } from "@testing-library/react";
import { toast } from "sonner";
import { expect, it, vi } from "vitest";

import { ApiError } from "../../src/lib/errors";
import { useForm } from "../../src/lib/use-form";
import type { Says } from "../../src/lib/use-action";

async function fail(says: Says, field: string | null) {
  const said = vi.spyOn(toast, "error").mockReturnValue(0);
  said.mockClear();
  const error = new ApiError(400, "REFUSED", "Not this one", null, { details: { field } });
  const options = { defaults: { name: "" }, send: () => Promise.reject(error), fallback: "Failed", says };
  const { result } = renderHook(() => useForm(options));
  await act(async () => {
    result.current.submit({ preventDefault: () => undefined });
    await Promise.resolve();
  });
  const { failure, errors } = result.current;
  return [said.mock.calls.map(([words]) => words), failure, errors.name ?? null];
}

it("[look-18] a failure is said once: by the toast, by the form, or at its field", async () => {
  expect(await fail("toast", null)).toEqual([["Not this one"], null, null]);
  expect(await fail("described", null)).toEqual([["Failed"], null, null]);
  expect(await fail("here", null)).toEqual([[], "Not this one", null]);
  expect(await fail("toast", "name")).toEqual([[], null, "Not this one"]);
});
