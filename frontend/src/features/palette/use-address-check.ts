import { useMutation } from "@tanstack/react-query";

import { navigation } from "../../lib/session";
import { validateSingle } from "../validation/calls";

/** Checks an address and goes to the page of its result. */
export function useAddressCheck() {
  return useMutation({
    mutationFn: validateSingle,
    onSuccess: ({ id }) => navigation.go(`/dashboard/result/${id}`),
  });
}
