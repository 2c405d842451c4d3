import type { StaffUser } from "../../../api/types";
import { formatCount } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import type { SelectOptions } from "../../../ui/select";

export type OwnedOrganisation = StaffUser["owned_organisations"][number];

/** Plan and credits in a few words. */
export function describeFigures(plan: string, credits: number): string {
  return `${toSentenceCase(plan)}, ${formatCount(credits, "credit")}`;
}

/** Each with what it has, which also tells those of one name apart. */
export function listOrganisationOptions(owned: readonly OwnedOrganisation[]): SelectOptions<string> {
  return owned.map(({ id, name, subscription_plan, credits }) => [
    id,
    `${name} · ${describeFigures(subscription_plan, credits)}`,
  ]);
}

/** The one of this id, else the one that the person holds, which comes first. */
export function findOwned(
  { owned_organisations: owned }: Pick<StaffUser, "owned_organisations">,
  id: string | null,
): OwnedOrganisation | undefined {
  return owned.find((one) => one.id === id) ?? owned[0];
}
