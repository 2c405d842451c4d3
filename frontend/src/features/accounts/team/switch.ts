import { toast } from "sonner";

import { api } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { clearRecentChoices } from "../../../lib/recent-choices";
import { readOrganisation } from "../../../lib/rights";
import { navigation } from "../../../lib/session";

/** Works in another organisation from here on, beginning at an address of it. */
export async function switchOrganisation(organisation: string, next = "/dashboard"): Promise<void> {
  try {
    if (organisation !== readOrganisation()) {
      await api.POST("/api/organisation/switch", { body: { organisation } });
      clearRecentChoices();
    }
    navigation.go(next);
  } catch (error) {
    toast.error(getErrorMessage(error, "The organisation could not be switched"));
  }
}
