// An organisation as the page names it, and as the server tells of it.
import { onTestFinished } from "vitest";

import { json, type Handler } from "./server";

const RIGHTS: Record<string, string> = {
  owner: "look read check change_lists develop pay manage own",
  admin: "look read check change_lists develop pay manage",
  developer: "look read check develop",
  viewer: "look read",
  billing: "look pay",
};

/** The page is made for somebody with this role in Birch & Co. */
export function workAs(role: keyof typeof RIGHTS): void {
  const { dataset } = document.documentElement;
  Object.assign(dataset, {
    organisation: "org_birch",
    organisationName: "Birch & Co",
    role,
    rights: RIGHTS[role],
  });
  onTestFinished(() => {
    for (const name of ["organisation", "organisation-name", "role", "rights"]) {
      document.documentElement.removeAttribute(`data-${name}`);
    }
  });
}

export const SENTENCE = (role: string) =>
  `Your role (${role}) does not allow this. Ask an owner or admin of Birch & Co.`;

export const ORGANISATION = {
  id: "org_birch",
  name: "Birch & Co",
  role: "owner",
  rights: ["look", "own"],
  alone: false,
  seats: { used: 2, most: 100 },
  invitations: { open: 1, most: 50 },
  transfer: null,
  agency: null,
};

const NOW = "2026-03-01T10:00:00Z";

export const ALICE = {
  id: 1,
  name: "Alice Alder",
  email: "alice@birch.com",
  role: "owner",
  last_active_at: NOW,
  credits_this_month: 1200,
  monthly_cap: null,
  has_second_factor: true,
  is_you: true,
};

export const BOB = {
  ...ALICE,
  id: 2,
  name: "Bob Birch",
  email: "bob@birch.com",
  role: "viewer",
  last_active_at: null,
  credits_this_month: 0,
  monthly_cap: 500,
  has_second_factor: false,
  is_you: false,
};

export const INVITED = {
  id: "inv_1",
  email: "carol@birch.com",
  role: "member",
  inviter: "Alice Alder",
  created_at: NOW,
  expires_at: "2126-03-08T10:00:00Z",
};

const ROLES = [
  { role: "owner", name: "Owner", sentence: "Everything.", may_give: true },
  { role: "member", name: "Member", sentence: "Checks and lists.", may_give: true },
  { role: "viewer", name: "Viewer", sentence: "Reads lists.", may_give: true },
];

export const TEAM = { members: [ALICE, BOB], invitations: [INVITED], roles: ROLES };

/** The two calls that the page Team begins with. */
export function tellTeam(
  organisation: object = {},
  team: object = {},
): Record<"GET /api/organisation" | "GET /api/organisation/members", Handler> {
  return {
    "GET /api/organisation": () => json({ ...ORGANISATION, ...organisation }),
    "GET /api/organisation/members": () => json({ ...TEAM, ...team }),
  };
}
