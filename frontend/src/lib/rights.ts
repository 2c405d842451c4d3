/** What somebody may do in an organisation, as the server names it. */
export type Right = "look" | "read" | "check" | "change_lists" | "develop" | "pay" | "manage" | "own";

/** The organisation for which the server made this page, by its id; null on pages for everybody. */
export function readOrganisation(): string | null {
  return document.documentElement.dataset.organisation ?? null;
}

/** Whether the role of whoever is signed in includes a right. A page that says nothing of rights leaves it to the server. */
export function mayDo(right: Right): boolean {
  const { rights } = document.documentElement.dataset;
  return rights === undefined || rights.split(" ").includes(right);
}

/** Whether the organisation lets nobody like this person in now: suspended, another network, no second factor. */
export function isClosed(): boolean {
  return document.documentElement.dataset.closed !== undefined;
}

/** Why not, and whom to ask: as the server says it. */
export function describeRefusal(): string {
  const { role = "", organisationName = "", closed } = document.documentElement.dataset;
  return closed ?? `Your role (${role}) does not allow this. Ask an owner or admin of ${organisationName}.`;
}
