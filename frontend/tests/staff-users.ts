// Accounts as staff see them.
import type { UserDetail } from "../src/api/types";

type Owned = UserDetail["user"]["owned_organisations"][number];

/** The one that Bob holds. */
export const BIRCH: Owned = {
  id: "org_bob",
  name: "Birch works",
  subscription_plan: "growth",
  credits: 1_500,
  monthly_usage: 20,
};
export const BOB: UserDetail["user"] = {
  id: 7,
  name: "Bob Birch",
  email: "bob@birch.net",
  role: "user",
  status: "active",
  subscription_plan: "growth",
  credits: 1_500,
  monthly_usage: 20,
  created_at: "2030-01-01T00:00:00Z",
  is_protected: false,
  is_colleague: false,
  email_verified: true,
  mfa: false,
  suspension_reason: "",
  own_organisation: { id: "org_bob", name: "Birch works" },
  owned_organisations: [BIRCH],
};
/** What was handed over to Bob, who holds another one. */
export const CEDAR: Owned = {
  id: "org_cedar",
  name: "Cedar mills",
  subscription_plan: "pro",
  credits: 900,
  monthly_usage: 5,
};
export const TWICE_OWNER: UserDetail["user"] = { ...BOB, owned_organisations: [BIRCH, CEDAR] };
/** A colleague, whose account two administrators delete. */
export const ROSA = { ...BOB, id: 8, name: "Rosa Ruiz", email: "rosa@emailcheck.app", is_colleague: true };
export const DETAIL: UserDetail = {
  user: BOB,
  organisations: [
    { ...BIRCH, role: "owner", via: null },
    {
      id: "org_a",
      name: "Alder & Ash",
      role: "viewer",
      via: null,
      subscription_plan: null,
      credits: null,
      monthly_usage: null,
    },
  ],
  lots: [],
  payments: [],
  batches: [{ id: "bat_A", total_emails: 2, processing_status: "completed" }],
  sessions: [],
};
